package io.busbar.sandbox.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.StoreEvent;
import java.io.IOException;
import java.io.UncheckedIOException;

/** What is in a record: a change in JSON, or the beginning of a snapshot. Any thread. */
final class Entries {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final String COMPACTED = "compacted";

    private Entries() {}

    static byte[] encode(StoreEvent event) {
        ObjectNode entry = JSON.createObjectNode();
        entry.put("type", event.type().name())
                .put("revision", event.revision())
                .put("group", event.resource().group())
                .put("resource", event.resource().plural())
                .set("object", event.object());
        return bytes(entry);
    }

    /** The former state of the object is not known. */
    static StoreEvent decode(byte[] payload) {
        JsonNode entry = node(payload);
        ObjectNode object = (ObjectNode) entry.required("object");
        return new StoreEvent(
                StoreEvent.Type.valueOf(entry.path("type").asText()),
                entry.path("revision").asLong(),
                new GroupResource(
                        entry.path("group").asText(), entry.path("resource").asText()),
                Metadata.of(object).key(),
                object,
                null);
    }

    static byte[] compaction(long revision) {
        return bytes(JSON.createObjectNode().put(COMPACTED, revision));
    }

    /** The revision of a compaction; 0 for what is none. */
    static long compacted(byte[] payload) {
        return node(payload).path(COMPACTED).asLong();
    }

    /** @param count of the objects that follow */
    static byte[] beginning(long revision, int count) {
        return bytes(JSON.createObjectNode().put("revision", revision).put("count", count));
    }

    static JsonNode node(byte[] payload) {
        try {
            return JSON.readTree(payload);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytes(ObjectNode entry) {
        try {
            return JSON.writeValueAsBytes(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
