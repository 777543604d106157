package io.busbar.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a console shows of an operator's kinds: for each version an entry, for each field of spec and status a
 * descriptor, and for each field below them that has a description.
 *
 * <p>Immutable. Source of the descriptors' names: OLM's descriptor reference.
 */
final class Descriptors {

    private static final String ALM = "urn:alm:descriptor:";
    private static final String UI = ALM + "com.tectonic.ui:";

    /** By the end of the name of a field that holds the name of one. */
    private static final Map<String, String> NAMED_KINDS = Map.of(
            "secretref.name", "Secret",
            "secretname", "Secret",
            "configmapname", "ConfigMap",
            "claimname", "PersistentVolumeClaim",
            "serviceaccountname", "ServiceAccount",
            "storageclassname", "StorageClass");

    private final boolean status;
    private final ArrayNode descriptors = new ObjectMapper().createArrayNode();

    private Descriptors(boolean status) {
        this.status = status;
    }

    /**
     * @param objects the CRDs among them count
     * @param related kinds that belong to that of a CRD, by its name
     */
    static ArrayNode of(List<ObjectNode> objects, Map<String, List<ResourceType>> related) {
        ArrayNode owned = new ObjectMapper().createArrayNode();
        for (ObjectNode object : objects) {
            if (Rendered.kind(object).equals("CustomResourceDefinition")) {
                List<ResourceType> others =
                        related.getOrDefault(object.at("/metadata/name").asText(), List.of());
                object.at("/spec/versions").forEach(version -> owned.add(kind(object, version, others)));
            }
        }
        return owned;
    }

    private static ObjectNode kind(ObjectNode crd, JsonNode version, List<ResourceType> related) {
        String kind = crd.at("/spec/names/kind").asText();
        JsonNode schema = version.at("/schema/openAPIV3Schema");
        ObjectNode entry = crd.objectNode();
        entry.put("name", crd.at("/metadata/name").asText())
                .put("kind", kind)
                .put("version", version.path("name").asText())
                .put("displayName", words(kind))
                .put("description", schema.path("description").asText("A " + words(kind) + "."));
        resources(entry, crd, version, related);
        for (String part : List.of("spec", "status")) {
            Descriptors fields = new Descriptors(part.equals("status"));
            fields.add("", schema.path("properties").path(part), true);
            entry.set(part + "Descriptors", fields.descriptors);
        }
        return entry;
    }

    /** The kind itself, and those that its controller makes or looks at. */
    private static void resources(ObjectNode entry, ObjectNode crd, JsonNode version, List<ResourceType> related) {
        ArrayNode resources = entry.putArray("resources");
        resources
                .addObject()
                .put("kind", crd.at("/spec/names/kind").asText())
                .put("name", crd.at("/metadata/name").asText())
                .put("version", version.path("name").asText());
        related.forEach(type -> resources
                .addObject()
                .put("kind", type.kind())
                .put("name", isCustom(type) ? type.toString() : "")
                .put("version", type.version()));
    }

    private static boolean isCustom(ResourceType type) {
        return type.group().contains(".") && !type.group().endsWith(".k8s.io");
    }

    /** Of lists the console shows the first item's. */
    private void add(String path, JsonNode schema, boolean all) {
        Map<String, JsonNode> sorted = new TreeMap<>();
        schema.path("properties").properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
        sorted.forEach((name, field) -> {
            if (all || field.has("description")) {
                describe(path + name, name, field);
                add(path + name + ".", field, false);
                add(path + name + "[0].", field.path("items"), false);
            }
        });
    }

    private void describe(String path, String name, JsonNode schema) {
        ObjectNode descriptor = descriptors.addObject();
        descriptor.put("path", path).put("displayName", words(name));
        if (schema.has("description")) {
            descriptor.put("description", schema.path("description").asText());
        }
        List<String> hints = hints(path, name, schema);
        if (!hints.isEmpty()) {
            hints.forEach(descriptor.putArray("x-descriptors")::add);
        }
    }

    /** How a console shows a field, where its schema or its name says so. */
    private List<String> hints(String path, String name, JsonNode schema) {
        List<String> hints = new ArrayList<>();
        String type = schema.path("type").asText();
        if (name.equals("conditions") && type.equals("array")) {
            hints.add(ALM + "io.kubernetes.conditions");
        } else if (status) {
            if (path.equals("phase")) {
                hints.add(ALM + "io.kubernetes.phase");
            } else if (type.matches("boolean|integer|number|string")) {
                hints.add(ALM + "text");
            }
        } else {
            specHints(hints, path, name, schema);
        }
        return hints;
    }

    private static void specHints(List<String> hints, String path, String name, JsonNode schema) {
        switch (schema.path("type").asText()) {
            case "boolean" -> hints.add(UI + "booleanSwitch");
            case "integer", "number" -> hints.add(UI + (path.matches("size|replicas") ? "podCount" : "number"));
            case "string" -> {
                if (schema.has("enum")) {
                    schema.path("enum").forEach(value -> hints.add(UI + "select:" + value.asText()));
                } else if (name.equals("imagePullPolicy")) {
                    hints.add(UI + name);
                } else {
                    hints.add(namedKind(path)
                            .map(kind -> ALM + "io.kubernetes:" + kind)
                            .orElse(UI + "text"));
                }
            }
            case "object" -> {
                if (schema.at("/properties/matchLabels").isObject()) {
                    String selected = name.toLowerCase(Locale.ROOT).contains("namespace") ? "Namespace" : "Pod";
                    hints.add(UI + "selector:core:v1:" + selected);
                } else if (schema.at("/properties/limits").isObject()
                        && schema.at("/properties/requests").isObject()) {
                    hints.add(UI + "resourceRequirements");
                }
            }
            default -> {}
        }
    }

    private static Optional<String> namedKind(String path) {
        String lower = path.toLowerCase(Locale.ROOT);
        return NAMED_KINDS.entrySet().stream()
                .filter(named -> lower.endsWith(named.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** {@code maxUnavailable} as {@code Max Unavailable}. */
    private static String words(String camelCase) {
        return List.of(camelCase.split("(?<=[a-z0-9])(?=[A-Z])")).stream()
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining(" "));
    }
}
