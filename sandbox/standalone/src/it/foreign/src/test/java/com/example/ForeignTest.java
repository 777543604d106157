package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.clock.ManualClock;
import io.busbar.sandbox.faults.Faults;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.Vertx;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A stranger's test, with the client that fabric8 chooses by itself. */
@KubernetesSandbox(rbac = true, manualClock = true)
class ForeignTest {

    private static final List<String> LIBRARIES = List.of("vertx-core-5", "netty-codec-http2-4.2", "guava", "protobuf", "cel");

    private static final String POLICY = """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: few}
            spec:
              matchConstraints:
                resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
              validations: [{expression: "object.metadata.name.matches('^[a-y]+$')", message: no z}]
            ---
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: few}
            spec: {policyName: few, validationActions: [Deny]}
            """;

    @Test
    void the_class_path_has_vertx_4_and_no_library_of_the_sandbox() {
        String version = Vertx.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        assertTrue(version.contains("vertx-core-4"), version);
        List<String> brought = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).getFileName().toString())
                .filter(name -> LIBRARIES.stream().anyMatch(name::startsWith))
                .toList();
        assertEquals(List.of(), brought);
    }

    @Test
    void the_default_client_creates_lists_and_watches() throws Exception {
        try (Sandbox sandbox = Sandbox.start(SandboxOptions.defaults().withNodes(1));
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(sandbox.kubeconfig()))
                        .build()) {
            assertEquals("VertxHttpClient", client.getHttpClient().getClass().getSimpleName());
            CompletableFuture<String> seen = new CompletableFuture<>();
            client.configMaps().inNamespace("default").inform(new Added(seen));
            client.resource(map("abc")).create();
            assertEquals("abc", seen.get(60, TimeUnit.SECONDS));
            assertFalse(client.configMaps().inNamespace("default").list().getItems().isEmpty());
            assertTrue(sandbox.report().contains("POST /api/v1/namespaces/default/configmaps 201"), sandbox.report());
        }
    }

    @Test
    void faults_the_clock_and_policies_work(KubernetesClient client, Faults faults, ManualClock clock) throws Exception {
        client.load(new java.io.ByteArrayInputStream(POLICY.getBytes(java.nio.charset.StandardCharsets.UTF_8))).create();
        assertThrows(KubernetesClientException.class, () -> client.resource(map("zzz")).create());
        client.resource(map("yes")).create();
        faults.dropWatches().get(60, TimeUnit.SECONDS);
        clock.advance(Duration.ofHours(1)).get(60, TimeUnit.SECONDS);
    }

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .build();
    }

    private record Added(CompletableFuture<String> seen)
            implements io.fabric8.kubernetes.client.informers.ResourceEventHandler<ConfigMap> {
        @Override
        public void onAdd(ConfigMap added) {
            if (added.getMetadata().getName().equals("abc")) {
                seen.complete(added.getMetadata().getName());
            }
        }

        @Override
        public void onUpdate(ConfigMap before, ConfigMap after) {}

        @Override
        public void onDelete(ConfigMap deleted, boolean unknown) {}
    }
}
