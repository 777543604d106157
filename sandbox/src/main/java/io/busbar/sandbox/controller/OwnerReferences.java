package io.busbar.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Metadata;

/** Owner references: who controls an object. Any thread. */
public final class OwnerReferences {

    private OwnerReferences() {}

    /** The reference to the controller; a missing node for none. */
    public static JsonNode controller(JsonNode object) {
        for (JsonNode reference : object.path("metadata").path("ownerReferences")) {
            if (reference.path("controller").asBoolean()) {
                return reference;
            }
        }
        return object.path("metadata").path("none");
    }

    /** Empty for none. */
    public static String controllerUid(JsonNode object) {
        return controller(object).path("uid").asText("");
    }

    /** Whether a reference is to an object of this kind, in whatever version. */
    public static boolean isOf(JsonNode reference, Kind kind) {
        String apiVersion = reference.path("apiVersion").asText();
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        return reference.path("kind").asText().equals(kind.name())
                && group.equals(kind.resource().group());
    }

    /** Makes the owner an object's controller, beside the owners that it has. */
    public static void control(ObjectNode object, ObjectNode owner, Kind kind) {
        add(object, owner, kind).put("controller", true).put("blockOwnerDeletion", true);
    }

    /** Adds an owner that controls nothing. */
    public static ObjectNode add(ObjectNode object, ObjectNode owner, Kind kind) {
        Metadata of = Metadata.of(owner);
        ObjectNode metadata = Metadata.of(object).node();
        ArrayNode references = metadata.get("ownerReferences") instanceof ArrayNode known
                ? known
                : metadata.putArray("ownerReferences");
        return references
                .addObject()
                .put("apiVersion", kind.apiVersion())
                .put("kind", kind.name())
                .put("name", of.name())
                .put("uid", of.uid());
    }

    public static boolean has(JsonNode object, String uid) {
        for (JsonNode reference : object.path("metadata").path("ownerReferences")) {
            if (reference.path("uid").asText().equals(uid)) {
                return true;
            }
        }
        return false;
    }

    /** Drops the references to an owner. */
    public static void remove(ObjectNode object, String uid) {
        ArrayNode kept = JsonNodeFactory.instance.arrayNode();
        object.path("metadata").path("ownerReferences").forEach(reference -> {
            if (!reference.path("uid").asText().equals(uid)) {
                kept.add(reference);
            }
        });
        Metadata.of(object).set("ownerReferences", kept.isEmpty() ? null : kept);
    }
}
