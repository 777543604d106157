package io.busbar.blueprint.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.definition.Permissions;
import io.busbar.manifests.yaml.Yaml;
import io.busbar.runtime.bundle.OperatorDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the manifests of an operator of Blueprints allow. */
class BlueprintPartTest {

    private static final String WEB = Blueprints.file("web-application.yaml");

    private static List<JsonNode> installed(CheckedBlueprint blueprint) {
        OperatorDefinition operator = BlueprintOperator.of("shop", "0.1.0", List.of(blueprint), Optional.empty());
        return List.copyOf(Yaml.readAll(operator.manifests().files().get("dist/install.yaml")));
    }

    private static JsonNode named(List<JsonNode> objects, String kind, String name) {
        return objects.stream()
                .filter(object -> object.path("kind").asText().equals(kind)
                        && object.at("/metadata/name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Verbs by group and resource. */
    private static Map<String, Set<String>> rights(JsonNode role) {
        Map<String, Set<String>> rights = new TreeMap<>();
        for (JsonNode rule : role.path("rules")) {
            for (JsonNode resource : rule.path("resources")) {
                Set<String> verbs = rights.computeIfAbsent(
                        rule.at("/apiGroups/0").asText() + "/" + resource.asText(), first -> new TreeSet<>());
                rule.path("verbs").forEach(verb -> verbs.add(verb.asText()));
            }
        }
        return rights;
    }

    @Test
    void has_the_rights_that_its_role_has_where_it_names_no_account() {
        CheckedBlueprint blueprint = Blueprints.checked(WEB.replace("serviceAccountName", "#"));

        List<JsonNode> objects = installed(blueprint);

        assertThat(rights(named(objects, "ClusterRole", "shop-manager-role")))
                .isEqualTo(rights(Permissions.of(blueprint).role()));
        assertThat(objects.toString()).doesNotContain("impersonate");
    }

    @Test
    void may_impersonate_its_account_alone_which_has_those_rights() {
        CheckedBlueprint blueprint = Blueprints.checked(WEB);

        List<JsonNode> objects = installed(blueprint);

        assertThat(rights(named(objects, "ClusterRole", "shop-manager-role"))).isEmpty();
        assertThat(named(objects, "Role", "shop-manager-role").path("rules"))
                .singleElement()
                .satisfies(rule -> {
                    assertThat(rule.path("resourceNames")).hasToString("[\"web-applications\"]");
                    assertThat(rule.path("verbs")).hasToString("[\"impersonate\"]");
                });
        assertThat(named(objects, "ServiceAccount", "web-applications").at("/metadata/namespace"))
                .hasToString("\"shop-system\"");
        assertThat(rights(named(objects, "ClusterRole", "shop-account-web-applications-role")))
                .isEqualTo(rights(Permissions.of(blueprint).role()));
        assertThat(named(objects, "ClusterRoleBinding", "shop-account-web-applications-rolebinding")
                        .at("/subjects/0/name"))
                .hasToString("\"web-applications\"");
    }

    @Test
    void names_its_account_as_it_is_in_each_form_of_the_manifests() {
        OperatorDefinition operator =
                BlueprintOperator.of("shop", "0.1.0", List.of(Blueprints.checked(WEB)), Optional.empty());

        Map<String, String> files = operator.manifests().files();

        assertThat(files.get("config/accounts/kustomization.yaml")).contains("- web-applications.yaml");
        assertThat(files.get("config/accounts/web-applications.yaml"))
                .contains("name: web-applications\n  namespace: shop-system");
        assertThat(files.get("chart/templates/accounts/web-applications.yaml"))
                .contains(
                        "name: web-applications",
                        "namespace: {{ .Release.Namespace }}",
                        "$.Values.operators",
                        "include \"shop.labels\"");
        assertThat(files.get("bundle/manifests/shop.clusterserviceversion.yaml"))
                .contains("serviceAccountName: web-applications");
    }
}
