package io.busbar.watcher.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Copies one object after another from tokens to compact JSON, leaving out what is not kept: that is never built.
 *
 * <p>For one thread at a time.
 */
final class ObjectCopier {

    private final ResourceType type;
    private final FieldTree fields;
    private final ByteArrayBuilder out = new ByteArrayBuilder();
    private final JsonGenerator generator;

    /** What is kept at each depth, null below what is dropped; and whether a list is open there. */
    private @Nullable FieldTree[] kept = new FieldTree[16];

    private boolean[] list = new boolean[16];
    private @Nullable FieldTree member;
    private int depth;
    private ObjectFacts facts = new ObjectFacts();

    ObjectCopier(ResourceType type, FieldTree fields) throws IOException {
        this.type = type;
        this.fields = fields;
        this.generator = Json.FACTORY.createGenerator(out);
    }

    /** Whether an object has been begun and not yet ended. */
    boolean open() {
        return depth > 0;
    }

    /** What the last object says of itself, kept or not. */
    ObjectFacts facts() {
        return facts;
    }

    /**
     * Takes the next token of an object, from its opening brace to its closing one.
     *
     * @return whether that was the last
     */
    boolean accept(JsonToken token, JsonParser parser) throws IOException {
        switch (token) {
            case START_OBJECT, START_ARRAY -> enter(token == JsonToken.START_ARRAY, parser);
            case END_OBJECT, END_ARRAY -> leave();
            case FIELD_NAME -> {
                FieldTree parent = kept[depth];
                facts.enter(depth, parser.currentName());
                member = parent == null ? null : parent.child(parser.currentName());
            }
            default -> scalar(token, parser);
        }
        return depth == 0;
    }

    /**
     * Takes the object that has ended.
     *
     * @throws IOException when it has no name
     */
    RawObject take() throws IOException {
        generator.flush();
        byte[] json = out.toByteArray();
        out.reset();
        if (facts.name().isEmpty()) {
            throw new UnreadableResponseException("the API server sent an object without a name, of type " + type);
        }
        return new RawObject(ObjectKey.of(facts.namespace(), facts.name()), facts.uid(), facts.resourceVersion(), json);
    }

    /** Forgets the object that has ended. */
    void discard() throws IOException {
        generator.flush();
        out.reset();
    }

    private void enter(boolean array, JsonParser parser) throws IOException {
        if (depth == 0) {
            begin();
            return;
        }
        FieldTree tree = list[depth] ? kept[depth] : member;
        if (tree != null) {
            name(parser);
            if (array) {
                generator.writeStartArray();
            } else {
                generator.writeStartObject();
            }
        }
        push(tree, array);
    }

    private void begin() throws IOException {
        facts = new ObjectFacts();
        generator.writeStartObject();
        generator.writeStringField("apiVersion", type.apiVersion());
        generator.writeStringField("kind", type.kind());
        push(fields, false);
    }

    private void push(@Nullable FieldTree tree, boolean array) {
        depth++;
        if (depth == kept.length) {
            kept = Arrays.copyOf(kept, 2 * depth);
            list = Arrays.copyOf(list, 2 * depth);
        }
        kept[depth] = tree;
        list[depth] = array;
    }

    private void leave() throws IOException {
        if (kept[depth] != null) {
            if (list[depth]) {
                generator.writeEndArray();
            } else {
                generator.writeEndObject();
            }
        }
        depth--;
    }

    private void scalar(JsonToken token, JsonParser parser) throws IOException {
        if (!list[depth]) {
            facts.scalar(depth, token, parser);
        }
        FieldTree tree = list[depth] ? kept[depth] : member;
        if (tree != null && tree.whole()) {
            name(parser);
            generator.copyCurrentEventExact(parser);
        }
    }

    private void name(JsonParser parser) throws IOException {
        if (!list[depth]) {
            generator.writeFieldName(parser.currentName());
        }
    }
}
