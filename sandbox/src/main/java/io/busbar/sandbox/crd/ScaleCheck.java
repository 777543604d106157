package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;

/**
 * Whether an object has numbers where its definition says that its replicas are.
 *
 * <p>Immutable.
 *
 * @param scale the {@code subresources.scale} of its version; missing for none
 */
record ScaleCheck(JsonNode scale) {

    void check(ObjectNode object, boolean onlyStatus, Causes causes) {
        if (!onlyStatus) {
            replicas(object, scale.path("specReplicasPath").asText(""), causes);
        }
        replicas(object, scale.path("statusReplicasPath").asText(""), causes);
        String path = scale.path("labelSelectorPath").asText("");
        JsonNode selector = at(object, path);
        if (!path.isEmpty() && !selector.isMissingNode() && !selector.isTextual()) {
            causes.add(FieldCause.invalid(path, "\"\"", wrongType(path, selector, "string")));
        }
    }

    private static void replicas(ObjectNode object, String path, Causes causes) {
        JsonNode replicas = at(object, path);
        if (path.isEmpty() || replicas.isMissingNode()) {
            return;
        }
        if (!replicas.isIntegralNumber()) {
            causes.add(FieldCause.invalid(path, "0", wrongType(path, replicas, "int64")));
        } else if (replicas.asLong() < 0) {
            causes.invalid(path, replicas, "should be a non-negative integer");
        } else if (replicas.asLong() > Integer.MAX_VALUE) {
            causes.invalid(path, replicas, "should be less than or equal to " + Integer.MAX_VALUE);
        }
    }

    private static JsonNode at(ObjectNode object, String path) {
        return object.at(path.replace('.', '/'));
    }

    /** In the words of Go, whose types these are. */
    private static String wrongType(String path, JsonNode value, String wanted) {
        String found = switch (value.getNodeType()) {
            case STRING -> "string";
            case BOOLEAN -> "bool";
            case NUMBER -> value.isIntegralNumber() ? "int64" : "float64";
            case ARRAY -> "[]interface {}";
            case OBJECT -> "map[string]interface {}";
            default -> "<nil>";
        };
        return path + " accessor error: " + value.asText() + " is of the type " + found + ", expected " + wanted;
    }
}
