package io.busbar.operator.bundled;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.ManifestTree;
import io.busbar.manifests.webhook.WebhookConfigurations;
import io.busbar.manifests.yaml.Yaml;
import io.busbar.operator.sidecarset.SidecarSetBundle;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BundledManifestsTest {

    /** Tests run in their module's folder. */
    private static final Path CHECKED_IN = Path.of("..", "manifests");

    private static final ManifestTree TREE = Bundled.operator().manifests();

    @Test
    void the_tree_is_what_the_generator_writes() throws IOException {
        assertThat(TREE.differencesIn(CHECKED_IN))
                .as("to mend: java -jar operator/target/busbar.jar manifests --output manifests")
                .isEmpty();
    }

    @Test
    void the_samples_are_sidecar_sets_without_unknown_fields_beside_containers() {
        KubernetesSerialization serialization = new KubernetesSerialization();

        assertThat(TREE.files()).hasEntrySatisfying("config/samples/apps_v1beta1_sidecarset.yaml", yaml -> {
            SidecarSet sample = serialization.unmarshal(yaml, SidecarSet.class);
            SidecarSet again = serialization.unmarshal(serialization.asYaml(sample), SidecarSet.class);
            assertThat(sample.getSpec().containers()).isNotEmpty();
            assertThat(sample.getSpec().containers())
                    .allSatisfy(container ->
                            assertThat(container.getAdditionalProperties()).isEmpty());
            assertThat(again.getSpec()).isEqualTo(sample.getSpec());
        });
    }

    @Test
    void an_operator_that_registers_itself_uses_the_names_of_the_tree() {
        WebhookConfigurations own = new WebhookConfigurations(
                Bundled.NAME + "-",
                "busbar-system",
                DeclaredParts.of(new SidecarSetBundle()).webhooks());

        assertThat(own.byUrl("https://127.0.0.1:1", "Q0E="))
                .extracting(object -> object.getMetadata().getName())
                .containsExactlyInAnyOrder(own.mutatingName(), own.validatingName());
        assertThat(TREE.files().get("config/self-signed/certificates_role.yaml"))
                .contains(own.mutatingName())
                .contains(own.validatingName());
    }

    /** With which the end-to-end suite runs each. */
    @Test
    void each_component_of_kustomize_has_the_rules_of_its_bundle() {
        for (Bundle bundle : Bundled.operator().bundles()) {
            OperatorDefinition all = Bundled.operator();
            ManifestTree alone =
                    new OperatorDefinition(all.name(), all.image(), all.about(), List.of(bundle)).manifests();
            List<JsonNode> rules = new ArrayList<>();
            for (String role : List.of("", "watched_", "events_")) {
                String patch =
                        TREE.files().get("config/components/" + bundle.name() + "/" + role + "clusterrole_patch.yaml");
                if (patch != null) {
                    rules.addAll(Yaml.read(patch).findValues("value"));
                }
            }

            assertThat(rules)
                    .as(bundle.name())
                    .hasSameElementsAs(Yaml.readAll(alone.files().get("config/rbac/role.yaml"))
                            .get(0)
                            .path("rules"));
        }
    }

    /** In other namespaces it may not, and of users and groups nobody. */
    @Test
    void the_operator_of_blueprints_impersonates_accounts_of_its_own_namespace_alone() {
        List<ObjectNode> all =
                Yaml.readAll(Bundled.blueprints().manifests().files().get("dist/install.yaml"));
        assertThat(all)
                .filteredOn(object -> object.path("rules").toString().contains("impersonate"))
                .singleElement()
                .satisfies(role -> {
                    assertThat(role.path("kind").asText()).isEqualTo("Role");
                    assertThat(role.at("/metadata/namespace").asText()).isEqualTo("blueprint-operator-system");
                    assertThat(role.at("/rules").toString())
                            .contains(
                                    "{\"apiGroups\":[\"\"],\"resources\":[\"serviceaccounts\"],\"verbs\":[\"impersonate\"]}");
                });
    }

    @Test
    void the_version_is_that_of_the_build() throws IOException {
        Matcher build = Pattern.compile("<artifactId>busbar</artifactId>\\s*<version>([^<-]+)")
                .matcher(Files.readString(Path.of("..", "pom.xml")));

        assertThat(build.find()).isTrue();
        assertThat(TREE.files().get("chart/Chart.yaml")).contains("\nappVersion: " + build.group(1) + "\n");
    }

    @Test
    void each_field_of_its_kinds_is_described() {
        for (CustomResourceDefinition crd : Bundled.operator().crds()) {
            for (CustomResourceDefinitionVersion version : crd.getSpec().getVersions()) {
                String kind = crd.getSpec().getNames().getKind() + " " + version.getName();
                JSONSchemaProps schema = version.getSchema().getOpenAPIV3Schema();
                assertThat(schema.getDescription()).as(kind).endsWith(".").doesNotContain("{@", "<p>");
                for (String part : List.of("spec", "status")) {
                    assertThat(undescribed(schema.getProperties().get(part)))
                            .as(kind + " " + part)
                            .isEmpty();
                }
            }
        }
    }

    /** Where the client's models begin, nothing is described any more. */
    private static List<String> undescribed(JSONSchemaProps schema) {
        List<String> fields = new ArrayList<>();
        schema.getProperties().forEach((name, field) -> {
            if (field.getDescription() == null) {
                fields.add(name);
            }
            Stream.of(field, field.getItems() == null ? field : field.getItems().getSchema())
                    .distinct()
                    .filter(below ->
                            below.getProperties().values().stream().anyMatch(one -> one.getDescription() != null))
                    .filter(below -> !Boolean.TRUE.equals(below.getXKubernetesPreserveUnknownFields()))
                    .flatMap(below -> undescribed(below).stream())
                    .forEach(below -> fields.add(name + "." + below));
        });
        return fields;
    }

    @Test
    void the_definitions_are_those_of_the_bundled_kinds() {
        assertThat(Bundled.operator().crds())
                .extracting(crd -> crd.getMetadata().getName())
                .contains("sidecarsets.apps.kruise.io")
                .doesNotHaveDuplicates();
    }
}
