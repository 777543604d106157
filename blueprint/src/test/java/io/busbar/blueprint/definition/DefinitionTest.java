package io.busbar.blueprint.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.check.CheckedBlueprint;
import org.junit.jupiter.api.Test;

class DefinitionTest {

    @Test
    void has_the_schema_the_columns_and_the_status_with_its_types() {
        assertThat(definition(Blueprints.file("web-application.yaml")))
                .isEqualTo(Blueprints.objects(Blueprints.file("web-application-crd.yaml"))
                        .get(0));
    }

    @Test
    void is_named_labelled_and_placed_as_the_blueprint_says() {
        JsonNode definition = definition(Blueprints.with("""
                scope: Cluster
                categories: [all]
                metadata: {labels: {team: a}, annotations: {b: c}}
                """, ""));

        assertThat(definition.path("metadata"))
                .hasToString(
                        "{\"name\":\"tests.busbar.io\",\"labels\":{\"team\":\"a\",\"applyset.kubernetes.io/is-parent-type\":\"true\"},\"annotations\":{\"b\":\"c\"}}");
        assertThat(definition.path("spec").path("scope").asText()).isEqualTo("Cluster");
        assertThat(definition.path("spec").path("names").path("categories")).hasToString("[\"all\"]");
        assertThat(definition.path("spec").path("versions").get(0).path("additionalPrinterColumns"))
                .extracting(column -> column.path("name").asText())
                .containsExactly("State", "Ready", "Age");
    }

    @Test
    void has_the_plural_that_the_blueprint_names() {
        JsonNode definition = definition(Blueprints.with("plural: testes\n", ""));

        assertThat(definition.at("/metadata/name").asText()).isEqualTo("testes.busbar.io");
        assertThat(definition.at("/spec/names/plural").asText()).isEqualTo("testes");
        assertThat(Blueprints.problems(Blueprints.with("plural: Tests\n", "")))
                .singleElement()
                .asString()
                .contains("spec.schema.plural: ")
                .contains("'Tests' is not allowed; allowed: a name of small letters, digits and '-', such as tests");
    }

    @Test
    void a_status_may_be_anything_where_its_type_is_not_known_or_has_no_end() {
        JsonNode status = definition(Blueprints.with("""
                        status:
                          known: ${deployment.status.readyReplicas}
                          times: ${deployment.metadata.creationTimestamp}
                          unknown: ${database.status.endpoint}
                          schema: ${definition.spec.versions[0].schema}
                          mixed: [1, a]
                        """, """
                        - id: deployment
                          template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}
                        - id: database
                          template: {apiVersion: db.example.com/v1, kind: Database, metadata: {name: a}}
                        - id: definition
                          template: {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a}}
                        """))
                .at("/spec/versions/0/schema/openAPIV3Schema/properties/status/properties");

        assertThat(status.path("known")).hasToString("{\"type\":\"integer\"}");
        assertThat(status.path("times")).hasToString("{\"type\":\"string\"}");
        assertThat(status.path("unknown")).hasToString("{\"x-kubernetes-preserve-unknown-fields\":true}");
        assertThat(status.at("/schema/properties/openAPIV3Schema/properties/not"))
                .hasToString("{\"x-kubernetes-preserve-unknown-fields\":true}");
        assertThat(status.at("/mixed/items")).hasToString("{\"x-kubernetes-preserve-unknown-fields\":true}");
    }

    @Test
    void a_state_of_ones_own_stays_what_it_is() {
        CheckedBlueprint own = Blueprints.checked(Blueprints.with("""
                openAPIV3Schema:
                  type: object
                  properties:
                    spec: {type: object}
                    status: {type: object, properties: {state: {type: integer}}}
                """, ""));

        assertThat(own.blueprint().schema().hasOwnState()).isTrue();
        assertThat(Definition.of(own.blueprint().schema(), own.statusSchema())
                        .at("/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/state"))
                .hasToString("{\"type\":\"integer\"}");
    }

    private static JsonNode definition(String blueprint) {
        CheckedBlueprint checked = Blueprints.checked(blueprint);
        return Definition.of(checked.blueprint().schema(), checked.statusSchema());
    }
}
