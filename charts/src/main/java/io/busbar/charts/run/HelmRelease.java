package io.busbar.charts.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A release of Helm that an instance takes over: one of its name, in its namespace. Objects are known by what Helm
 * itself asks for before it takes an object into a release: a label, and annotations with that name and namespace.
 * Immutable.
 *
 * @param name of the release, and of the instance
 */
record HelmRelease(String name, String namespace) {

    /** Of instances that operator-sdk's Helm operator has worked on. */
    static final String FINALIZER = "helm.sdk.operatorframework.io/uninstall-release";

    private static final String NAME = "meta.helm.sh/release-name";
    private static final String NAMESPACE = "meta.helm.sh/release-namespace";
    /** The names under which the command and operator-sdk's program write: those of the programs. */
    private static final Set<String> MANAGERS = Set.of("helm", "helm-operator");

    /** Whether an object is of the release, and nobody's else by a reference. */
    boolean has(JsonNode live) {
        JsonNode metadata = live.path("metadata");
        return metadata.path("labels")
                        .path("app.kubernetes.io/managed-by")
                        .asText()
                        .equals("Helm")
                && metadata.path("annotations").path(NAME).asText().equals(name)
                && metadata.path("annotations").path(NAMESPACE).asText().equals(namespace);
    }

    /**
     * Has another manager be who applied the fields that Helm has written, as kubectl does when an object comes to be
     * applied by the server: what is not desired any more goes with the next apply.
     *
     * @return a JSON Patch that fails when the object has changed; empty where none of its fields are Helm's
     */
    static Optional<ArrayNode> handingOver(JsonNode live, String manager) {
        List<ObjectNode> helms = new ArrayList<>();
        List<JsonNode> others = new ArrayList<>();
        Optional<ObjectNode> own = Optional.empty();
        for (JsonNode entry : live.path("metadata").path("managedFields")) {
            boolean whole = entry.path("subresource").asText().isEmpty();
            String name = entry.path("manager").asText();
            if (whole && MANAGERS.contains(name)) {
                helms.add(entry.deepCopy());
            } else if (whole
                    && name.equals(manager)
                    && entry.path("operation").asText().equals("Apply")) {
                own = Optional.of(entry.deepCopy());
            } else {
                others.add(entry);
            }
        }
        if (helms.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode merged = own.orElse(helms.get(0)).put("manager", manager).put("operation", "Apply");
        for (ObjectNode helm : helms) {
            if (helm.path("apiVersion").equals(merged.path("apiVersion"))) {
                add(helm.path("fieldsV1"), merged.withObjectProperty("fieldsV1"));
            } else {
                others.add(helm); // fields have other names there
            }
        }
        ArrayNode patch = JsonNodeFactory.instance.arrayNode();
        patch.addObject()
                .put("op", "replace")
                .put("path", "/metadata/managedFields")
                .putArray("value")
                .addAll(others)
                .add(merged);
        patch.addObject()
                .put("op", "replace")
                .put("path", "/metadata/resourceVersion")
                .set("value", live.path("metadata").path("resourceVersion"));
        return Optional.of(patch);
    }

    private static void add(JsonNode fields, ObjectNode target) {
        fields.properties().forEach(field -> add(field.getValue(), target.withObjectProperty(field.getKey())));
    }
}
