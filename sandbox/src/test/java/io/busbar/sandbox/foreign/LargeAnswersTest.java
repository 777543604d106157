package io.busbar.sandbox.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Answers that fill what a connection buffers, and small ones beside them, over HTTP/2. */
class LargeAnswersTest {

    private static final Vertx VERTX = Vertx.vertx();
    private static final int CLIENTS = 8;
    private static final int REQUESTS = 150;

    @AfterAll
    static void stop() {
        VERTX.close();
    }

    @Test
    void each_is_sent_to_its_end_however_many_are_asked_for_at_once() throws Exception {
        Sandbox sandbox = VertxSandbox.start(VERTX, SandboxOptions.defaults().withTls(true))
                .await(60, TimeUnit.SECONDS);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(sandbox.kubeconfig()))
                .build()) {
            client.resource(map("large", "x".repeat(70_000))).create();
            client.resource(map("small", "x")).create();
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String name = i % 2 == 0 ? "large" : "small";
                all.add(threads.submit(() -> isAlwaysAnswered(client, name)));
            }
            for (Future<Boolean> one : all) {
                assertThat(one.get(60, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            threads.shutdownNow();
            sandbox.close();
        }
    }

    private static boolean isAlwaysAnswered(KubernetesClient client, String name) {
        for (int i = 0; i < REQUESTS; i++) {
            client.configMaps().inNamespace("default").withName(name).get();
        }
        return true;
    }

    private static ConfigMap map(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withData(Map.of("k", value))
                .build();
    }
}
