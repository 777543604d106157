package io.busbar.sandbox.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.faults.Faults;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** fabric8's client. */
class Fabric8ClientTest {

    @AutoClose
    private static final Sandbox SANDBOX = Sandbox.start();

    @AutoClose
    private final KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(SANDBOX.kubeconfig()))
            .build();

    @Test
    void informers_see_what_happens() throws Exception {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        try (SharedIndexInformer<ConfigMap> informer = client.configMaps()
                .inNamespace("default")
                .withField("metadata.name", "informed")
                .inform(telling(seen))) {
            client.resource(map("informed", "v")).create();
            assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("added v");
            client.configMaps().inNamespace("default").withName("informed").edit(map -> map("informed", "w"));
            assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("updated w");
            client.configMaps().inNamespace("default").withName("informed").delete();
            assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("deleted w");
            assertThat(informer.isWatching()).isTrue();
        }
    }

    @Test
    void shared_informers_come_back_after_the_server_was_away_and_their_resource_version_is_too_old() throws Exception {
        Faults faults = SANDBOX.faults();
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        SharedIndexInformer<ConfigMap> informer =
                client.configMaps().inNamespace("default").withName("kept").runnableInformer(0);
        informer.addEventHandler(telling(seen));
        informer.addIndexers(Map.of("by-value", map -> List.of(map.getData().get("k"))));
        client.resource(map("kept", "v")).create();
        get(informer.start().toCompletableFuture());
        assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("added v");
        get(faults.whileStopped(faults::expire));
        client.resource(map("kept", "w")).update();
        assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("updated w");
        assertThat(informer.getIndexer().byIndex("by-value", "w")).hasSize(1);
        get(faults.dropWatches());
        client.resource(map("kept", "w")).delete();
        assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("deleted w");
        informer.stop();
    }

    @Test
    void one_leads_and_the_next_takes_over() throws Exception {
        BlockingQueue<String> leaders = new LinkedBlockingQueue<>();
        LeaderElector first = elector("first", leaders);
        LeaderElector second = elector("second", leaders);
        CompletableFuture<?> reign = first.start();
        assertThat(leaders.poll(60, TimeUnit.SECONDS)).isEqualTo("first");
        CompletableFuture<?> next = second.start();
        reign.cancel(true);
        assertThat(leaders.poll(60, TimeUnit.SECONDS)).isEqualTo("second");
        next.cancel(true);
    }

    @Test
    void applies_on_the_server() {
        client.resource(map("applied", "v")).fieldManager("me").serverSideApply();
        ConfigMap now = client.resource(map("applied", "w")).fieldManager("me").serverSideApply();
        assertThat(now.getData()).containsEntry("k", "w");
        assertThat(now.getMetadata().getManagedFields().get(0).getManager()).isEqualTo("me");
    }

    @Test
    void patches() {
        client.resource(map("patched", "v")).create();
        ConfigMap now = client.configMaps()
                .inNamespace("default")
                .withName("patched")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"l\":\"m\"}}");
        assertThat(now.getData()).containsEntry("k", "v").containsEntry("l", "m");
    }

    @Test
    void waits_for_pods() {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName("waited")
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withImage("x")
                .endContainer()
                .endSpec()
                .build();
        client.resource(pod).create();
        Pod ready = client.pods()
                .inNamespace("default")
                .withName("waited")
                .waitUntilCondition(Readiness.getInstance()::isReady, 60, TimeUnit.SECONDS);
        assertThat(ready.getStatus().getPodIP()).isNotEmpty();
        client.resource(pod).withTimeout(20, TimeUnit.SECONDS).delete();
        assertThat(client.resource(pod).get()).isNull();
    }

    private LeaderElector elector(String identity, BlockingQueue<String> leaders) {
        return client.leaderElector()
                .withConfig(new LeaderElectionConfigBuilder()
                        .withName("election")
                        .withReleaseOnCancel(true)
                        .withLock(new LeaseLock("default", "election", identity))
                        .withLeaseDuration(Duration.ofMillis(1500))
                        .withRenewDeadline(Duration.ofMillis(1000))
                        .withRetryPeriod(Duration.ofMillis(100))
                        .withLeaderCallbacks(new LeaderCallbacks(() -> leaders.add(identity), () -> {}, leader -> {}))
                        .build())
                .build();
    }

    private static ResourceEventHandler<ConfigMap> telling(BlockingQueue<String> seen) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(ConfigMap map) {
                seen.add("added " + map.getData().get("k"));
            }

            @Override
            public void onUpdate(ConfigMap before, ConfigMap map) {
                if (!before.getData().equals(map.getData())) {
                    seen.add("updated " + map.getData().get("k"));
                }
            }

            @Override
            public void onDelete(ConfigMap map, boolean unknown) {
                seen.add("deleted " + map.getData().get("k"));
            }
        };
    }

    private static ConfigMap map(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withData(Map.of("k", value))
                .build();
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }
}
