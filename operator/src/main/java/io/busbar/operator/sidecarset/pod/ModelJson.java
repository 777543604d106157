package io.busbar.operator.sidecarset.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** The client's models as JSON trees. Pure functions, any thread. */
public final class ModelJson {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private ModelJson() {}

    /** Of a model that is an object. */
    public static ObjectNode object(Object model) {
        return SERIALIZATION.convertValue(model, ObjectNode.class);
    }

    /** A model from its tree. */
    public static <T> T read(JsonNode node, Class<T> type) {
        return SERIALIZATION.convertValue(node, type);
    }

    /** Of anything that Jackson can write. */
    public static JsonNode of(Object value) {
        return SERIALIZATION.convertValue(value, JsonNode.class);
    }
}
