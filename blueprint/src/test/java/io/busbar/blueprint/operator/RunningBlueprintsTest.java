package io.busbar.blueprint.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.run.Revision;
import io.busbar.runtime.bundle.Account;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.Guests;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is told, and when, that a Blueprint works. */
class RunningBlueprintsTest {

    private final Promise<Void> start = Promise.promise();
    private final List<String> told = new ArrayList<>();

    /** Takes one bundle, and runs nothing. */
    private final class OneGuest implements Guests {
        @Override
        public Future<Void> start(Bundle bundle, Config config) {
            return start.future();
        }

        @Override
        public Future<Void> end(String name) {
            return Future.succeededFuture();
        }

        @Override
        public Optional<State> state(String name) {
            return Optional.of(new State(false, "it is being started"));
        }
    }

    @BeforeEach
    void run() throws Exception {
        String text = Blueprints.with("", """
                - id: words
                  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: words}}
                """);
        new RunningBlueprints(new OneGuest(), new KubernetesSerialization(), told::add)
                .run(
                        "test",
                        new Revision("test-1", Blueprints.checked(text)),
                        List::of,
                        new Account("default", "anyone"),
                        new ConfigBuilder().withAutoConfigure(false).build());
    }

    @Test
    void one_is_told_once_it_works() {
        assertThat(told).isEmpty();
        start.complete();
        assertThat(told).containsExactly("test");
    }

    /** Whoever is told looks at it, and would start it again without a pause. */
    @Test
    void one_that_cannot_be_started_is_not_told() {
        start.fail("its account may list nothing");
        assertThat(told).isEmpty();
    }
}
