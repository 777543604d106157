package io.busbar.sandbox.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks the metadata of any object. Any thread. */
public final class MetadataValidation {

    private static final int MOST_ANNOTATION_BYTES = 256 * 1024;
    private static final Set<String> STANDARD_FINALIZERS = Set.of("kubernetes", "orphan", "foregroundDeletion");
    /**
     * Custom resources, and kinds that come from elsewhere than pkg/apis: any qualified name may be a finalizer of
     * theirs.
     */
    private static final Set<String> GENERIC =
            Set.of("", "CustomResourceDefinition", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration");

    private static final Map<String, Function<String, List<String>>> NAME_RULES = Map.of(
            "Service", Names::dnsLabel,
            "Namespace", Names::dnsLabel,
            "StatefulSet", Names::dnsLabel,
            "v1/Event", Names::pathSegment,
            "Role", Names::pathSegment,
            "ClusterRole", Names::pathSegment,
            "RoleBinding", Names::pathSegment,
            "ClusterRoleBinding", Names::pathSegment);

    private MetadataValidation() {}

    /** What is wrong with the metadata of a custom resource. */
    public static List<FieldCause> of(ObjectNode object, @Nullable ObjectNode before) {
        Causes causes = new Causes();
        check(causes, "", object, before);
        return causes.list();
    }

    public static void check(Causes causes, String kind, ObjectNode object, @Nullable ObjectNode before) {
        JsonNode metadata = object.path("metadata");
        String named = kind.equals("Event") ? object.path("apiVersion").asText() + "/Event" : kind;
        checkName(causes, metadata, NAME_RULES.getOrDefault(named, Names::dnsSubdomain));
        if (metadata.path("generation").asLong() < 0) {
            causes.invalid("metadata.generation", metadata.path("generation"), "must be greater than or equal to 0");
        }
        checkContent(causes, metadata);
        finalizers(causes, metadata.path("finalizers"), !GENERIC.contains(kind));
        if (before != null) {
            // Once for any object and once more for its kind.
            checkUpdate(causes, metadata, before.path("metadata"));
            checkUpdate(causes, metadata, before.path("metadata"));
            if (!causes.isEmpty()) {
                checkContent(causes, metadata);
                checkContent(causes, metadata);
                checkContent(causes, metadata);
            }
        }
    }

    private static void checkName(Causes causes, JsonNode metadata, Function<String, List<String>> rule) {
        String prefix = metadata.path("generateName").asText();
        if (!prefix.isEmpty()) {
            String masked = prefix.endsWith("-") ? prefix.substring(0, prefix.length() - 1) + "a" : prefix;
            causes.invalid("metadata.generateName", prefix, rule.apply(masked));
        }
        String name = metadata.path("name").asText();
        if (name.isEmpty()) {
            causes.required("metadata.name", "name or generateName is required");
        } else {
            causes.invalid("metadata.name", name, rule.apply(name));
        }
    }

    private static void checkContent(Causes causes, JsonNode metadata) {
        labels(causes, "metadata.labels", metadata.path("labels"));
        annotations(causes, metadata.path("annotations"));
        owners(causes, metadata.path("ownerReferences"));
    }

    public static void labels(Causes causes, String path, JsonNode labels) {
        for (Map.Entry<String, JsonNode> label : labels.properties()) {
            causes.invalid(path, label.getKey(), Names.qualifiedName(label.getKey()));
            String value = label.getValue().asText();
            causes.invalid(path, value, Names.labelValue(value));
        }
    }

    private static void annotations(Causes causes, JsonNode annotations) {
        int size = 0;
        for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
            String key = annotation.getKey();
            causes.invalid("metadata.annotations", key, Names.qualifiedName(key.toLowerCase(Locale.ROOT)));
            size += key.length() + annotation.getValue().asText().length();
        }
        if (size > MOST_ANNOTATION_BYTES) {
            causes.add(FieldCause.tooLong("metadata.annotations", MOST_ANNOTATION_BYTES));
        }
    }

    private static void owners(Causes causes, JsonNode references) {
        String path = "metadata.ownerReferences";
        ArrayNode typed = JsonNodeFactory.instance.arrayNode();
        references.forEach(reference -> typed.add(typed(reference)));
        String controller = "";
        for (JsonNode reference : typed) {
            String apiVersion = reference.path("apiVersion").asText();
            if (apiVersion.isEmpty() || apiVersion.indexOf('/') != apiVersion.lastIndexOf('/')) {
                causes.invalid(path + ".apiVersion", apiVersion, "version must not be empty");
            }
            for (String field : List.of("kind", "name", "uid")) {
                if (reference.path(field).asText().isEmpty()) {
                    causes.invalid(path + "." + field, "", "must not be empty");
                }
            }
            if (apiVersion.equals("v1") && reference.path("kind").asText().equals("Event")) {
                causes.add(FieldCause.invalid(
                        path, reference.toString(), "/v1, Kind=Event is disallowed from being an owner"));
            }
            if (reference.path("controller").asBoolean()) {
                String name = reference.path("kind").asText() + "/"
                        + reference.path("name").asText();
                if (!controller.isEmpty()) {
                    causes.add(FieldCause.invalid(
                            path,
                            typed.toString(),
                            "Only one reference can have Controller set to true. Found \"true\" in references for "
                                    + controller + " and " + name));
                } else {
                    controller = name;
                }
            }
        }
    }

    /** As a message quotes it: all that is required is there, in its order. */
    private static ObjectNode typed(JsonNode reference) {
        ObjectNode typed = JsonNodeFactory.instance.objectNode();
        for (String field : List.of("apiVersion", "kind", "name", "uid")) {
            typed.put(field, reference.path(field).asText());
        }
        for (String field : List.of("controller", "blockOwnerDeletion")) {
            if (reference.path(field).isBoolean()) {
                typed.set(field, reference.path(field));
            }
        }
        return typed;
    }

    private static void finalizers(Causes causes, JsonNode finalizers, boolean strictly) {
        Set<String> all = new HashSet<>();
        for (JsonNode each : finalizers) {
            causes.invalid("metadata.finalizers", each.asText(), Names.qualifiedName(each.asText()));
            all.add(each.asText());
        }
        if (all.containsAll(Set.of("orphan", "foregroundDeletion"))) {
            causes.add(FieldCause.invalid(
                    "metadata.finalizers",
                    finalizers.toString(),
                    "finalizer orphan and foregroundDeletion cannot be both set"));
        }
        for (int i = 0; i < finalizers.size() && strictly; i++) {
            standard(causes, "metadata.finalizers[" + i + "]", finalizers.get(i).asText());
        }
    }

    /** What is wrong with a finalizer of a namespace. */
    public static void finalizer(Causes causes, String path, String finalizer) {
        causes.invalid(path, finalizer, Names.qualifiedName(finalizer));
        standard(causes, path, finalizer);
    }

    private static void standard(Causes causes, String path, String finalizer) {
        if (!finalizer.contains("/") && !STANDARD_FINALIZERS.contains(finalizer)) {
            causes.invalid(path, finalizer, "name is neither a standard finalizer name nor is it fully qualified");
        }
    }

    private static void checkUpdate(Causes causes, JsonNode metadata, JsonNode before) {
        if (before.hasNonNull("deletionTimestamp")) {
            List<String> added = new ArrayList<>();
            metadata.path("finalizers").forEach(finalizer -> added.add(finalizer.asText()));
            before.path("finalizers").forEach(finalizer -> added.remove(finalizer.asText()));
            if (!added.isEmpty()) {
                causes.forbidden(
                        "metadata.finalizers",
                        "no new finalizers can be added if the object is being deleted, found new finalizers []string{"
                                + String.join(
                                        ", ", added.stream().map(GoText::quote).toList())
                                + "}");
            }
        }
        if (metadata.path("generation").asLong() < before.path("generation").asLong()) {
            causes.invalid("metadata.generation", metadata.path("generation"), "must not be decremented");
        }
        for (String field : List.of("name", "namespace", "uid", "creationTimestamp")) {
            if (!metadata.path(field).asText().equals(before.path(field).asText())) {
                causes.invalid("metadata." + field, metadata.path(field), "field is immutable");
            }
        }
        String deletion = metadata.path("deletionTimestamp").asText("");
        if (!deletion.equals(before.path("deletionTimestamp").asText(""))) {
            causes.invalid("metadata.deletionTimestamp", deletion, "field is immutable");
        }
        JsonNode grace = metadata.path("deletionGracePeriodSeconds");
        if (grace.asLong(-1) != before.path("deletionGracePeriodSeconds").asLong(-1)) {
            causes.invalid("metadata.deletionGracePeriodSeconds", grace, "field is immutable");
        }
    }
}
