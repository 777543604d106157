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
                .hasToString(
                        "[{\"apiGroups\":[\"\"],\"resources\":[\"configmaps\",\"secrets\"]," + READ
                                + "},{\"apiGroups\":[\"batch\"],\"resources\":[\"jobs\"]," + WRITE
                                + "},{\"apiGroups\":[\"busbar.io\"],\"resources\":[\"echoservices\"],"
                                + "\"verbs\":[\"get\",\"list\",\"watch\",\"patch\"]"
                                + "},{\"apiGroups\":[\"busbar.io\"],\"resources\":[\"echoservices/finalizers\"],\"verbs\":[\"update\"]"
                                + "},{\"apiGroups\":[\"busbar.io\"],\"resources\":[\"echoservices/status\"],\"verbs\":[\"patch\"]"
                                + "},{\"apiGroups\":[\"events.k8s.io\"],\"resources\":[\"events\"],\"verbs\":[\"create\",\"patch\"]}]");
        assertThat(permissions.notes()).isEmpty();
    }

    @Test
    void tell_where_they_have_to_be_bound_for_objects_in_other_namespaces() {
        Permissions permissions = Permissions.of(Blueprints.checked(Blueprints.with("spec: {where: string}\n", """
                        - id: own
                          template:
                            {apiVersion: v1, kind: Secret, metadata: {name: a, namespace: "${schema.metadata.namespace}"}}
                        - id: literal
                          template: {apiVersion: v1, kind: Secret, metadata: {name: a, namespace: shared}}
                        - id: named
                          template: {apiVersion: v1, kind: Secret, metadata: {name: a, namespace: "${schema.spec.where}"}}
                        - id: nowhere
                          template: {apiVersion: v1, kind: Namespace, metadata: {name: a}}
                        """)));

        assertThat(permissions.notes())
                .containsExactly(
                        "'literal' is made in the namespace 'shared': bind this role for all namespaces, or in that one, too",
                        "'named' is made in a namespace that an expression names: bind this role for all namespaces, or in"
                                + " each that it may name",
                        "'nowhere' is made in no namespace: bind this role by a ClusterRoleBinding");
    }

    @Test
    void tell_the_plurals_that_are_guessed() {
        assertThat(Permissions.of(Blueprints.checked(Blueprints.file("databases.yaml")))
                        .notes())
                .containsExactly(
                        "the kind Database of db.example.com/v1 is not known: that its plural is databases is guessed");
    }
}
