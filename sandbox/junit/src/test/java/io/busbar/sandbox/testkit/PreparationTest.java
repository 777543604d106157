package io.busbar.sandbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.skippedWithReason;
import static org.junit.platform.testkit.engine.EventConditions.test;

import io.busbar.sandbox.Sandbox;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/**
 * Runs classes that name manifests, namespaces and clusters, and looks at what JUnit makes of them. The cluster is a
 * sandbox of the test's own.
 */
@KubernetesSandbox(rbac = true)
class PreparationTest {

    private static final Set<String> NAMESPACES = ConcurrentHashMap.newKeySet();
    /** None of the tests passes it before all have come. */
    private static final CyclicBarrier ALL = new CyclicBarrier(2);

    /** Is run below. */
    @KubernetesSandbox(tls = false)
    static class Parallel {

        @Test
        void one(@TestNamespace String namespace, @TestNamespace KubernetesClient client) throws Exception {
            atOnce(namespace, client);
        }

        @Test
        void another(@TestNamespace String namespace, @TestNamespace KubernetesClient client) throws Exception {
            atOnce(namespace, client);
        }

        private static void atOnce(String namespace, KubernetesClient client) throws Exception {
            ALL.await(60, TimeUnit.SECONDS);
            NAMESPACES.add(namespace);
            client.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("same")
                            .endMetadata()
                            .build())
                    .create();
            ALL.await(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void methods_that_run_at_the_same_time_have_a_namespace_each() {
        NAMESPACES.clear();
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(Parallel.class))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "3")
                .execute()
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(2).failed(0));
        assertThat(NAMESPACES).hasSize(2);
    }

    /** Is run below. */
    @KubernetesSandbox(crds = "/io/busbar/sandbox/testkit/crds/gizmo.yml")
    static class WithoutFabric8 {

        @BeforeEach
        void remembers(@TestNamespace String namespace) {
            NAMESPACES.add(namespace);
        }

        @Test
        void any_client_sees_the_kind(Sandbox sandbox, @TestNamespace String namespace) throws Exception {
            assertThat(NAMESPACES).contains(namespace);
            assertThat(Wire.to(sandbox)
                            .get("/apis/testkit.example.com/v1/namespaces/" + namespace + "/gizmos")
                            .code())
                    .isEqualTo(200);
        }

        @Nested
        class Within {

            @Test
            void is_prepared_too(Sandbox sandbox) {
                assertThat(Wire.to(sandbox)
                                .get("/apis/testkit.example.com/v1/gizmos")
                                .code())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void a_namespace_is_of_one_test_its_methods_before_each_included() {
        NAMESPACES.clear();
        run(Map.of(), WithoutFabric8.class)
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(2).failed(0));
        assertThat(NAMESPACES).hasSize(2);
    }

    @Test
    void a_file_that_is_wrong_is_named_with_what_is_wrong() {
        assertThat(failure(Absent.class)).startsWith("no/such.yaml is neither a resource of the class path nor a file");
        assertThat(failure(NoYaml.class)).startsWith("wrong/no-yaml.yaml, document 2 is no YAML: ");
        assertThat(failure(NoName.class))
                .isEqualTo("wrong/no-name.yaml, document 2 is no object of Kubernetes: it has no metadata.name");
        assertThat(failure(NoKind.class))
                .startsWith(
                        "wrong/no-kind.yaml, document 1, Thing a: the server has no such kind in nowhere.example.com/v1");
        assertThat(failure(Refused.class))
                .startsWith("wrong/refused.yaml, document 1, CustomResourceDefinition widgets.testkit.example.com: "
                        + "the server refuses it: ")
                .contains("maximum");
        assertThat(failure(NoDefinition.class))
                .contains(
                        "settings.yaml, document 1, ConfigMap testkit-settings: crds of @KubernetesSandbox takes CRDs alone");
    }

    @KubernetesSandbox(crds = "no/such.yaml")
    static class Absent extends Nothing {}

    @KubernetesSandbox(manifests = "wrong/no-yaml.yaml")
    static class NoYaml extends Nothing {}

    @KubernetesSandbox(manifests = "wrong/no-name.yaml")
    static class NoName extends Nothing {}

    @KubernetesSandbox(manifests = "wrong/no-kind.yaml")
    static class NoKind extends Nothing {}

    @KubernetesSandbox(crds = "wrong/refused.yaml")
    static class Refused extends Nothing {}

    @KubernetesSandbox(crds = "settings.yaml")
    static class NoDefinition extends Nothing {}

    static class Nothing {
        @Test
        void nothing() {}
    }

    private static String failure(Class<?> type) {
        return run(Map.of(), type).containerEvents().failed().stream()
                .map(event -> event.getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class))
                .map(result -> result.getThrowable().orElseThrow().getMessage())
                .findFirst()
                .orElse("it did not fail");
    }

    @Test
    void the_same_class_runs_on_a_cluster_and_leaves_nothing_there(
            KubernetesClient admin, @Kubeconfig Path kubeconfig) {
        Map<String, String> cluster =
                Map.of(ExistingCluster.PROPERTY, "true", ExistingCluster.KUBECONFIG, kubeconfig.toString());
        EngineExecutionResults results = run(cluster, EitherServerTest.class, Timed.class, OnCluster.class);
        results.testEvents()
                .assertStatistics(
                        statistics -> statistics.succeeded(5).skipped(1).failed(0));
        results.testEvents()
                .skipped()
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(
                                test("a_sandbox_can_do_more"),
                                skippedWithReason(reason -> reason.startsWith("only a sandbox has Faults"))));
        results.containerEvents()
                .skipped()
                .assertThatEvents()
                .haveExactly(
                        1, event(skippedWithReason(reason -> reason.startsWith("only a sandbox has ManualClock"))));
        assertThat(admin.apiextensions().v1().customResourceDefinitions().list().getItems())
                .isEmpty();
        assertThat(admin.configMaps()
                        .inNamespace("default")
                        .withName("testkit-settings")
                        .get())
                .isNull();
        assertThat(admin.namespaces().list().getItems())
                .extracting((Namespace namespace) -> namespace.getMetadata().getName())
                .allMatch(name -> name.matches("default|kube-.*"));
    }

    /** Is run below. */
    @KubernetesSandbox(manualClock = true)
    static class Timed extends Nothing {}

    /** Is run below. */
    @KubernetesSandbox(backend = KubernetesSandbox.Backend.CLUSTER)
    static class OnCluster {

        @Test
        void uses_the_cluster(
                KubernetesClient client, @Kubeconfig Path kubeconfig, @AsUser(name = "jane") @Kubeconfig String jane)
                throws Exception {
            assertThat(Files.readString(kubeconfig))
                    .contains(client.getConfiguration().getMasterUrl().replaceAll("/$", ""));
            assertThat(jane).contains("as: \"jane\"");
        }
    }

    @Test
    void what_was_on_the_cluster_before_stays(KubernetesClient admin, @Kubeconfig Path kubeconfig) {
        admin.load(PreparationTest.class.getResourceAsStream("crds/gizmo.yml")).create();
        run(
                        Map.of(ExistingCluster.KUBECONFIG, kubeconfig.toString(), ExistingCluster.PROPERTY, "true"),
                        EitherServerTest.class)
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(4).failed(0));
        assertThat(admin.apiextensions().v1().customResourceDefinitions().list().getItems())
                .extracting(definition -> definition.getMetadata().getName())
                .containsExactly("gizmos.testkit.example.com");
        admin.apiextensions().v1().customResourceDefinitions().delete();
    }

    private static EngineExecutionResults run(Map<String, String> parameters, Class<?>... classes) {
        var builder = EngineTestKit.engine("junit-jupiter").configurationParameters(parameters);
        for (Class<?> type : classes) {
            builder.selectors(selectClass(type));
        }
        return builder.execute();
    }
}
