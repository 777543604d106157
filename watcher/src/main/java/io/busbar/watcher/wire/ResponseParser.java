package io.busbar.watcher.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import io.busbar.common.watch.WatchSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Reads the response of a list or of a watch as it arrives, in any pieces, and tells of each object as soon as it is whole.
 *
 * <pre>
 *   list   {"metadata":{resourceVersion, continue}, "items":[ object, … ]}
 *   watch  {"type": …, "object": object} …
 * </pre>
 *
 * <p>For one thread at a time. Never more than one object is held, however long the response is.
 */
public final class ResponseParser {

    private final JsonParser parser;
    private final ByteArrayFeeder feeder;
    private final ObjectCopier copier;
    private final Consumer<Signal> signals;
    private final ObjectFacts list = new ObjectFacts();
    private int depth;
    private boolean items;
    private boolean ofList;
    private String member = "";
    private String eventType = "";
    private boolean eventObject;

    /**
     * @param signals told from within {@link #feed}
     */
    public ResponseParser(WatchSpec<?> spec, Consumer<Signal> signals) {
        try {
            this.parser = Json.FACTORY.createNonBlockingByteArrayParser();
            this.copier = new ObjectCopier(spec.resource(), FieldTree.of(spec.fields(), spec.metadataOnly()));
        } catch (IOException e) {
            throw new IllegalStateException("in memory, and still: " + e.getMessage(), e);
        }
        this.feeder = (ByteArrayFeeder) parser.getNonBlockingInputFeeder();
        this.signals = signals;
    }

    /**
     * Reads the next bytes.
     *
     * @throws UnreadableResponseException when they are not what a list or a watch looks like
     */
    public void feed(ByteBuffer bytes) throws UnreadableResponseException {
        byte[] chunk = new byte[bytes.remaining()];
        bytes.get(chunk);
        try {
            feed(chunk);
        } catch (UnreadableResponseException e) {
            throw e;
        } catch (IOException e) {
            throw new UnreadableResponseException(e);
        }
    }

    private void feed(byte[] chunk) throws IOException {
        feeder.feedInput(chunk, 0, chunk.length);
        for (JsonToken token = parser.nextToken();
                token != JsonToken.NOT_AVAILABLE && token != null;
                token = parser.nextToken()) {
            accept(token);
        }
    }

    private void accept(JsonToken token) throws IOException {
        if (copier.open() || objectBegins(token)) {
            if (copier.accept(token, parser)) {
                objectEnded();
            }
            return;
        }
        switch (token) {
            case START_OBJECT, START_ARRAY -> {
                depth++;
                items |= depth == 2 && token == JsonToken.START_ARRAY && member.equals("items");
                ofList |= items;
            }
            case END_OBJECT, END_ARRAY -> {
                depth--;
                items = false;
                if (depth == 0) {
                    documentEnded();
                }
            }
            case FIELD_NAME -> {
                list.enter(depth, parser.currentName());
                member = depth == 1 ? parser.currentName() : member;
            }
            default -> scalar(token);
        }
    }

    private boolean objectBegins(JsonToken token) {
        int at = items ? 2 : 1;
        return token == JsonToken.START_OBJECT && depth == at && (items || member.equals("object"));
    }

    private void scalar(JsonToken token) throws IOException {
        if (depth == 0) {
            throw new UnreadableResponseException("the API server sent " + token + " where an object was expected");
        }
        list.scalar(depth, token, parser);
        if (depth == 1 && member.equals("type")) {
            eventType = parser.getText();
        } else if (depth == 1 && member.equals("items")) {
            ofList = true; // null, as Go writes an empty slice
        }
    }

    private void objectEnded() throws IOException {
        if (items) {
            signals.accept(new Signal.Listed(copier.take()));
        } else {
            eventObject = true;
        }
    }

    private void documentEnded() throws IOException {
        if (eventObject) {
            signals.accept(event());
        } else if (ofList) {
            signals.accept(new Signal.ListEnd(list.resourceVersion(), list.continuation()));
        } else {
            throw new UnreadableResponseException("the API server sent neither a list nor a watch event");
        }
        eventObject = false;
        eventType = "";
        member = "";
    }

    private Signal event() throws IOException {
        ObjectFacts facts = copier.facts();
        return switch (eventType) {
            case "ADDED", "MODIFIED" -> new Signal.Changed(copier.take());
            case "DELETED" -> new Signal.Deleted(copier.take());
            case "BOOKMARK" -> {
                copier.discard();
                yield new Signal.Bookmark(facts.resourceVersion(), facts.endsInitialEvents());
            }
            case "ERROR" -> {
                copier.discard();
                yield new Signal.Failed(facts.code(), facts.message());
            }
            default ->
                throw new UnreadableResponseException(
                        "the API server sent a watch event of unknown type '" + eventType + "'");
        };
    }
}
