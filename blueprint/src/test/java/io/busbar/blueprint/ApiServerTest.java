package io.busbar.blueprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.definition.Definition;
import io.busbar.blueprint.definition.Permissions;
import io.busbar.blueprint.render.LiveObjects;
import io.busbar.blueprint.render.Renderer;
import io.busbar.blueprint.render.Rendering.Step;
import io.busbar.blueprint.schema.Instances;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.types.ModelTypes;
import io.busbar.blueprint.types.OpenApiTypes;
import io.busbar.blueprint.types.Shape;
import io.busbar.blueprint.types.Shape.ListOf;
import io.busbar.blueprint.types.Shape.MapOf;
import io.busbar.blueprint.types.Shape.ObjectOf;
import io.busbar.blueprint.types.Shape.Scalar;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An API server takes what is made of Blueprints, and sees instances as they are seen here. */
@KubernetesSandbox
class ApiServerTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<Shape> FORMATTED = Set.of(Scalar.BYTES, Scalar.TIME);

    @ParameterizedTest
    @ValueSource(strings = {"web-application", "shared-config", "worker-pool"})
    void takes_definition_instance_objects_and_role(String name, KubernetesClient client) throws Exception {
        CheckedBlueprint checked = Blueprints.checked(Blueprints.file(name + ".yaml"));
        define(checked, client);
        SourceNode written =
                Blueprints.documents(Blueprints.file(name + "-instance.yaml")).get(0);

        JsonNode stored = create(written.json(), client);
        JsonNode expected = written.json();
        Instances.addDefaults(
                expected.path("spec"), checked.blueprint().schema().spec());
        assertThat(stored.path("spec"))
                .isEqualTo(JSON.readTree(expected.path("spec").toString()));

        Renderer renderer = new Renderer(checked);
        for (String live : new String[] {"", name.equals("worker-pool") ? "" : Blueprints.file(name + "-live.yaml")}) {
            Problems problems = new Problems();
            var rendering = renderer.render(written, new LiveObjects(Blueprints.objects(live)), problems);
            assertThat(problems.list()).isEmpty();
            for (Step step : rendering.steps()) {
                for (ObjectNode object : step.objects()) {
                    create(object, client);
                }
            }
        }
        create(Permissions.of(checked).role(), client);
    }

    @Test
    void holds_instances_to_the_markers_of_their_fields(KubernetesClient client) throws Exception {
        define(Blueprints.checked(Blueprints.file("web-application.yaml")), client);
        ObjectNode instance = (ObjectNode) Blueprints.objects(Blueprints.file("web-application-instance.yaml"))
                .get(0);

        instance.withObjectProperty("metadata").put("name", "limited");
        instance.withObjectProperty("spec").put("replicas", 11);
        assertThatThrownBy(() -> create(instance, client))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.replicas");

        instance.withObjectProperty("spec").put("replicas", 1);
        GenericKubernetesResource made = client.resource(JSON.treeToValue(instance, GenericKubernetesResource.class))
                .inNamespace("default")
                .create();
        made.<java.util.Map<String, Object>>get("spec").put("name", "other");
        assertThatThrownBy(() -> client.resource(made).update()).hasMessageContaining("the field cannot be changed");
    }

    @Test
    void takes_rules_of_fields_and_holds_instances_to_them(KubernetesClient client) throws Exception {
        define(
                Blueprints.checked(Blueprints.with(
                        "spec: {name: string | maxLength=9 validation=\"self.startsWith('a')\", other: object}\n", "")),
                client);
        String instance = "{apiVersion: busbar.io/v1, kind: Test, metadata: {name: test}, spec: {name: %s}}";

        create(Blueprints.objects(instance.formatted("abc")).get(0), client);
        assertThatThrownBy(() ->
                        create(Blueprints.objects(instance.formatted("bcd")).get(0), client))
                .hasMessageContaining("spec.name")
                .hasMessageContaining("validation failed");
    }

    @Test
    void has_the_bytes_and_times_that_are_known_without_it(KubernetesClient client) throws Exception {
        ModelTypes models = new ModelTypes();
        Set<String> formatted = new TreeSet<>();
        Set<String> others = new TreeSet<>();
        for (JsonNode group : JSON.readTree(client.raw("/openapi/v3")).path("paths")) {
            JsonNode document =
                    JSON.readTree(client.raw(group.path("serverRelativeURL").asText()));
            OpenApiTypes published = OpenApiTypes.of(document, Scalar.ANY);
            for (JsonNode schema : document.at("/components/schemas")) {
                for (JsonNode kind : schema.path("x-kubernetes-group-version-kind")) {
                    String of = kind.path("group").asText();
                    String version = (of.isEmpty() ? "" : of + "/")
                            + kind.path("version").asText();
                    String name = kind.path("kind").asText();
                    published
                            .find(version, name)
                            .ifPresent(theirs -> models.find(version, name)
                                    .ifPresent(ours -> compare(
                                            name, theirs.shape(), ours.shape(), new HashSet<>(), formatted, others)));
                }
            }
        }
        assertThat(others).isEmpty();
        assertThat(formatted)
                .contains("Secret.data[] bytes", "ConfigMap.binaryData[] bytes", "Job.status.completionTime a time");
    }

    private static void compare(
            String path, Shape theirs, Shape ours, Set<String> seen, Set<String> formatted, Set<String> others) {
        if (theirs instanceof ObjectOf object && ours instanceof ObjectOf known) {
            if (seen.add(object.name())) {
                object.fields().forEach((field, shape) -> {
                    Shape same = known.fields().get(field);
                    if (same != null) {
                        compare(path + "." + field, shape, same, seen, formatted, others);
                    }
                });
            }
        } else if (theirs instanceof ListOf list && ours instanceof ListOf known) {
            compare(path + "[]", list.items(), known.items(), seen, formatted, others);
        } else if (theirs instanceof MapOf map && ours instanceof MapOf known) {
            compare(path + "[]", map.values(), known.values(), seen, formatted, others);
        } else if (FORMATTED.contains(theirs) || FORMATTED.contains(ours)) {
            (theirs.equals(ours) ? formatted : others).add(path + " " + theirs.words());
        }
    }

    private static void define(CheckedBlueprint checked, KubernetesClient client) throws Exception {
        ObjectNode definition = Definition.of(checked.blueprint().schema(), checked.statusSchema());
        CustomResourceDefinition sent = JSON.treeToValue(definition, CustomResourceDefinition.class);
        client.resource(sent).fieldValidation(Validation.STRICT).serverSideApply();
        client.resource(sent)
                .waitUntilCondition(
                        now -> now != null
                                && now.getStatus() != null
                                && now.getStatus().getConditions().stream()
                                        .anyMatch(
                                                condition -> condition.getType().equals("Established")
                                                        && condition.getStatus().equals("True")),
                        20,
                        TimeUnit.SECONDS);
    }

    private static JsonNode create(JsonNode object, KubernetesClient client) throws Exception {
        GenericKubernetesResource sent = JSON.treeToValue(object, GenericKubernetesResource.class);
        sent.getMetadata().setNamespace("default");
        return JSON.valueToTree(client.resource(sent)
                .dryRun()
                .fieldValidation(Validation.STRICT)
                .create());
    }
}
