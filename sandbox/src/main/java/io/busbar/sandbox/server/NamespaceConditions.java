package io.busbar.sandbox.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Metadata;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the status of a namespace that is about to go tells of what is left in it. Any thread. */
final class NamespaceConditions {

    private NamespaceConditions() {}

    /** @param left what is in it, by plural name and group */
    static void set(ObjectNode namespace, Map<String, List<ObjectNode>> left, Instant now) {
        Map<String, Integer> finalizers = new TreeMap<>();
        left.values()
                .forEach(objects -> objects.forEach(object -> Metadata.of(object)
                        .finalizers()
                        .forEach(finalizer -> finalizers.merge(finalizer, 1, Integer::sum))));
        Map<String, Integer> counts = new TreeMap<>();
        left.forEach((resource, objects) -> counts.put(resource, objects.size()));
        ArrayNode before = namespace.withObject("/status").withArrayProperty("conditions");
        ArrayNode conditions = JsonNodeFactory.instance.arrayNode();
        add(
                conditions,
                "NamespaceDeletionDiscoveryFailure",
                "ResourcesDiscovered",
                "All resources successfully discovered");
        add(
                conditions,
                "NamespaceDeletionGroupVersionParsingFailure",
                "ParsedGroupVersions",
                "All legacy kube types successfully parsed");
        add(
                conditions,
                "NamespaceDeletionContentFailure",
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization");
        if (counts.isEmpty()) {
            add(conditions, "NamespaceContentRemaining", "ContentRemoved", "All content successfully removed");
        } else {
            add(
                    conditions,
                    "NamespaceContentRemaining",
                    "SomeResourcesRemain",
                    "Some resources are remaining: " + counted(counts, " has "));
        }
        if (finalizers.isEmpty()) {
            add(
                    conditions,
                    "NamespaceFinalizersRemaining",
                    "ContentHasNoFinalizers",
                    "All content-preserving finalizers finished");
        } else {
            add(
                    conditions,
                    "NamespaceFinalizersRemaining",
                    "SomeFinalizersRemain",
                    "Some content in the namespace has finalizers remaining: " + counted(finalizers, " in "));
        }
        conditions.forEach(condition -> settle((ObjectNode) condition, before, now));
        before.removeAll().addAll(conditions);
    }

    private static void add(ArrayNode conditions, String type, String reason, String message) {
        conditions
                .addObject()
                .put("type", type)
                .put("status", reason.startsWith("Some") ? "True" : "False")
                .put("lastTransitionTime", "")
                .put("reason", reason)
                .put("message", message);
    }

    /** A condition that is as it was keeps its time. */
    private static void settle(ObjectNode condition, ArrayNode before, Instant now) {
        String since = Metadata.time(now);
        for (var old : before) {
            if (old.path("type").equals(condition.path("type"))
                    && old.path("status").equals(condition.path("status"))) {
                since = old.path("lastTransitionTime").asText(since);
            }
        }
        condition.put("lastTransitionTime", since);
    }

    private static String counted(Map<String, Integer> counts, String word) {
        return counts.entrySet().stream()
                .map(count -> count.getKey() + word + count.getValue() + " resource instances")
                .collect(Collectors.joining(", "));
    }
}
