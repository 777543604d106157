package io.busbar.sandbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.clock.ManualClock;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs classes with the extension, and looks at what JUnit makes of them. */
class SandboxExtensionTest {

    private static final List<String> URLS = new ArrayList<>();
    private static final List<Path> FILES = new ArrayList<>();

    @KubernetesSandbox(tls = false)
    static class One {

        @Test
        void first(Sandbox sandbox, @Kubeconfig Path file) {
            URLS.add(sandbox.url());
            FILES.add(file);
            assertThat(file).exists();
        }

        @Test
        void second(Sandbox sandbox) {
            URLS.add(sandbox.url());
        }
    }

    @KubernetesSandbox(tls = false)
    static class Another {

        @Test
        void only(Sandbox sandbox) {
            URLS.add(sandbox.url());
        }
    }

    @KubernetesSandbox(tls = false)
    static class Failing {

        @Test
        void fails(KubernetesClient client) {
            client.v1()
                    .events()
                    .inNamespace("default")
                    .resource(new EventBuilder()
                            .withNewMetadata()
                            .withName("e")
                            .endMetadata()
                            .withReason("Unlucky")
                            .withMessage("it was not to be")
                            .withNewInvolvedObject()
                            .withKind("Pod")
                            .withName("p")
                            .withNamespace("default")
                            .endInvolvedObject()
                            .build())
                    .create();
            throw new AssertionError("on purpose");
        }
    }

    @KubernetesSandbox(tls = false)
    static class WithoutClock {

        @Test
        void asks(ManualClock clock) {}
    }

    static class Registered {

        private static final Vertx VERTX = Vertx.vertx();

        @RegisterExtension
        static final SandboxExtension SANDBOX = SandboxExtension.with(
                        SandboxOptions.defaults().withTls(false).withNodes(7))
                .on(() -> VERTX);

        @Test
        void runs_on_the_vertx_of_the_test(Sandbox sandbox, KubernetesClient client) {
            assertThat(client.nodes().list().getItems()).hasSize(7);
            assertThat(VERTX.deploymentIDs()).hasSize(1);
        }
    }

    @Test
    void each_class_has_a_server_of_its_own_and_nothing_is_left_of_it() {
        URLS.clear();
        FILES.clear();
        run(One.class, Another.class).testEvents().assertStatistics(statistics -> statistics.succeeded(3));
        assertThat(URLS).hasSize(3);
        assertThat(URLS.get(0)).isEqualTo(URLS.get(1));
        assertThat(FILES)
                .hasSize(1)
                .allSatisfy(file -> assertThat(Files.exists(file)).isFalse());
    }

    @Test
    void a_failure_comes_with_the_latest_requests_and_events() {
        List<String> reports = run(Failing.class).allEvents().reportingEntryPublished().stream()
                .map(event -> event.getRequiredPayload(org.junit.platform.engine.reporting.ReportEntry.class))
                .map(entry -> entry.getKeyValuePairs().get("sandbox"))
                .toList();
        assertThat(reports).hasSize(1);
        assertThat(reports.get(0))
                .contains("POST /api/v1/namespaces/default/events 201", "Unlucky Pod default/p: it was not to be");
    }

    @Test
    void a_clock_that_is_not_there_is_asked_for_in_vain() {
        run(WithoutClock.class)
                .testEvents()
                .assertThatEvents()
                .haveExactly(1, event(finishedWithFailure(message(text -> text.contains("manualClock")))));
    }

    @Test
    void runs_on_a_vertx_of_the_test_when_told() {
        run(Registered.class).testEvents().assertStatistics(statistics -> statistics.succeeded(1));
    }

    private static EngineExecutionResults run(Class<?>... classes) {
        var builder = EngineTestKit.engine("junit-jupiter");
        for (Class<?> type : classes) {
            builder.selectors(selectClass(type));
        }
        return builder.execute();
    }
}
