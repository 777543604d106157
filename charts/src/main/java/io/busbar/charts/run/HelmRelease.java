package io.busbar.charts.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A release of Helm that an instance takes over: one of its name, in its namespace, and of its chart. Objects are known
 * by what Helm itself asks for before it takes an object into a release: a label, and annotations with that name and
 * namespace. That the release is of the chart, and not of another one that somebody has installed under that name, one
 * of the objects has to show. Immutable.
 *
 * @param name of the release, and of the instance
 * @param kind of the instance, with its group
 * @param uid of the instance
 * @param chart its name
 */
record HelmRelease(String name, String namespace, String kind, String uid, String chart) {

    /** Of instances that operator-sdk's Helm operator has worked on. */
    static final String FINALIZER = "helm.sdk.operatorframework.io/uninstall-release";

    private static final String NAME = "meta.helm.sh/release-name";
    private static final String NAMESPACE = "meta.helm.sh/release-namespace";
    /** Of objects that an instance cannot own. */
    private static final String PRIMARY = "operator-sdk/primary-resource";

    private static final String PRIMARY_TYPE = "operator-sdk/primary-resource-type";
    private static final String CHART = "helm.sh/chart";
    private static final Pattern VERSION = Pattern.compile("v?[0-9]");
    /** The names under which the command and operator-sdk's program write: those of the programs. */
    private static final Set<String> MANAGERS = Set.of("helm", "helm-operator");

    /** Whether an object is of the release, and nothing else controls it. */
    boolean has(JsonNode live) {
        JsonNode metadata = live.path("metadata");
        for (JsonNode owner : metadata.path("ownerReferences")) {
            if (owner.path("controller").asBoolean()
                    && !owner.path("uid").asText().equals(uid)) {
                return false;
            }
        }
        return metadata.path("labels")
                        .path("app.kubernetes.io/managed-by")
                        .asText()
                        .equals("Helm")
                && metadata.path("annotations").path(NAME).asText().equals(name)
                && metadata.path("annotations").path(NAMESPACE).asText().equals(namespace);
    }

    /**
     * Whether an object of the release shows that this is of the instance, by a reference or by annotations of
     * operator-sdk's program, or of the chart, by the label that charts have by custom.
     */
    boolean isShownBy(JsonNode live) {
        JsonNode metadata = live.path("metadata");
        for (JsonNode owner : metadata.path("ownerReferences")) {
            if (owner.path("uid").asText().equals(uid)) {
                return true;
            }
        }
        JsonNode annotations = metadata.path("annotations");
        return (annotations.path(PRIMARY).asText().equals(namespace + "/" + name)
                        && annotations.path(PRIMARY_TYPE).asText().equals(kind))
                || isVersionOfChart(metadata.path("labels").path(CHART).asText());
    }

    /** Another chart's name may begin with this one's. */
    private boolean isVersionOfChart(String label) {
        return label.startsWith(chart + "-")
                && VERSION.matcher(label.substring(chart.length() + 1)).lookingAt();
    }

    /**
     * Has another manager be who applied the fields that Helm has written, as kubectl does when an object comes to be
     * applied by the server: what is not desired any more goes with the next apply. And has it say whose it is, which
     * is known from then on, whatever becomes of the process.
     *
     * @param mark of the instance
     * @return a JSON Patch that fails when the object has changed
     */
    static ArrayNode handingOver(JsonNode live, String manager, String mark) {
        ArrayNode patch = JsonNodeFactory.instance.arrayNode();
        patch.addObject()
                .put("op", "replace")
                .put("path", "/metadata/resourceVersion")
                .set("value", live.path("metadata").path("resourceVersion"));
        patch.addObject()
                .put("op", "add")
                .put("path", "/metadata/annotations/" + Marks.INSTANCE.name().replace("/", "~1"))
                .put("value", mark);
        managedFields(live, manager)
                .ifPresent(fields -> patch.addObject()
                        .put("op", "replace")
                        .put("path", "/metadata/managedFields")
                        .set("value", fields));
        return patch;
    }

    /** Empty where none of its fields are Helm's. */
    private static Optional<ArrayNode> managedFields(JsonNode live, String manager) {
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
        return Optional.of(JsonNodeFactory.instance.arrayNode().addAll(others).add(merged));
    }

    private static void add(JsonNode fields, ObjectNode target) {
        fields.properties().forEach(field -> add(field.getValue(), target.withObjectProperty(field.getKey())));
    }
}
