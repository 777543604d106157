package io.busbar.sandbox.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Waits of fabric8, each an informer of its own, opened and closed at once on one client that watches too. */
class ConcurrentWaitsTest {

    private static final Vertx VERTX = Vertx.vertx();
    private static final int WAITS = 12;
    private static final int ROUNDS = 3;

    @AfterAll
    static void stop() {
        VERTX.close();
    }

    @SuppressWarnings("try") // the watches watch for as long as they are open
    @ParameterizedTest
    @CsvSource({"true,false", "true,true", "false,false", "false,true"})
    void each_wait_sees_what_it_waits_for(boolean tls, boolean plainHttp) throws Exception {
        Sandbox sandbox = VertxSandbox.start(VERTX, SandboxOptions.defaults().withTls(tls))
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
        Config config = new ConfigBuilder(Config.fromKubeconfig(sandbox.kubeconfig()))
                .withOnlyHttpWatches(plainHttp)
                .build();
        try (KubernetesClient client =
                        new KubernetesClientBuilder().withConfig(config).build();
                Watch all = client.configMaps().inAnyNamespace().watch(new Silent());
                Watch some = client.configMaps().inNamespace("default").watch(new Silent())) {
            for (int round = 0; round < ROUNDS; round++) {
                story(client, "round-" + round);
            }
        } finally {
            sandbox.close();
        }
    }

    /**
     * All wait at once; who has seen the change is closed, while the next change comes. After the last one there is
     * silence.
     */
    private static void story(KubernetesClient client, String round) throws Exception {
        List<CompletableFuture<List<ConfigMap>>> waits = new ArrayList<>();
        for (int i = 0; i < WAITS; i++) {
            ConfigMap map = client.resource(map(round + "-" + i, "v")).create();
            waits.add(client.resource(map)
                    .informOnCondition(seen -> seen.stream()
                            .anyMatch(changed -> "w".equals(changed.getData().get("k")))));
        }
        for (int i = 0; i < WAITS; i++) {
            client.resource(map(round + "-" + i, "w")).update();
        }
        for (CompletableFuture<List<ConfigMap>> wait : waits) {
            assertThat(wait.get(60, TimeUnit.SECONDS)).hasSize(1);
        }
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

    private static final class Silent implements Watcher<ConfigMap> {
        @Override
        public void eventReceived(Action action, ConfigMap map) {}

        @Override
        public void onClose(WatcherException cause) {}
    }
}
