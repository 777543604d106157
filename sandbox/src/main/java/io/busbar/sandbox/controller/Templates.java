package io.busbar.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Metadata;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Makes objects from the templates that others carry. Any thread. */
public final class Templates {

    /** No vowels and none of 0, 1, 3: nothing that reads as a word (apimachinery, {@code util/rand}). */
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private static final int FNV_START = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;

    private Templates() {}

    /** A Pod in the owner's namespace, under its control, named after it. */
    public static ObjectNode pod(ObjectNode owner, Kind kind) {
        ObjectNode pod = object(owner.path("spec").path("template"), Kind.POD, owner, kind);
        Metadata.of(pod).node().put("generateName", Metadata.of(owner).name() + "-");
        return pod;
    }

    /** An object with the template's labels, annotations, finalizers and spec. */
    public static ObjectNode object(JsonNode template, Kind made, ObjectNode owner, Kind kind) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("kind", made.name()).put("apiVersion", made.apiVersion());
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("namespace", Metadata.of(owner).namespace());
        for (String field : List.of("labels", "annotations", "finalizers")) {
            JsonNode value = template.path("metadata").path(field);
            if (!value.isEmpty()) {
                metadata.set(field, value.deepCopy());
            }
        }
        OwnerReferences.control(object, owner, kind);
        object.set("spec", template.path("spec").deepCopy());
        return object;
    }

    /**
     * A short name for a template. FNV-1a as in Kubernetes, yet of the JSON: the same template has another hash here
     * than there.
     *
     * @param collisions how often the name was taken by something else
     */
    public static String hash(JsonNode template, int collisions) {
        int hash = FNV_START;
        String text = collisions == 0 ? template.toString() : template + "#" + collisions;
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (octet & 0xff)) * FNV_PRIME;
        }
        StringBuilder safe = new StringBuilder();
        Integer.toUnsignedString(hash)
                .chars()
                .forEach(digit -> safe.append(ALPHABET.charAt(digit % ALPHABET.length())));
        return safe.toString();
    }
}
