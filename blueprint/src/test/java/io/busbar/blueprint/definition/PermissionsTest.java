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
                                + "},{\"apiGroups\":[\"busbar.io\"],\"resources\":[\"echoservices\"]," + READ
                                + "},{\"apiGroups\":[\"busbar.io\"],\"resources\":[\"echoservices/finalizers\"],\"verbs\":[\"update\"]"
                                + "},{\"apiGroups\":[\"busbar.io\"],\"resources\":[\"echoservices/status\"],\"verbs\":[\"patch\"]"
                                + "},{\"apiGroups\":[\"events.k8s.io\"],\"resources\":[\"events\"],\"verbs\":[\"create\",\"patch\"]}]");
        assertThat(permissions.notes()).isEmpty();
    }

    @Test
    void tell_the_plurals_that_are_guessed() {
        assertThat(Permissions.of(Blueprints.checked(Blueprints.file("databases.yaml")))
                        .notes())
                .containsExactly(
                        "the kind Database of db.example.com/v1 is not known: that its plural is databases is guessed");
    }
}
