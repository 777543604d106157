package io.busbar.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** fabric8's client works against a sandbox through nothing but its kubeconfig. */
class Fabric8ClientTest {

    private static final Vertx VERTX = Vertx.vertx();
    private static KubernetesClient client;

    @BeforeAll
    static void start() throws Exception {
        Sandbox sandbox = Sandbox.start(VERTX, SandboxOptions.defaults())
                .toCompletionStage()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(sandbox.kubeconfig()))
                .build();
    }

    @AfterAll
    static void stop() {
        client.close();
        VERTX.close();
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

    @Test
    void informers_see_what_happens() throws Exception {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        ResourceEventHandler<ConfigMap> handler = new ResourceEventHandler<>() {
            @Override
            public void onAdd(ConfigMap map) {
                seen.add("added " + map.getMetadata().getName());
            }

            @Override
            public void onUpdate(ConfigMap before, ConfigMap map) {
                seen.add("updated " + map.getData().get("k"));
            }

            @Override
            public void onDelete(ConfigMap map, boolean unknown) {
                seen.add("deleted " + map.getMetadata().getName());
            }
        };
        try (SharedIndexInformer<ConfigMap> informer = client.configMaps()
                .inNamespace("default")
                .withField("metadata.name", "informed")
                .inform(handler)) {
            client.resource(map("informed", "v")).create();
            assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("added informed");
            client.configMaps().inNamespace("default").withName("informed").edit(map -> map("informed", "w"));
            assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("updated w");
            client.configMaps().inNamespace("default").withName("informed").delete();
            assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("deleted informed");
            assertThat(informer.isWatching()).isTrue();
        }
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
                .waitUntilCondition(Readiness.getInstance()::isReady, 20, TimeUnit.SECONDS);
        assertThat(ready.getStatus().getPodIP()).isNotEmpty();
        client.resource(pod).withTimeout(20, TimeUnit.SECONDS).delete();
        assertThat(client.resource(pod).get()).isNull();
    }
}
