package io.busbar.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartTest {

    private final Vertx vertx = Vertx.vertx();

    @TempDir
    private Path folder;

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private Sandbox started(Path path) throws Exception {
        return await(VertxSandbox.start(
                vertx, SandboxOptions.defaults().withNodes(1).withDataDir(path).withRbac(true)));
    }

    private static KubernetesClient client(String kubeconfig) {
        Config config = Config.fromKubeconfig(kubeconfig);
        config.setNamespace("default");
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static ConfigMap map(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addToData("k", value)
                .build();
    }

    private static CustomResourceDefinition definition() {
        JSONSchemaProps schema = new JSONSchemaProps();
        schema.setType("object");
        return new CustomResourceDefinitionBuilder()
                .withNewMetadata()
                .withName("things.test.io")
                .endMetadata()
                .withNewSpec()
                .withGroup("test.io")
                .withScope("Namespaced")
                .withNewNames()
                .withKind("Thing")
                .withPlural("things")
                .endNames()
                .addNewVersion()
                .withName("v1")
                .withServed(true)
                .withStorage(true)
                .withNewSchema()
                .withOpenAPIV3Schema(schema)
                .endSchema()
                .endVersion()
                .endSpec()
                .build();
    }

    private static GenericKubernetesResource thing() {
        return new GenericKubernetesResourceBuilder()
                .withApiVersion("test.io/v1")
                .withKind("Thing")
                .withNewMetadata()
                .withName("t")
                .endMetadata()
                .build();
    }

    private static Pod pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withImage("i")
                .endContainer()
                .endSpec()
                .build();
    }

    private static boolean running(@Nullable Pod pod) {
        return pod != null && "Running".equals(pod.getStatus().getPhase());
    }

    /** What a process leaves behind that is killed now. */
    private static Path copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
        return to;
    }

    @Test
    void goes_on_where_it_was_killed() throws Exception {
        Path data = folder.resolve("data");
        Sandbox first = started(data);
        ConfigMap made;
        ConfigMap changed;
        Pod pod;
        String accountToken;
        Path killed;
        try (KubernetesClient client = client(first.kubeconfig())) {
            made = client.resource(map("a", "1")).create();
            changed = client.resource(map("a", "2")).update();
            client.resource(map("gone", "1")).create();
            client.resource(map("gone", "1")).delete();
            client.resource(definition()).create();
            client.resource(definition())
                    .waitUntilCondition(
                            crd -> crd != null
                                    && crd.getStatus() != null
                                    && crd.getStatus().getConditions().stream()
                                            .anyMatch(condition ->
                                                    condition.getType().equals("Established")),
                            20,
                            TimeUnit.SECONDS);
            client.resource(thing()).create();
            client.resource(pod()).create();
            pod = client.pods().withName("p").waitUntilCondition(RestartTest::running, 60, TimeUnit.SECONDS);
            accountToken = client.serviceAccounts()
                    .withName("default")
                    .tokenRequest()
                    .getStatus()
                    .getToken();
            killed = copy(data, folder.resolve("killed"));
        }
        first.close();

        Sandbox second = started(killed);
        assertThat(second.token()).isEqualTo(first.token());
        assertThat(second.certificateAuthority()).isEqualTo(first.certificateAuthority());
        String kubeconfig = first.kubeconfig().replace(first.url(), second.url());
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        try (KubernetesClient client = client(kubeconfig)) {
            assertThat(client.configMaps().withName("a").get()).isEqualTo(changed);
            assertThat(client.configMaps().withName("gone").get()).isNull();
            assertThat(client.resource(thing()).get()).isNotNull();
            Pod again = client.pods().withName("p").get();
            assertThat(again).isEqualTo(pod);
            ConfigMap third = client.resource(map("a", "3")).update();
            assertThat(revision(third)).isGreaterThan(revision(changed));
            assertThat(third.getMetadata().getUid())
                    .isEqualTo(made.getMetadata().getUid());
            client.configMaps()
                    .watch(
                            new ListOptionsBuilder()
                                    .withFieldSelector("metadata.name=a")
                                    .withResourceVersion(made.getMetadata().getResourceVersion())
                                    .build(),
                            recording(events));
            assertThat(events.poll(60, TimeUnit.SECONDS)).isEqualTo("MODIFIED 2");
            assertThat(events.poll(60, TimeUnit.SECONDS)).isEqualTo("MODIFIED 3");
        }
        try (KubernetesClient account = client(kubeconfig.replace(first.token(), accountToken))) {
            assertThat(account.getApiGroup("apps")).isNotNull();
        }
        second.close();
        started(data).close();
    }

    private static long revision(ConfigMap map) {
        return Long.parseLong(map.getMetadata().getResourceVersion());
    }

    private static Watcher<ConfigMap> recording(BlockingQueue<String> events) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, ConfigMap map) {
                events.add(action + " " + map.getData().get("k"));
            }

            @Override
            public void onClose(WatcherException cause) {}
        };
    }
}
