package io.busbar.sandbox.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A view of the {@code metadata} of an object, read and written through.
 *
 * <p>Any thread, as long as the object is not shared when it is written.
 */
public record Metadata(ObjectNode node) {

    /** Of an object, which gets empty metadata when it has none. */
    public static Metadata of(ObjectNode object) {
        JsonNode node = object.get("metadata");
        return new Metadata(node instanceof ObjectNode metadata ? metadata : object.putObject("metadata"));
    }

    public String name() {
        return node.path("name").asText("");
    }

    public String namespace() {
        return node.path("namespace").asText("");
    }

    public ObjectKey key() {
        return new ObjectKey(namespace(), name());
    }

    public String uid() {
        return node.path("uid").asText("");
    }

    public String resourceVersion() {
        return node.path("resourceVersion").asText("");
    }

    /** 0 for none. */
    public long generation() {
        return node.path("generation").asLong(0);
    }

    public boolean deleting() {
        return node.hasNonNull("deletionTimestamp");
    }

    public List<String> finalizers() {
        List<String> finalizers = new ArrayList<>();
        node.path("finalizers").forEach(finalizer -> finalizers.add(finalizer.asText()));
        return finalizers;
    }

    /** An empty list removes the field. */
    public void finalizers(List<String> finalizers) {
        if (finalizers.isEmpty()) {
            node.remove("finalizers");
        } else {
            ArrayNode array = node.putArray("finalizers");
            finalizers.forEach(array::add);
        }
    }

    /** Sets a field, or removes it when the value is missing or null. */
    public void set(String field, @Nullable JsonNode value) {
        if (value == null || value.isNull() || value.isMissingNode()) {
            node.remove(field);
        } else {
            node.set(field, value);
        }
    }

    /** As Kubernetes writes times: UTC, whole seconds. */
    public static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
