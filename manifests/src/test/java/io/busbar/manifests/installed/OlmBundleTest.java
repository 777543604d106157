package io.busbar.manifests.installed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.yaml.Yaml;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * What the Operator Lifecycle Manager's own validation asks of a bundle, and that it installs what the other ways
 * install.
 */
class OlmBundleTest {

    private static final Path MANIFESTS = Path.of("bundle", "manifests");

    private final JsonNode version = CheckedIn.objects("bundle/manifests/busbar.clusterserviceversion.yaml")
            .get(0);
    private final Map<String, ObjectNode> installed = CheckedIn.byKey(CheckedIn.objects("dist/install.yaml"));

    @Test
    void owns_each_version_of_each_definition_that_it_brings() throws IOException {
        List<String> brought = manifests().stream()
                .filter(object -> object.path("kind").asText().equals("CustomResourceDefinition"))
                .flatMap(crd -> stream(crd.at("/spec/versions"))
                        .map(served -> crd.at("/metadata/name").asText() + " "
                                + served.path("name").asText()))
                .toList();

        assertThat(stream(version.at("/spec/customresourcedefinitions/owned"))
                        .map(owned -> owned.path("name").asText() + " "
                                + owned.path("version").asText()))
                .containsExactlyInAnyOrderElementsOf(brought);
    }

    @Test
    void has_an_example_of_each_kind() {
        JsonNode examples =
                Yaml.read(version.at("/metadata/annotations/alm-examples").asText());

        assertThat(stream(examples).map(example -> example.path("kind").asText()))
                .containsAll(stream(version.at("/spec/customresourcedefinitions/owned"))
                        .map(owned -> owned.path("kind").asText())
                        .toList());
    }

    @Test
    void describes_each_field_that_the_schemas_describe_in_the_same_words() throws IOException {
        for (JsonNode owned : version.at("/spec/customresourcedefinitions/owned")) {
            JsonNode schema = schema(owned);
            for (String part : List.of("spec", "status")) {
                Map<String, String> described = new TreeMap<>();
                descriptions("", schema.path(part), described);
                Map<String, String> descriptors = new TreeMap<>();
                owned.path(part + "Descriptors")
                        .forEach(one -> descriptors.put(
                                one.path("path").asText(),
                                one.path("description").asText()));

                assertThat(descriptors)
                        .as("%s of %s", part, owned.path("kind"))
                        .isEqualTo(described)
                        .containsKeys(fieldNames(schema.path(part).path("properties")));
            }
        }
    }

    @Test
    void names_what_belongs_to_each_kind() {
        assertThat(version.at("/spec/customresourcedefinitions/owned"))
                .allSatisfy(owned -> assertThat(owned.path("resources")).isNotEmpty());
        assertThat(version.at("/spec/customresourcedefinitions/owned"))
                .filteredOn(owned -> owned.path("kind").asText().equals("Guestbook"))
                .allSatisfy(owned -> assertThat(owned.path("resources").findValuesAsText("kind"))
                        .containsExactly("Guestbook", "Deployment", "Service", "Pod"));
    }

    @Test
    void shows_an_icon_links_and_who_maintains_it() {
        JsonNode icon = version.at("/spec/icon/0");

        assertThat(icon.path("mediatype").asText()).isEqualTo("image/svg+xml");
        assertThat(new String(Base64.getDecoder().decode(icon.path("base64data").asText()), UTF_8))
                .startsWith("<svg ");
        assertThat(version.at("/spec/maintainers").findValuesAsText("name")).isNotEmpty();
        assertThat(version.at("/spec/links").findValuesAsText("url"))
                .isNotEmpty()
                .allMatch(url -> URI.create(url).isAbsolute());
    }

    @Test
    void is_an_upgrade_of_all_versions_before_and_replaces_none_as_there_was_none() {
        assertThat(version.at("/metadata/annotations/olm.skipRange").asText())
                .isEqualTo("<" + version.at("/spec/version").asText());
        assertThat(version.at("/spec").has("replaces")).isFalse();
    }

    @Test
    void lists_each_image_that_may_run() {
        JsonNode images = version.at("/spec/relatedImages");

        assertThat(images.findValuesAsText("name"))
                .contains("busbar", "mysql", "memcached")
                .doesNotHaveDuplicates();
        assertThat(images.findValuesAsText("image"))
                .contains(
                        version.at("/metadata/annotations/containerImage").asText(),
                        version.at("/spec/install/spec/deployments/0/spec/template/spec/containers/0/image")
                                .asText());
    }

    /** By the paths that descriptors have. */
    private static void descriptions(String path, JsonNode schema, Map<String, String> found) {
        schema.path("properties").properties().forEach(field -> {
            if (field.getValue().has("description")) {
                found.put(
                        path + field.getKey(),
                        field.getValue().path("description").asText());
                descriptions(path + field.getKey() + ".", field.getValue(), found);
                descriptions(path + field.getKey() + "[0].", field.getValue().path("items"), found);
            }
        });
    }

    private static String[] fieldNames(JsonNode properties) {
        return properties.properties().stream().map(Map.Entry::getKey).toArray(String[]::new);
    }

    /** Of a version that is owned. */
    private static JsonNode schema(JsonNode owned) throws IOException {
        JsonNode versions = manifests().stream()
                .filter(object -> object.at("/metadata/name").equals(owned.path("name")))
                .findFirst()
                .orElseThrow()
                .path("spec")
                .path("versions");
        return stream(versions)
                .filter(served -> served.path("name").equals(owned.path("version")))
                .findFirst()
                .orElseThrow()
                .at("/schema/openAPIV3Schema/properties");
    }

    @Test
    void asks_for_the_permissions_of_the_roles() {
        JsonNode install = version.at("/spec/install/spec");

        assertThat(install.at("/clusterPermissions/0/rules"))
                .containsAll(installed.get("ClusterRole /busbar-manager-role").path("rules"));
        assertThat(install.at("/permissions/0/rules"))
                .containsAll(
                        installed.get("Role busbar-system/busbar-manager-role").path("rules"))
                .containsAll(installed
                        .get("Role busbar-system/busbar-leader-election-role")
                        .path("rules"));
        assertThat(install.at("/clusterPermissions/0/serviceAccountName"))
                .isEqualTo(install.at("/deployments/0/spec/template/spec/serviceAccountName"));
    }

    @Test
    void registers_the_same_webhooks_and_keeps_its_own_pods_out_of_them() {
        List<String> paths = installed.values().stream()
                .filter(object -> object.path("kind").asText().endsWith("WebhookConfiguration")
                        || object.at("/spec/conversion").isObject())
                .flatMap(object -> object.findValues("clientConfig").stream())
                .map(client -> client.at("/service/path").asText())
                .toList();
        JsonNode definitions = version.at("/spec/webhookdefinitions");

        assertThat(definitions.findValuesAsText("webhookPath")).containsExactlyInAnyOrderElementsOf(paths);
        assertThat(definitions)
                .filteredOn(webhook -> webhook.at("/rules/0/scope").asText().equals("Namespaced"))
                .isNotEmpty()
                .allSatisfy(
                        webhook -> assertThat(webhook.path("objectSelector").toString())
                                .contains(
                                        "\"key\":\"control-plane\",\"operator\":\"NotIn\",\"values\":[\"controller-manager\"]"));
    }

    @Test
    void runs_the_same_pods_but_for_the_certificate_that_olm_mounts() {
        JsonNode deployment = version.at("/spec/install/spec/deployments/0/spec");

        assertThat(RestrictedProfile.violations(deployment.path("template"))).isEmpty();
        assertThat(deployment.at("/template/spec/containers/0/args").toString()).contains("--webhook-certs=mounted");
        assertThat(deployment.at("/template/spec/volumes").findValuesAsText("secretName"))
                .isEmpty();
    }

    @Test
    void says_the_same_to_registries_in_its_image_and_in_its_metadata() throws IOException {
        String dockerfile = Files.readString(Path.of("bundle", "bundle.Dockerfile"));

        assertThat(CheckedIn.objects("bundle/metadata/annotations.yaml")
                        .get(0)
                        .path("annotations")
                        .properties())
                .hasSizeGreaterThan(5)
                .allSatisfy(label -> assertThat(dockerfile)
                        .contains("LABEL " + label.getKey() + "="
                                + label.getValue().asText() + "\n"));
    }

    private static List<ObjectNode> manifests() throws IOException {
        try (var files = Files.list(MANIFESTS)) {
            return files.sorted()
                    .flatMap(file -> CheckedIn.objects(file.toString()).stream())
                    .toList();
        }
    }

    private static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }
}
