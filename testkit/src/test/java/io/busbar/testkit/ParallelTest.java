package io.busbar.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.busbar.testkit.sample.Page;
import io.busbar.testkit.sample.PageBundle;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

class ParallelTest {

    /** None of the tests passes it before all have come. */
    private static final CyclicBarrier ALL = new CyclicBarrier(3);

    private static final Set<String> SERVERS = ConcurrentHashMap.newKeySet();
    private static final Set<String> NAMESPACES = ConcurrentHashMap.newKeySet();

    /** Is run below. */
    @OperatorTest(bundles = PageBundle.class)
    static class First {

        @Test
        void one(KubernetesClient client) throws Exception {
            atOnce(client);
        }

        @Test
        void another(KubernetesClient client) throws Exception {
            atOnce(client);
        }
    }

    /** Is run below, at the same time. */
    @OperatorTest(bundles = PageBundle.class)
    static class Second {

        @Test
        void one(KubernetesClient client) throws Exception {
            atOnce(client);
        }
    }

    private static void atOnce(KubernetesClient client) throws Exception {
        ALL.await(60, TimeUnit.SECONDS);
        SERVERS.add(client.getConfiguration().getMasterUrl());
        NAMESPACES.add(client.getNamespace());
        client.resource(Page.of("a", "hello", 1)).create();
        client.resources(Page.class)
                .withName("a")
                .waitUntilCondition(page -> page.getStatus() != null, 60, TimeUnit.SECONDS);
        assertThat(client.pods().list().getItems()).hasSize(1);
        ALL.await(60, TimeUnit.SECONDS);
    }

    @Test
    void classes_and_methods_run_at_the_same_time() {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(First.class), selectClass(Second.class))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.mode.classes.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
                .execute()
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(3).failed(0));
        assertThat(SERVERS).hasSize(2);
        assertThat(NAMESPACES).hasSize(3);
    }
}
