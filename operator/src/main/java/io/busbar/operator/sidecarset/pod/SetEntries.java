package io.busbar.operator.sidecarset.pod;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An annotation that holds a JSON object with an entry for each SidecarSet, or each sidecar.
 *
 * <p>Immutable. Written as Go's encoding/json writes a map: compact, sorted by name.
 */
public record SetEntries(SortedMap<String, JsonNode> entries) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final SetEntries NONE = new SetEntries(Collections.emptySortedMap());

    /**
     * Reads the annotation's value; absent or empty is no entries.
     *
     * @throws IllegalArgumentException when it is not a JSON object
     */
    public static SetEntries parse(@Nullable String annotation) {
        if (annotation == null || annotation.isEmpty()) {
            return NONE;
        }
        try {
            JsonNode node = JSON.readTree(annotation);
            if (!node.isObject()) {
                throw new IllegalArgumentException("not a JSON object: " + annotation);
            }
            SortedMap<String, JsonNode> entries = new TreeMap<>();
            node.properties().forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
            return new SetEntries(entries);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException("not JSON: " + annotation, malformed);
        }
    }

    /** The same for a Pod that is there already, whatever it carries: what cannot be read is no entries. */
    public static SetEntries parseOrNone(@Nullable String annotation) {
        try {
            return parse(annotation);
        } catch (IllegalArgumentException unreadable) {
            return NONE;
        }
    }

    public Optional<JsonNode> entry(String set) {
        return Optional.ofNullable(entries.get(set));
    }

    public SetEntries with(String set, JsonNode entry) {
        SortedMap<String, JsonNode> copy = new TreeMap<>(entries);
        copy.put(set, entry);
        return new SetEntries(copy);
    }

    /** Each entry replaced by what a function makes of it. */
    public SetEntries mapped(UnaryOperator<JsonNode> function) {
        SortedMap<String, JsonNode> copy = new TreeMap<>(entries);
        copy.replaceAll((set, entry) -> function.apply(entry));
        return new SetEntries(copy);
    }

    /** The annotation's value. */
    @Override
    public String toString() {
        ObjectNode node = JSON.createObjectNode();
        node.setAll(entries);
        return node.toString();
    }
}
