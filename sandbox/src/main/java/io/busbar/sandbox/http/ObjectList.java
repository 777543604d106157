package io.busbar.sandbox.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A list as it goes over the wire, written straight from the objects that are stored: a list of thousands is not copied
 * first.
 *
 * <p>Immutable; the objects are shared.
 *
 * @param hidden fields of the items that are not sent: a list of a built-in kind names kind and apiVersion once
 */
record ObjectList(String kind, String apiVersion, ObjectNode metadata, List<ObjectNode> items, Set<String> hidden)
        implements JsonSerializable {

    @Override
    public void serialize(JsonGenerator generator, SerializerProvider provider) throws IOException {
        generator.writeStartObject();
        generator.writeStringField("kind", kind);
        generator.writeStringField("apiVersion", apiVersion);
        generator.writeFieldName("metadata");
        metadata.serialize(generator, provider);
        generator.writeArrayFieldStart("items");
        for (ObjectNode item : items) {
            write(item, generator, provider);
        }
        generator.writeEndArray();
        generator.writeEndObject();
    }

    private void write(ObjectNode item, JsonGenerator generator, SerializerProvider provider) throws IOException {
        generator.writeStartObject();
        for (Map.Entry<String, JsonNode> field : item.properties()) {
            if (!hidden.contains(field.getKey())) {
                generator.writeFieldName(field.getKey());
                field.getValue().serialize(generator, provider);
            }
        }
        generator.writeEndObject();
    }

    @Override
    public void serializeWithType(JsonGenerator generator, SerializerProvider provider, TypeSerializer type)
            throws IOException {
        serialize(generator, provider);
    }
}
