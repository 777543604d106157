package io.busbar.admission.conversion;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/**
 * One version of a kind, and its objects as JSON, with the settings of the Kubernetes client.
 *
 * <p>Immutable.
 */
record Model<T extends HasMetadata>(Class<T> type, ResourceType resource) {

    private static final ObjectMapper MAPPER = clientMapper();

    static <T extends HasMetadata> Model<T> of(Class<T> type) {
        return new Model<>(type, ResourceType.of(type));
    }

    private static ObjectMapper clientMapper() {
        ObjectMapper mapper = new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        // Called for what its constructor does: it registers the client's modules and settings with the mapper.
        KubernetesSerialization unused = new KubernetesSerialization(mapper, false);
        return mapper;
    }

    /**
     * @throws IllegalArgumentException when the object does not fit the type, naming the field, its value, and what is
     *     allowed
     */
    T decode(ObjectNode object) {
        try {
            return MAPPER.treeToValue(object, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(Misfit.of(object, e).toString(), e);
        }
    }

    ObjectNode encode(T object) {
        ObjectNode tree = MAPPER.valueToTree(object);
        return tree.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
    }
}
