package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * What a controller wants of an object, as it is sent.
 *
 * <p>Immutable, if nobody changes the body.
 *
 * @param fingerprint of the body
 */
record Configuration(ObjectNode body, String fingerprint) {

    /**
     * @param controller is added to the owners
     */
    static Configuration of(HasMetadata desired, Optional<OwnerReference> controller, ApiRequests api) {
        ObjectNode body = api.json(desired);
        ObjectNode metadata = body.withObjectProperty("metadata");
        metadata.remove("managedFields");
        if (body.path("status").isEmpty()) {
            body.remove("status");
        }
        encodeStringData(body);
        controller.ifPresent(
                reference -> metadata.withArrayProperty("ownerReferences").add(api.json(reference)));
        return new Configuration(body, Fingerprint.of(body));
    }

    /** The same for one object only: for no other of its name the API server will take it. */
    ObjectNode forObject(String uid) {
        ObjectNode bound = body.deepCopy();
        bound.withObjectProperty("metadata").put("uid", uid);
        return bound;
    }

    /** The API server never gives stringData back, and server-side apply does not merge it. */
    private static void encodeStringData(ObjectNode body) {
        JsonNode text = body.path("kind").asText().equals("Secret") ? body.remove("stringData") : null;
        if (text != null && text.isObject()) {
            ObjectNode data = body.withObjectProperty("data");
            text.properties()
                    .forEach(entry -> data.put(
                            entry.getKey(),
                            Base64.getEncoder()
                                    .encodeToString(entry.getValue().asText().getBytes(StandardCharsets.UTF_8))));
        }
    }
}
