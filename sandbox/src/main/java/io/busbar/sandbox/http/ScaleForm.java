package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes.ObjectKind;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.table.JsonPath;
import io.busbar.sandbox.verbs.View;
import java.util.List;
import java.util.Set;

/**
 * The {@code autoscaling/v1} Scale of an object, read from it and written to it.
 *
 * <p>Any thread. Custom resources say where their replicas are; built-in kinds have them in {@code spec.replicas}.
 */
final class ScaleForm {

    private static final ObjectKind SCALE = new ObjectKind("autoscaling", "v1", "Scale");
    private static final String SPEC_REPLICAS = ".spec.replicas";

    private ScaleForm() {}

    static View view(Resource resource) {
        return new View() {
            @Override
            public ObjectKind kind() {
                return SCALE;
            }

            @Override
            public ObjectNode of(ObjectNode object) {
                return ScaleForm.of(resource, object);
            }

            @Override
            public ObjectNode put(ObjectNode object, ObjectNode scale) {
                return apply(resource, object, scale);
            }
        };
    }

    /** Some kinds name the subresource as what is missing. */
    static Throwable notFound(Target target, Throwable failure) {
        GroupResource kind = target.resource().storage();
        boolean named = failure instanceof StatusException missing
                && missing.code() == 404
                && Set.of("deployments", "replicasets", "replicationcontrollers")
                        .contains(kind.plural())
                && target.resource().custom() == null;
        return named
                ? StatusException.notFound(
                        new GroupResource(kind.group().isEmpty() ? "autoscaling" : "apps", kind.plural() + "/scale"),
                        target.name())
                : failure;
    }

    /** @throws StatusException 500 when a custom resource has no replicas, as the real server answers */
    static ObjectNode of(Resource resource, ObjectNode object) {
        List<JsonNode> replicas = JsonPath.parse(specPath(resource)).find(object);
        if (replicas.isEmpty() && resource.custom() != null) {
            throw StatusException.internal("the spec replicas field \"" + specPath(resource) + "\" does not exist");
        }
        JsonNode metadata = object.path("metadata");
        ObjectNode scale = JsonNodeFactory.instance.objectNode();
        scale.put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode identity = scale.putObject("metadata");
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            if (metadata.has(field)) {
                identity.set(field, metadata.get(field));
            }
        }
        ObjectNode spec = scale.putObject("spec");
        long wanted = replicas.isEmpty() ? 1 : replicas.get(0).asLong();
        if (wanted != 0) {
            spec.put("replicas", wanted);
        }
        ObjectNode status = scale.putObject("status")
                .put("replicas", first(object, statusPath(resource)).asLong());
        String selector = selector(resource, object);
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        return scale;
    }

    /** @throws StatusException 422 for a scale that does not tell its namespace; that of a custom resource need not */
    static void checkNamespace(Resource resource, JsonNode scale) {
        JsonNode metadata = scale.path("metadata");
        if (resource.custom() == null && metadata.path("namespace").asText("").isEmpty()) {
            throw StatusException.invalid(
                    "autoscaling",
                    "Scale",
                    metadata.path("name").asText(),
                    List.of(FieldCause.required("metadata.namespace", "")));
        }
    }

    /**
     * @param object not shared; gets the scale's replicas, and its resourceVersion when it names one
     * @throws StatusException 422 for less than none, which a custom resource refuses itself
     */
    private static ObjectNode apply(Resource resource, ObjectNode object, JsonNode scale) {
        JsonNode wanted = scale.path("spec").path("replicas");
        if (wanted.asLong() < 0 && resource.custom() == null) {
            throw StatusException.invalid(
                    "autoscaling",
                    "Scale",
                    object.path("metadata").path("name").asText(),
                    List.of(FieldCause.invalid(
                            "spec.replicas", wanted.asText(), "must be greater than or equal to 0")));
        }
        List<String> steps = List.of(specPath(resource).substring(1).split("\\.", -1));
        ObjectNode parent = object;
        for (String step : steps.subList(0, steps.size() - 1)) {
            parent = parent.get(step) instanceof ObjectNode child ? child : parent.putObject(step);
        }
        String field = steps.get(steps.size() - 1);
        if (!parent.has(field) || parent.get(field).asLong() != wanted.asLong()) {
            parent.put(field, wanted.asLong());
        }
        String version = scale.path("metadata").path("resourceVersion").asText("");
        if (!version.isEmpty()) {
            object.withObject("/metadata").put("resourceVersion", version);
        }
        return object;
    }

    static String specPath(Resource resource) {
        JsonNode paths = paths(resource);
        return paths.path("specReplicasPath").asText(SPEC_REPLICAS);
    }

    private static String statusPath(Resource resource) {
        return paths(resource).path("statusReplicasPath").asText(".status.replicas");
    }

    private static JsonNode paths(Resource resource) {
        return resource.custom() == null || resource.custom().scale() == null
                ? JsonNodeFactory.instance.objectNode()
                : resource.custom().scale();
    }

    private static String selector(Resource resource, ObjectNode object) {
        if (resource.custom() != null) {
            String path = paths(resource).path("labelSelectorPath").asText("");
            return path.isEmpty() ? "" : first(object, path).asText("");
        }
        return LabelSelector.text(object.path("spec").path("selector"));
    }

    private static JsonNode first(ObjectNode object, String path) {
        List<JsonNode> found = JsonPath.parse(path).find(object);
        return found.isEmpty() ? JsonNodeFactory.instance.missingNode() : found.get(0);
    }
}
