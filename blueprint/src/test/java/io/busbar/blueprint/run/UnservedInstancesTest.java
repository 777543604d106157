package io.busbar.blueprint.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.faults.Fault;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Which instances are told that their Blueprint does not run. */
@TestInstance(Lifecycle.PER_CLASS)
class UnservedInstancesTest {

    private static final String STATUS = "tests.busbar.io/status";
    private static final String UNSERVED = "Unserved nobody";

    @AutoClose
    private final BlueprintCluster cluster = new BlueprintCluster(SandboxOptions.defaults());

    /** Without tries of its own, which take half a minute. */
    @AutoClose
    private final KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder(cluster.client().getConfiguration())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();

    private CheckedBlueprint blueprint;

    @BeforeAll
    void define() {
        blueprint = Blueprints.checked(Blueprints.with("", ""));
        cluster.define(blueprint);
    }

    @BeforeEach
    void make() {
        List.of("a", "b", "c").forEach(name -> make(name, "{}"));
    }

    private void make(String name, String annotations) {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Test
                metadata: {name: %s, namespace: default, annotations: %s}
                """.formatted(name, annotations));
    }

    @AfterEach
    void clear() {
        cluster.faults().clear().join();
        cluster.client()
                .genericKubernetesResources("busbar.io/v1", "Test")
                .inNamespace("default")
                .delete();
    }

    private UnservedInstances.Outcome tell(int most) {
        return tell(most, Optional.empty());
    }

    private UnservedInstances.Outcome tell(int most, Optional<ObjectKey> after) {
        return new UnservedInstances(client, blueprint.blueprint().schema().type(), InstantSource.system(), most)
                .tell("nobody", after);
    }

    private List<String> told() {
        return all().stream()
                .map(one -> one.get("status", "conditions", 0, "reason") + " "
                        + one.get("status", "conditions", 0, "message"))
                .toList();
    }

    private List<GenericKubernetesResource> all() {
        return cluster.client()
                .genericKubernetesResources("busbar.io/v1", "Test")
                .inNamespace("default")
                .list()
                .getItems();
    }

    @Test
    void all_are_told_once() {
        assertThat(tell(100).all()).isTrue();
        assertThat(told()).containsExactly(UNSERVED, UNSERVED, UNSERVED);

        cluster.faults().inject(Fault.on("patch", STATUS).refused(403).untilRemoved());
        assertThat(tell(100).refused()).as("no request is sent").isZero();
    }

    @Test
    void some_are_told_at_a_time() {
        UnservedInstances.Outcome first = tell(2);
        assertThat(first.all()).isFalse();
        assertThat(told()).containsExactly(UNSERVED, UNSERVED, "null null");

        UnservedInstances.Outcome second = tell(2, first.last());
        assertThat(second.all()).isTrue();
        assertThat(second.last()).isEmpty();
        assertThat(told()).containsExactly(UNSERVED, UNSERVED, UNSERVED);
    }

    @Test
    void one_that_is_refused_keeps_no_other_one() {
        cluster.faults().inject(Fault.on("patch", STATUS).named("a").refused(403));
        UnservedInstances.Outcome outcome = tell(100);

        assertThat(told()).containsExactly("null null", UNSERVED, UNSERVED);
        assertThat(outcome.refused()).isEqualTo(1);
        assertThat(outcome.refusal()).isPresent();
    }

    @Test
    void some_that_are_refused_each_time_hide_no_others() {
        cluster.faults()
                .inject(Fault.on("patch", STATUS).named("a").refused(403).untilRemoved());
        UnservedInstances.Outcome first = tell(1);
        assertThat(first.last()).contains(ObjectKey.of("default", "a"));
        tell(1, first.last());

        assertThat(told()).containsExactly("null null", UNSERVED, "null null");
    }

    @Test
    void all_are_looked_at_anew_where_the_one_has_gone_to_go_on_after() {
        UnservedInstances.Outcome outcome = tell(100, Optional.of(ObjectKey.of("default", "gone")));

        assertThat(outcome.all()).as("so that the next time is soon").isFalse();
        assertThat(outcome.last()).isEmpty();
        assertThat(told()).containsExactly("null null", "null null", "null null");
    }

    @Test
    void no_other_one_is_tried_where_the_api_server_cannot_tell_now() {
        cluster.faults()
                .inject(Fault.on("patch", STATUS).named("a").refused(503).untilRemoved());

        assertThatThrownBy(() -> tell(100)).isInstanceOf(KubernetesClientException.class);
        assertThat(told()).containsExactly("null null", "null null", "null null");
    }

    @Test
    void one_that_another_tool_keeps_is_left_alone() {
        make("b", "{applyset.kubernetes.io/tooling: kubectl/v1.30}");
        tell(100);
        assertThat(told()).containsExactly(UNSERVED, "null null", UNSERVED);
    }
}
