package io.busbar.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.common.ResourceType;
import io.busbar.manifests.crd.Converted;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestTreeTest {

    private static final About ABOUT = new About(
            "1.2.0",
            "Shop",
            "Sells crates.",
            "Sells *crates*.",
            "Acme",
            Optional.of(URI.create("https://shop.example.com")),
            List.of("shop"));

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final ManifestTree tree = ManifestTree.of(operator("registry.example.com:5000/shop:1.2"));

    @TempDir
    private Path root;

    @Test
    void finds_no_difference_in_what_it_has_written() throws IOException {
        tree.writeTo(root);
        tree.writeTo(root);

        assertThat(tree.differencesIn(root)).isEmpty();
    }

    @Test
    void finds_everything_missing_where_there_is_nothing() throws IOException {
        assertThat(tree.differencesIn(root.resolve("absent")))
                .hasSameSizeAs(tree.files().keySet())
                .allSatisfy(difference -> assertThat(difference.kind()).isEqualTo(Difference.Kind.MISSING));
    }

    @Test
    void tells_file_by_file_what_differs() throws IOException {
        tree.writeTo(root);
        Files.delete(root.resolve("config/rbac/role.yaml"));
        Files.writeString(root.resolve("config/rbac/stale.yaml"), "");
        Path service = root.resolve("config/webhook/service.yaml");
        Files.writeString(service, Files.readString(service).replace("kind: Service", "kind: Servant"));
        Path patch = root.resolve("config/default/manager_webhook_patch.yaml");
        Files.writeString(patch, Files.readString(patch) + "more: true\n");

        assertThat(tree.differencesIn(root))
                .extracting(Difference::toString)
                .containsExactly(
                        "config/default/manager_webhook_patch.yaml: changed, line 19 is 'more: true', should be the end",
                        "config/rbac/role.yaml: missing",
                        "config/rbac/stale.yaml: unexpected",
                        "config/webhook/service.yaml: changed, line 2 is 'kind: Servant', should be 'kind: Service'");
    }

    @Test
    void leaves_files_alone_that_are_not_its_own() throws IOException {
        Path foreign = Files.createDirectories(root.resolve("rbac")).resolve("own.yaml");
        Files.writeString(foreign, "mine");
        tree.writeTo(root);

        assertThat(foreign).hasContent("mine");
    }

    @Test
    void refers_only_to_files_that_it_has() {
        List<String> references = new ArrayList<>();
        tree.files().forEach((file, text) -> {
            if (file.toLowerCase(Locale.ROOT).contains("/kustomization")) {
                JsonNode kustomization = serialization.unmarshal(text, JsonNode.class);
                Path folder = Path.of(file).resolveSibling(".");
                kustomization.path("resources").forEach(path -> references.add(resolved(folder, path.textValue())));
                kustomization
                        .path("configurations")
                        .forEach(path -> references.add(resolved(folder, path.textValue())));
                kustomization
                        .path("patches")
                        .forEach(patch -> references.add(
                                resolved(folder, patch.path("path").textValue())));
            }
        });

        assertThat(references).hasSizeGreaterThan(20).isSubsetOf(tree.files().keySet());
    }

    @Test
    void writes_every_template() throws IOException {
        Path templates = Path.of("src/main/resources/io/busbar/manifests/tree");
        try (Stream<Path> files = Files.walk(templates)) {
            List<String> names = files.filter(Files::isRegularFile)
                    .map(file -> "config/" + templates.relativize(file))
                    .toList();
            assertThat(names).isNotEmpty().isSubsetOf(tree.files().keySet());
        }
    }

    @Test
    void names_everything_after_the_operator() {
        assertThat(tree.files().get("config/default/kustomization.yaml"))
                .contains("namespace: shop-system\n", "namePrefix: shop-\n");
        assertThat(tree.files().get("config/manager/kustomization.yaml"))
                .contains("newName: registry.example.com:5000/shop\n", "newTag: \"1.2\"\n");
        assertThat(tree.files())
                .allSatisfy((file, text) ->
                        assertThat(text.replace("${datasource}", "")).as(file).doesNotContain("${"));
    }

    @Test
    void tells_olm_which_version_it_replaces_if_one_was_released() {
        About next = ABOUT.with(Catalog.empty().replacing("1.1.3"));
        ManifestTree released =
                ManifestTree.of(new OperatorDeclaration("shop", "registry.example.com/shop:1.2", next, List.of()));

        assertThat(released.files().get("bundle/manifests/shop.clusterserviceversion.yaml"))
                .contains("\n  replaces: shop.v1.1.3\n", "olm.skipRange: \"<1.2.0\"\n");
        assertThatThrownBy(() -> Catalog.empty().replacing("v1.1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the version that is replaced: v1.1, allowed: MAJOR.MINOR.PATCH[-PRERELEASE]");
    }

    @Test
    void has_the_declared_types_permissions_webhooks_and_samples() {
        assertThat(tree.files())
                .containsKeys(
                        "config/crd/bases/shop.example.com_crates.yaml",
                        "config/rbac/crate_admin_role.yaml",
                        "config/rbac/crate_editor_role.yaml",
                        "config/rbac/crate_viewer_role.yaml")
                .containsEntry("config/samples/shop_v1_crate.yaml", "# a crate\n");
        assertThat(tree.files().get("config/rbac/role.yaml")).contains("- pods\n", "- configmaps\n");
        assertThat(tree.files().get("config/webhook/manifests.yaml"))
                .contains("/mutate-v1-pod", "name: mpod.example.com");
        assertThat(tree.files().get("config/self-signed/certificates_role.yaml"))
                .contains("- shop-mutating-webhook-configuration");
    }

    @Test
    void serves_versions_that_are_converted_only_where_there_is_a_webhook_for_it() {
        OperatorPart crates = new OperatorPart(
                "crates", List.of(Crate.class, OldCrate.class), List.of(), List.of(), List.of(), List.of());
        Map<String, String> files = ManifestTree.of(new OperatorDeclaration("shop", "shop:1", ABOUT, List.of(crates)))
                .files();

        assertThat(files.get("config/crd/bases/shop.example.com_crates.yaml"))
                .contains("served: false", "name: shop-webhook-service", "namespace: shop-system", "path: /convert");
        assertThat(files.get("config/crd/patches/webhook_in_shop.example.com_crates.yaml"))
                .contains("/served", "value: true");
        assertThat(files.get("config/crd/kustomization.yaml"))
                .contains("- path: patches/webhook_in_shop.example.com_crates.yaml");
        assertThat(files.get("dist/install.yaml"))
                .contains("cert-manager.io/inject-ca-from: shop-system/shop-serving-cert", "strategy: Webhook")
                .doesNotContain("served: false");
        assertThat(files.get("dist/install-self-signed.yaml"))
                .contains("strategy: Webhook", "- customresourcedefinitions", "- crates.shop.example.com")
                .doesNotContain("served: false");
        assertThat(tree.files().keySet()).noneMatch(file -> file.contains("patches"));
        assertThat(tree.files().get("config/self-signed/certificates_role.yaml"))
                .doesNotContain("customresourcedefinitions");
    }

    @Test
    void refuses_names_and_images_that_would_not_install() {
        assertThatThrownBy(() -> new OperatorDeclaration("Shop", "shop:1", ABOUT, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Shop");
        assertThatThrownBy(() -> operator("shop"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("NAME:TAG");
    }

    @Test
    void has_components_where_there_is_something_to_choose() {
        OperatorPart crates = new OperatorPart("crates", List.of(), List.of(), List.of(), List.of(), List.of());
        Map<String, String> files = ManifestTree.of(new OperatorDeclaration("shop", "shop:1", ABOUT, List.of(crates)))
                .files();

        assertThat(files.keySet())
                .filteredOn(file -> file.matches("config/(base|components)/.*"))
                .containsExactly(
                        "config/components/shard/kustomization.yaml",
                        "config/components/shard/manager_shard_patch.yaml",
                        "config/components/shard/role_shard_patch.yaml",
                        "config/components/webhook-client-ca/kustomization.yaml",
                        "config/components/webhook-client-ca/manager_client_ca_patch.yaml");
        assertThat(tree.files())
                .containsKeys("config/base/kustomization.yaml", "config/components/carts/kustomization.yaml");
        assertThat(tree.files().get("config/components/crates/deployment_patch.yaml"))
                .contains("--operators=crates");
    }

    @Test
    void refuses_parts_that_users_could_not_choose() {
        OperatorPart crates = new OperatorPart("crates", List.of(), List.of(), List.of(), List.of(), List.of());

        assertThatThrownBy(() -> new OperatorPart("Crates", List.of(), List.of(), List.of(), List.of(), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Crates");
        assertThatThrownBy(() -> new OperatorDeclaration("shop", "shop:1", ABOUT, List.of(crates, crates)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two parts of the name crates");
    }

    /** A path in a kustomization, from the tree's root; a folder stands for its kustomization. */
    private static String resolved(Path folder, String reference) {
        String path = folder.resolve(reference).normalize().toString();
        return path.endsWith(".yaml") ? path : path + "/kustomization.yaml";
    }

    private static OperatorDeclaration operator(String image) {
        return new OperatorDeclaration(
                "shop",
                image,
                ABOUT,
                List.of(
                        new OperatorPart("carts", List.of(), List.of(), List.of(), List.of(), List.of()),
                        new OperatorPart(
                                "crates",
                                List.of(Crate.class),
                                List.of(Permission.toWatch(Pod.class)),
                                List.of(Permission.of("", List.of("configmaps"), "get")),
                                List.of(
                                        WebhookManifest.mutating(
                                                "mpod.example.com", ResourceType.of(Pod.class), Operation.CREATE),
                                        WebhookManifest.validating(
                                                "vcrate.example.com", ResourceType.of(Crate.class), Operation.UPDATE)),
                                List.of(new Sample("shop_v1_crate.yaml", "# a crate\n")))));
    }

    @Group("shop.example.com")
    @Version("v1")
    private static final class Crate extends CustomResource<CrateSpec, Void> {
        private static final long serialVersionUID = 1L;
    }

    @Group("shop.example.com")
    @Version(value = "v1alpha1", storage = false)
    @Kind("Crate")
    @Plural("crates")
    @Converted
    private static final class OldCrate extends CustomResource<CrateSpec, Void> {
        private static final long serialVersionUID = 1L;
    }

    record CrateSpec(int bottles) {}
}
