package io.busbar.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.EventConditions.skippedWithReason;
import static org.junit.platform.testkit.engine.EventConditions.test;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.faults.Faults;
import io.busbar.sandbox.testkit.ExistingCluster;
import io.busbar.sandbox.testkit.Kubeconfig;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.busbar.testkit.sample.Page;
import io.busbar.testkit.sample.PageBundle;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The cluster that is there is a sandbox of the test's own. */
@KubernetesSandbox
class ExistingClusterTest {

    private static final Set<RunningOperator> OPERATORS = ConcurrentHashMap.newKeySet();
    private static final Set<String> SERVERS = ConcurrentHashMap.newKeySet();

    /** Is run below. */
    @OperatorTest(bundles = PageBundle.class)
    static class First {

        @Test
        void uses_the_cluster(KubernetesClient client, RunningOperator operator) {
            OPERATORS.add(operator);
            SERVERS.add(client.getConfiguration().getMasterUrl());
            client.resource(Page.of("a", "hello", 1)).create();
            client.resources(Page.class)
                    .withName("a")
                    .waitUntilCondition(page -> page.getStatus() != null, 60, TimeUnit.SECONDS);
        }

        @Test
        void needs_faults(Faults faults) {
            throw new AssertionError("a real cluster has no " + faults.getClass());
        }
    }

    /** Is run below. */
    @OperatorTest(bundles = PageBundle.class)
    static class Second {

        @Test
        void uses_the_cluster_too(RunningOperator operator) {
            OPERATORS.add(operator);
        }
    }

    /** Is run below. */
    @OperatorTest(bundles = PageBundle.class, manualClock = true)
    static class Timed {

        @Test
        void needs_a_clock() {
            throw new AssertionError("a real cluster's cannot be moved");
        }
    }

    @Test
    void the_same_classes_run_on_a_cluster_that_is_there(
            Sandbox sandbox, KubernetesClient client, @Kubeconfig Path kubeconfig) {
        OPERATORS.clear();
        SERVERS.clear();
        EngineExecutionResults results = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(First.class), selectClass(Second.class), selectClass(Timed.class))
                .configurationParameter(ExistingCluster.PROPERTY, "true")
                .configurationParameter(ExistingCluster.KUBECONFIG, kubeconfig.toString())
                .execute();

        results.testEvents()
                .assertStatistics(
                        statistics -> statistics.succeeded(2).skipped(1).failed(0));
        results.testEvents()
                .skipped()
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(
                                test("needs_faults"),
                                skippedWithReason(reason -> reason.startsWith("only a sandbox has Faults"))));
        results.containerEvents()
                .skipped()
                .assertThatEvents()
                .haveExactly(
                        1, event(skippedWithReason(reason -> reason.startsWith("only a sandbox has ManualClock"))));
        assertThat(SERVERS).singleElement().asString().startsWith(sandbox.url());
        assertThat(OPERATORS).as("operators for classes that run the same").hasSize(1);
        assertThat(client.namespaces().list().getItems())
                .as("namespaces of tests")
                .noneMatch(namespace -> namespace.getMetadata().getName().matches("(first|second)-[0-9a-f]{5}"));
        assertThat(client.admissionRegistration()
                        .v1()
                        .validatingWebhookConfigurations()
                        .list()
                        .getItems())
                .as("webhooks that nobody answers any more")
                .isEmpty();
    }

    @Test
    void a_kubeconfig_that_is_not_there_is_named() {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(Second.class))
                .configurationParameter(ExistingCluster.PROPERTY, "true")
                .configurationParameter(ExistingCluster.KUBECONFIG, "/nowhere/kubeconfig")
                .execute()
                .containerEvents()
                .failed()
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(finishedWithFailure(
                                message(text -> text.contains("no kubeconfig at /nowhere/kubeconfig")))));
    }
}
