package io.busbar.reconciler.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FenceTest {

    private final AtomicLong now = new AtomicLong();
    private final Fence fence = new Fence(now::get);
    private final ConfigMap object = new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("a")
            .endMetadata()
            .build();
    private CannedApi api;
    private KubernetesClient client;

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        client = new KubernetesClientBuilder()
                .withConfig(api.client().getConfiguration())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("fence", fence))
                .build();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        api.close();
    }

    @Test
    void no_request_leaves_before_it_opens_or_after_its_time() {
        assertThatThrownBy(() -> client.resource(object).create())
                .isInstanceOf(FencedException.class)
                .hasMessageContaining("POST /api/v1/namespaces/ns/configmaps: not sent");

        fence.openUntil(10);
        client.resource(object).create();
        assertThat(api.received()).hasSize(1);

        now.set(11);
        assertThatThrownBy(() -> client.resource(object).delete()).isInstanceOf(FencedException.class);
        assertThatThrownBy(() -> client.resource(object).get()).isInstanceOf(FencedException.class);
        assertThat(api.received()).hasSize(1);
    }

    @Test
    void what_is_sent_by_other_means_passes_as_long_as_it_is_open() {
        assertThatThrownBy(() -> fence.pass("SQL to 10.0.0.1:3306"))
                .isInstanceOf(FencedException.class)
                .hasMessage("SQL to 10.0.0.1:3306: not sent, since this replica does not lead");
        fence.openUntil(10);
        fence.pass("SQL to 10.0.0.1:3306");
        now.set(11);
        assertThatThrownBy(() -> fence.pass("SQL to 10.0.0.1:3306")).isInstanceOf(FencedException.class);
    }

    @Test
    void a_thread_that_works_on_one_object_sends_nothing_once_that_is_anothers() throws Exception {
        AtomicBoolean own = new AtomicBoolean(true);
        fence.openUntil(10);
        Runnable later = fence.with(own::get, () -> {
            client.resource(object).create();
            own.set(false);
            assertThatThrownBy(() -> client.resource(object).delete()).isInstanceOf(FencedException.class);
            assertThatThrownBy(() -> fence.pass("SQL")).isInstanceOf(FencedException.class);
            return fence.carried(() -> fence.pass("again"));
        });
        assertThatThrownBy(later::run).isInstanceOf(FencedException.class);

        fence.pass("of no object");
        assertThat(api.received()).hasSize(1);
    }

    @Test
    void tells_of_each_write_for_one_object_and_of_the_version_that_it_was_answered_with() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        Fence.Grant grant = new Fence.Grant() {
            @Override
            public boolean isValid() {
                return true;
            }

            @Override
            public void writes() {
                told.add("writes");
            }

            @Override
            public void wrote(String type, String version) {
                told.add(type + " " + version);
            }
        };
        fence.openUntil(10);
        client.resource(object).create();
        assertThat(told).as("of no object").isEmpty();

        String stored = fence.with(grant, () -> {
            client.resource(object).get();
            return client.resource(large()).create().getMetadata().getResourceVersion();
        });
        assertThat(told).containsExactly("writes", "configmaps " + stored);

        told.clear();
        api.answer(received ->
                new Answer(200, new JsonObject().put("kind", "Status").put("metadata", new JsonObject())));
        fence.with(grant, () -> client.resource(object).delete());
        assertThat(told).as("answered with no version").containsExactly("writes");
    }

    /** So large that its answer comes in pieces, and with what looks like a version before and behind that. */
    private static ConfigMap large() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("large")
                .addToAnnotations("resourceVersion", "not this " + "x".repeat(100_000))
                .endMetadata()
                .addToData("resourceVersion", "nor this")
                .build();
    }

    @Test
    void what_was_handed_over_before_it_shut_does_not_pass_when_it_is_open_again() {
        AtomicInteger done = new AtomicInteger();
        fence.openUntil(10);
        fence.over(work -> {
                    fence.shut();
                    fence.openUntil(20);
                    work.run();
                })
                .execute(done::incrementAndGet);
        assertThat(done).hasValue(0);
    }

    @Test
    void work_that_waits_for_a_thread_past_its_time_is_forgotten() {
        AtomicInteger done = new AtomicInteger();
        fence.openUntil(10);
        fence.over(Runnable::run).execute(done::incrementAndGet);
        fence.over(work -> {
                    now.set(11);
                    work.run();
                })
                .execute(done::incrementAndGet);
        assertThat(done).hasValue(1);
    }
}
