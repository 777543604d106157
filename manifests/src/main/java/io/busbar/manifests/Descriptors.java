package io.busbar.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a console shows of an operator's kinds: for each version an entry, for each field of spec and status a descriptor.
 *
 * <p>Immutable. Source of the descriptors' names: OLM's descriptor reference.
 */
final class Descriptors {

    private static final String UI = "urn:alm:descriptor:com.tectonic.ui:";
    private static final String CONDITIONS = "urn:alm:descriptor:io.kubernetes.conditions";

    private Descriptors() {}

    /**
     * @param objects the CRDs among them count
     */
    static ArrayNode of(List<ObjectNode> objects) {
        ArrayNode owned = new ObjectMapper().createArrayNode();
        for (ObjectNode object : objects) {
            if (Rendered.kind(object).equals("CustomResourceDefinition")) {
                object.at("/spec/versions").forEach(version -> owned.add(kind(object, version)));
            }
        }
        return owned;
    }

    private static ObjectNode kind(ObjectNode crd, JsonNode version) {
        String kind = crd.at("/spec/names/kind").asText();
        JsonNode schema = version.at("/schema/openAPIV3Schema");
        ObjectNode entry = crd.objectNode();
        entry.put("name", crd.at("/metadata/name").asText())
                .put("kind", kind)
                .put("version", version.path("name").asText())
                .put("displayName", words(kind))
                .put("description", schema.path("description").asText("A " + words(kind) + "."));
        entry.set("specDescriptors", fields(schema.at("/properties/spec/properties"), false));
        entry.set("statusDescriptors", fields(schema.at("/properties/status/properties"), true));
        return entry;
    }

    private static ArrayNode fields(JsonNode properties, boolean status) {
        ArrayNode descriptors = new ObjectMapper().createArrayNode();
        Map<String, JsonNode> sorted = new TreeMap<>();
        properties.properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
        sorted.forEach((name, schema) -> {
            ObjectNode descriptor = descriptors.addObject();
            descriptor.put("path", name).put("displayName", words(name));
            if (schema.has("description")) {
                descriptor.put("description", schema.path("description").asText());
            }
            List<String> hints = hints(name, schema, status);
            if (!hints.isEmpty()) {
                hints.forEach(descriptor.putArray("x-descriptors")::add);
            }
        });
        return descriptors;
    }

    /** How a console shows a field, where its schema or its name says so. */
    private static List<String> hints(String name, JsonNode schema, boolean status) {
        List<String> hints = new ArrayList<>();
        switch (schema.path("type").asText()) {
            case "boolean" -> hints.add(UI + (status ? "text" : "booleanSwitch"));
            case "integer" -> hints.add(UI + (!status && name.matches("size|replicas") ? "podCount" : "number"));
            case "string" -> {
                if (schema.has("enum")) {
                    schema.path("enum").forEach(value -> hints.add(UI + "select:" + value.asText()));
                } else {
                    hints.add(UI + "text");
                }
            }
            case "array" -> {
                if (status && name.equals("conditions")) {
                    hints.add(CONDITIONS);
                }
            }
            case "object" -> {
                if (schema.at("/properties/matchLabels").isObject()) {
                    hints.add(UI + "selector");
                }
            }
            default -> {}
        }
        return hints;
    }

    /** {@code maxUnavailable} as {@code Max Unavailable}. */
    private static String words(String camelCase) {
        return List.of(camelCase.split("(?<=[a-z0-9])(?=[A-Z])")).stream()
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining(" "));
    }
}
