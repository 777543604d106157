package io.busbar.operator.sidecarset.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a set was when it was last brought into a Pod.
 *
 * <p>Immutable. Source of the form: OpenKruise's {@code SidecarSetUpgradeSpec}.
 *
 * @param updateTimestamp RFC 3339 in whole seconds; null in an entry that was a bare hash
 * @param sidecarSetName the set's name
 * @param sidecarList names of the set's sidecars, sorted; null in an entry that was a bare hash
 * @param controllerRevision name of the set's newest revision then; empty for none
 */
public record HashEntry(
        @Nullable String updateTimestamp,
        String hash,
        String sidecarSetName,
        @Nullable List<String> sidecarList,
        String controllerRevision) {

    /** Just the hash of a set in an annotation; empty where the annotation has none for it. */
    public static Optional<String> hash(SetEntries annotation, String set) {
        return annotation
                .entry(set)
                .map(entry -> entry.isTextual() ? entry : entry.path("hash"))
                .map(JsonNode::asText);
    }

    /** An annotation whose entries all have the present form: once they were bare hashes. */
    public static SetEntries migrated(SetEntries annotation) {
        SetEntries result = annotation;
        for (var entry : annotation.entries().entrySet()) {
            if (entry.getValue().isTextual()) {
                String set = entry.getKey();
                result = result.with(set, new HashEntry(null, entry.getValue().asText(), set, null, "").json());
            }
        }
        return result;
    }

    /** The same with the time of the annotation's entry for this set, where that has the same hash. */
    public HashEntry keepingTimeOf(SetEntries annotation) {
        JsonNode earlier = annotation.entry(sidecarSetName).orElse(null);
        if (earlier == null
                || !earlier.path("hash").asText().equals(hash)
                || !earlier.path("updateTimestamp").isTextual()) {
            return this;
        }
        return new HashEntry(
                earlier.path("updateTimestamp").asText(), hash, sidecarSetName, sidecarList, controllerRevision);
    }

    /** In the order of the fields in Go; an empty controllerRevision is left out. */
    public ObjectNode json() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("updateTimestamp", updateTimestamp);
        node.put("hash", hash);
        node.put("sidecarSetName", sidecarSetName);
        if (sidecarList == null) {
            node.putNull("sidecarList");
        } else {
            ArrayNode names = node.putArray("sidecarList");
            sidecarList.forEach(names::add);
        }
        if (!controllerRevision.isEmpty()) {
            node.put("controllerRevision", controllerRevision);
        }
        return node;
    }
}
