package io.busbar.maven.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@KubernetesSandbox
class ClusterFilesTest {

    private static final String CONFIG_MAP = """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: one
              namespace: shop-system
            data:
              said: %s
            """;
    private static final String NAMESPACE = """
            apiVersion: v1
            kind: Namespace
            metadata:
              name: shop-system
            """;

    @TempDir
    private Path folder;

    private final List<String> told = new ArrayList<>();
    private ClusterFiles cluster;
    private KubernetesClient client;

    @BeforeEach
    void connect(KubernetesClient sandbox) {
        client = sandbox;
        cluster = new ClusterFiles(sandbox, told::add);
    }

    @Test
    void applies_namespaces_first_and_takes_them_away_last() throws IOException {
        Files.writeString(folder.resolve("a.yaml"), CONFIG_MAP.formatted("hello") + "---\n" + NAMESPACE);
        Files.writeString(folder.resolve("b.txt"), "no object");

        List<HasMetadata> objects = cluster.read(folder);
        cluster.apply(objects);

        assertThat(told).containsExactly("applied Namespace shop-system", "applied ConfigMap shop-system/one");
        assertThat(said()).isEqualTo("hello");

        told.clear();
        cluster.delete(objects);
        assertThat(told).containsExactly("deleted ConfigMap shop-system/one", "deleted Namespace shop-system");
        assertThat(client.configMaps()
                        .inNamespace("shop-system")
                        .withName("one")
                        .get())
                .isNull();
    }

    @Test
    void applies_again_over_what_is_there_and_deletes_what_is_not_there() throws IOException {
        Path file = folder.resolve("a.yaml");
        Files.writeString(
                file,
                NAMESPACE.replace("shop-system", "again") + "---\n"
                        + CONFIG_MAP.replace("shop-system", "again").formatted("hello"));
        cluster.apply(cluster.read(file));
        client.configMaps().inNamespace("again").withName("one").edit(object -> {
            object.getData().put("said", "by hand");
            return object;
        });

        cluster.apply(cluster.read(file));
        assertThat(client.configMaps()
                        .inNamespace("again")
                        .withName("one")
                        .get()
                        .getData())
                .containsEntry("said", "hello");

        told.clear();
        List<HasMetadata> configMap = cluster.read(file).subList(1, 2);
        cluster.delete(configMap);
        cluster.delete(configMap);
        assertThat(told).containsExactly("deleted ConfigMap again/one", "not there: ConfigMap again/one");
    }

    @Test
    void goes_on_after_what_is_refused_and_tells_of_all_of_it() throws IOException {
        Path file = folder.resolve("a.yaml");
        String unknown = NAMESPACE.replace("v1", "nowhere.example.com/v1").replace("Namespace", "Nothing");
        String nowhere = CONFIG_MAP.formatted("hello").replace("shop-system", "no-such-namespace");
        Files.writeString(file, String.join("---\n", unknown, nowhere, NAMESPACE.replace("shop-system", "there")));

        assertThat(cluster.apply(cluster.read(file)))
                .containsExactlyInAnyOrder(
                        "Nothing shop-system, nowhere.example.com/v1: the cluster has no such kind",
                        "ConfigMap no-such-namespace/one, v1: namespaces \"no-such-namespace\" not found");
        assertThat(told).containsExactly("applied Namespace there");
    }

    @Test
    void takes_kinds_away_first_and_webhooks_after_the_roles_of_who_registers_them() throws IOException {
        String kinds = """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata:
                  name: crates.shop.example.com
                spec:
                  group: shop.example.com
                  scope: Namespaced
                  names: {kind: Crate, plural: crates}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object}}
                """;
        String webhooks = """
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingWebhookConfiguration
                metadata:
                  name: shop
                """;
        String role = """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata:
                  name: shop
                """;
        Path file = folder.resolve("a.yaml");
        Files.writeString(file, String.join("---\n", webhooks, role, NAMESPACE.replace("shop-system", "order"), kinds));
        List<HasMetadata> objects = cluster.read(file);
        assertThat(cluster.apply(objects)).isEmpty();

        told.clear();
        assertThat(cluster.delete(objects)).isEmpty();
        assertThat(told)
                .containsExactly(
                        "deleted CustomResourceDefinition crates.shop.example.com",
                        "deleted ClusterRole shop",
                        "deleted ValidatingWebhookConfiguration shop",
                        "deleted Namespace order");
    }

    private String said() {
        ConfigMap object =
                client.configMaps().inNamespace("shop-system").withName("one").get();
        return object.getData().get("said");
    }
}
