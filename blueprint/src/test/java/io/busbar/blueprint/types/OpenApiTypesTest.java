package io.busbar.blueprint.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.types.Shape.ListOf;
import io.busbar.blueprint.types.Shape.MapOf;
import io.busbar.blueprint.types.Shape.ObjectOf;
import io.busbar.blueprint.types.Shape.Scalar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenApiTypesTest {

    private static final String DOCUMENT = """
            paths:
              /apis/fleet.example.com/v1/ships/{name}: {}
              /apis/fleet.example.com/v1/ships:
                post: {x-kubernetes-group-version-kind: {group: fleet.example.com, version: v1, kind: Ship}}
            components:
              schemas:
                com.example.Ship:
                  type: object
                  x-kubernetes-group-version-kind: [{group: fleet.example.com, version: v1, kind: Ship}]
                  properties:
                    spec: {allOf: [{$ref: "#/components/schemas/com.example.Hull"}], default: {}}
                com.example.Hull:
                  type: object
                  properties:
                    length: {type: number}
                    names: {type: array, items: {type: string}}
                    cargo: {type: object, additionalProperties: {$ref: "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity"}}
                    port: {$ref: "#/components/schemas/io.k8s.apimachinery.pkg.util.intstr.IntOrString"}
                    boats: {type: array, items: {$ref: "#/components/schemas/com.example.Hull"}}
                    any: {}
                    raw: {type: object}
                io.k8s.apimachinery.pkg.api.resource.Quantity: {type: string}
            """;

    @Test
    void know_kinds_with_plural_and_scope_and_types_that_hold_themselves() {
        KindType ship = OpenApiTypes.of(Blueprints.objects(DOCUMENT).get(0), Scalar.ANY)
                .find("fleet.example.com/v1", "Ship")
                .orElseThrow();

        assertThat(ship.plural()).isEqualTo("ships");
        assertThat(ship.namespaced()).isFalse();
        ObjectOf hull = (ObjectOf) ((ObjectOf) ship.shape()).fields().get("spec");
        assertThat(hull.fields())
                .containsEntry("length", Scalar.NUMBER)
                .containsEntry("names", new ListOf(Scalar.TEXT))
                .containsEntry("cargo", new MapOf(Scalar.QUANTITY))
                .containsEntry("port", Scalar.INTEGER_OR_TEXT)
                .containsEntry("boats", new ListOf(hull))
                .containsEntry("any", Scalar.ANY)
                .containsEntry("raw", Scalar.ANY);
    }

    @Test
    void are_read_from_a_folder_and_a_file_that_is_none_is_named(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("a.yaml"), DOCUMENT);
        Files.writeString(folder.resolve("b.yml"), Blueprints.file("database-crd.yaml"));
        Files.writeString(folder.resolve("c.txt"), "{");

        OpenApiTypes types = OpenApiTypes.read(folder, Scalar.ANY);
        assertThat(types.find("fleet.example.com/v1", "Ship")).isPresent();
        assertThat(types.find("db.example.com/v1", "Database")).isPresent();
        assertThat(types.find("db.example.com/v2", "Database")).isEmpty();

        Files.writeString(folder.resolve("d.json"), "{");
        assertThatThrownBy(() -> OpenApiTypes.read(folder, Scalar.ANY)).hasMessageContaining("d.json: line 1");
    }

    @Test
    void are_those_of_the_models_for_what_is_built_in() {
        ModelTypes models = new ModelTypes();

        KindType deployment = models.find("apps/v1", "Deployment").orElseThrow();
        assertThat(deployment.plural()).isEqualTo("deployments");
        assertThat(deployment.namespaced()).isTrue();
        ObjectOf spec = (ObjectOf) ((ObjectOf) deployment.shape()).fields().get("spec");
        assertThat(spec.fields())
                .containsEntry("replicas", Scalar.INTEGER)
                .containsEntry("paused", Scalar.BOOLEAN)
                .doesNotContainKey("additionalProperties");
        assertThat(models.find("rbac.authorization.k8s.io/v1", "ClusterRole")
                        .orElseThrow()
                        .namespaced())
                .isFalse();
        assertThat(models.find("v1", "PodList")).isEmpty();
        assertThat(models.find("v1", "Nothing")).isEmpty();
    }
}
