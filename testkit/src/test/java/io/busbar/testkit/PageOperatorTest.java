package io.busbar.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.clock.ManualClock;
import io.busbar.sandbox.faults.Fault;
import io.busbar.sandbox.faults.Faults;
import io.busbar.sandbox.faults.InjectedFault;
import io.busbar.sandbox.faults.Lag;
import io.busbar.sandbox.testkit.TestNamespace;
import io.busbar.testkit.sample.Page;
import io.busbar.testkit.sample.PageBundle;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxTestContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@OperatorTest(bundles = PageBundle.class, manualClock = true)
class PageOperatorTest {

    private static final Duration FOR_EVER = Duration.ofDays(1);

    private final KubernetesClient client;

    PageOperatorTest(KubernetesClient client) {
        this.client = client;
    }

    @Test
    void a_page_gets_its_text_and_its_pods(@TestNamespace String namespace) {
        create("a", 2);
        assertThat(client.configMaps().withName("a").require().getData()).isEqualTo(Map.of("text", "hello"));
        assertThat(client.getNamespace()).isEqualTo(namespace).matches("page-operator-test-[0-9a-f]{5}");
    }

    @Test
    void each_test_has_a_namespace_of_its_own() {
        assertThat(client.resources(Page.class).list().getItems()).isEmpty();
        create("a", 1);
    }

    @Test
    void what_comes_late_can_be_waited_for_without_blocking(Vertx vertx, VertxTestContext test) {
        vertx.executeBlocking(() -> create("a", 1))
                .onComplete(test.succeeding(pods -> test.verify(() -> {
                    assertThat(pods).hasSize(1);
                    test.completeNow();
                })));
    }

    @Test
    void an_answer_is_lost_and_nothing_is_made_twice(Faults faults) {
        InjectedFault lost =
                faults.inject(Fault.on("create", "pods").answerLost().times(2));
        assertThat(create("a", 3)).hasSize(3);
        assertThat(lost.hits()).isEqualTo(2);
    }

    @Test
    void somebody_else_is_first_and_the_server_is_in_trouble(Faults faults) {
        InjectedFault conflict = faults.inject(Fault.conflict("patch", "pages.sample.example.com/status"));
        InjectedFault trouble = faults.inject(Fault.on("create", "configmaps").refused(500));
        create("a", 1);
        assertThat(trouble.hits()).isEqualTo(1);
        assertThat(conflict.hits()).isEqualTo(1);
    }

    @Test
    void answers_are_slow(Faults faults) {
        InjectedFault slow = faults.inject(
                Fault.on("create", "pods").answeredAfter(Duration.ofMillis(50)).times(2));
        create("a", 2);
        assertThat(slow.hits()).isEqualTo(2);
    }

    @Test
    void a_watch_lags_and_sizes_are_exact(Faults faults) {
        create("a", 1);
        faults.inject(Lag.ofWatches("pods").by(FOR_EVER)).join();
        assertThat(resized("a", 4)).hasSize(4);
        assertThat(resized("a", 2)).hasSize(2);
    }

    @Test
    void a_list_is_stale(Faults faults) {
        create("a", 1);
        faults.inject(Lag.ofCachedReads("configmaps")).join();
        client.configMaps().withName("a").delete();
        client.configMaps().withName("a").waitUntilCondition(Objects::nonNull, 60, TimeUnit.SECONDS);
        ConfigMap stale =
                client
                        .configMaps()
                        .list(new ListOptionsBuilder().withResourceVersion("0").build())
                        .getItems()
                        .stream()
                        .filter(map -> map.getMetadata().getName().equals("a"))
                        .findFirst()
                        .orElseThrow();
        assertThat(stale.getMetadata().getUid())
                .isNotEqualTo(client.configMaps()
                        .withName("a")
                        .require()
                        .getMetadata()
                        .getUid());
    }

    @Test
    void a_webhook_is_asked_and_cannot_be_reached(Faults faults) {
        assertThatThrownBy(() -> client.resource(Page.of("many", "hello", 10)).create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("must be 9 or less");
        faults.inject(Fault.ofWebhook(PageBundle.WEBHOOK).unreachable());
        assertThatThrownBy(() -> client.resource(Page.of("a", "hello", 1)).create())
                .hasMessageContaining("failed calling webhook \"" + PageBundle.WEBHOOK + "\"");
        create("a", 1);
    }

    @Test
    void the_operator_starts_anew_and_remembers_nothing(RunningOperator operator) {
        create("a", 2);
        operator.restart();
        assertThat(resized("a", 3)).hasSize(3);
    }

    @Test
    void an_operator_that_a_test_has_stopped_runs_in_the_next(RunningOperator operator) {
        operator.stop();
        assertThatThrownBy(operator::vertx).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void time_goes_by_when_a_test_says_so(ManualClock clock, Sandbox sandbox) {
        var before = clock.instant();
        clock.advance(Duration.ofHours(1)).join();
        assertThat(clock.instant()).isEqualTo(before.plus(Duration.ofHours(1)));
        assertThat(sandbox.url()).startsWith("https://127.0.0.1:");
    }

    @Nested
    class Inside {

        @Test
        void a_nested_class_shares_the_operator(KubernetesClient own) {
            assertThat(own.getConfiguration().getMasterUrl())
                    .isEqualTo(client.getConfiguration().getMasterUrl());
            assertThat(create("nested", 1)).hasSize(1);
        }
    }

    private List<Pod> create(String name, int copies) {
        client.resource(Page.of(name, "hello", copies)).create();
        return pods(name, copies);
    }

    private List<Pod> resized(String name, int copies) {
        client.resources(Page.class)
                .withName(name)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"copies\":" + copies + "}}");
        return pods(name, copies);
    }

    /** Once the operator says that it is done. */
    private List<Pod> pods(String name, int copies) {
        client.resources(Page.class)
                .withName(name)
                .waitUntilCondition(
                        page -> page != null
                                && page.getStatus() != null
                                && page.getStatus().pods() == copies
                                && page.getStatus().observedGeneration()
                                        == page.getMetadata().getGeneration(),
                        30,
                        TimeUnit.SECONDS);
        return client.pods().list().getItems().stream()
                .filter(pod -> !pod.isMarkedForDeletion())
                .toList();
    }
}
