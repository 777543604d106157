package io.busbar.blueprint.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Blueprints;
import org.junit.jupiter.api.Test;

class PermissionsTest {

    private static final String WRITE = "\"verbs\":[\"get\",\"list\",\"watch\",\"create\",\"patch\",\"delete\"]";
    private static final String READ = "\"verbs\":[\"get\",\"list\",\"watch\"]";

    @Test
    void are_those_to_write_what_is_made_and_to_read_what_is_external() {
        Permissions permissions = Permissions.of(Blueprints.checked(Blueprints.file("shared-config.yaml")));

        assertThat(permissions.role().path("rules"))
                .hasToString("[{\"apiGroups\":[\"\"],\"resources\":[\"configmaps\",\"secrets\"]," + READ
                        + "},{\"apiGroups\":[\"batch\"],\"resources\":[\"jobs\"]," + WRITE + "}]");
        assertThat(permissions.notes()).isEmpty();
    }

    @Test
    void are_those_of_a_role_where_all_is_in_the_namespace_of_the_instance() {
        assertThat(Permissions.of(Blueprints.checked(Blueprints.file("web-application.yaml")))
                        .role())
                .hasToString("{\"apiVersion\":\"rbac.authorization.k8s.io/v1\",\"kind\":\"Role\","
                        + "\"metadata\":{\"name\":\"blueprint-web-application\"},\"rules\":["
                        + "{\"apiGroups\":[\"\"],\"resources\":[\"services\"]," + WRITE
                        + "},{\"apiGroups\":[\"apps\"],\"resources\":[\"deployments\"]," + WRITE
                        + "},{\"apiGroups\":[\"networking.k8s.io\"],\"resources\":[\"ingresses\"]," + WRITE + "}]}");
        assertThat(kind("{name: a, namespace: \"${schema.metadata.namespace}\"}", "ConfigMap"))
                .isEqualTo("Role");
        assertThat(kind("{name: a, namespace: other}", "ConfigMap")).isEqualTo("ClusterRole");
        assertThat(kind("{name: a}", "Namespace")).isEqualTo("ClusterRole");
    }

    @Test
    void tell_the_plurals_that_are_guessed() {
        assertThat(Permissions.of(Blueprints.checked(Blueprints.file("databases.yaml")))
                        .notes())
                .containsExactly(
                        "the kind Database of db.example.com/v1 is not known: that its plural is databases is guessed");
    }

    private static String kind(String metadata, String kind) {
        return Permissions.of(Blueprints.checked(Blueprints.with("", """
                        - id: a
                          template: {apiVersion: v1, kind: %s, metadata: %s}
                        """.formatted(kind, metadata))))
                .role()
                .path("kind")
                .asText();
    }
}
