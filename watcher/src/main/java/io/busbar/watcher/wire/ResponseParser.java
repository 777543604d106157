package io.busbar.watcher.wire;

import io.busbar.common.internal.json.MalformedJsonException;
import io.busbar.common.watch.WatchSpec;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the response of a list or of a watch as it arrives, in any pieces, and tells of each object as soon as it is
 * whole.
 *
 * <pre>
 *   list   {"metadata":{resourceVersion, continue}, "items":[ object, … ]}
 *   watch  {"type": …, "object": object} …
 * </pre>
 *
 * <p>For one thread at a time. Never more than one object is held, however long the response is.
 */
public final class ResponseParser {

    /** Far more than an API server stores. */
    private static final int MAX_OBJECT_BYTES = 64 << 20;

    private final ObjectCopier copier;
    private final Consumer<Signal> signals;
    private final Nesting nesting = new Nesting();

    /**
     * The document that is being read, with {} for each object and no more space than needed. A character is a byte.
     */
    private final StringBuilder frame = new StringBuilder();

    /** What came of an object in earlier pieces. */
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

    /** How deep the object lies that is open; 0 if none is. */
    private int level;

    private boolean items;
    private @Nullable Piece eventObject;

    /**
     * Of a watch that keeps all objects.
     *
     * @param signals told from within {@link #feed}
     */
    public ResponseParser(WatchSpec<?> spec, Consumer<Signal> signals) {
        this(spec, null, signals);
    }

    /**
     * @param owners whether an object is kept, by the uid of whoever controls it, which is empty where nobody does;
     *     null to keep all
     */
    public ResponseParser(WatchSpec<?> spec, @Nullable Predicate<String> owners, Consumer<Signal> signals) {
        this.copier = new ObjectCopier(spec.resource(), FieldTree.of(spec.fields(), spec.metadataOnly()), owners);
        this.signals = signals;
    }

    /**
     * Reads the next bytes.
     *
     * @throws UnreadableResponseException when they are not what a list or a watch looks like
     */
    public void feed(ByteBuffer bytes) throws UnreadableResponseException {
        byte[] text = new byte[bytes.remaining()];
        bytes.get(text);
        try {
            for (int at = 0; at < text.length; ) {
                at = level > 0 ? object(text, at) : frame(text, at);
            }
        } catch (MalformedJsonException e) {
            throw new UnreadableResponseException("the API server sent what is not JSON: " + e.getMessage());
        }
    }

    private int frame(byte[] text, int at) throws UnreadableResponseException {
        byte c = text[at];
        if (!nesting.inString()) {
            if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
                space();
                return at + 1;
            }
            if (c == ':' && lastIs(" ")) {
                frame.setLength(frame.length() - 1);
            }
            if (c == '{' && objectBegins()) {
                level = nesting.depth();
                return object(text, at);
            }
            if (c != '{' && nesting.depth() == 0) {
                throw new UnreadableResponseException(
                        "the API server sent '" + (char) (c & 0xff) + "' where an object was expected");
            }
            items |= c == '[' && nesting.depth() == 1 && memberIs("items");
        }
        nesting.follow(c);
        frame.append((char) (c & 0xff));
        items &= nesting.depth() > 1;
        if (nesting.depth() == 0) {
            documentEnded();
        }
        return at + 1;
    }

    /** One is enough, and none where a name or a value may begin. */
    private void space() {
        if (!frame.isEmpty() && !lastIs("{[,: ")) {
            frame.append(' ');
        }
    }

    private boolean lastIs(String oneOf) {
        return !frame.isEmpty() && oneOf.indexOf(frame.charAt(frame.length() - 1)) >= 0;
    }

    private boolean objectBegins() {
        return items ? nesting.depth() == 2 : (nesting.depth() == 1 && memberIs("object"));
    }

    /** Whether the value that is next is that of the member. */
    private boolean memberIs(String name) {
        String end = '"' + name + "\":";
        int begin = frame.length() - end.length();
        return begin > 0 && frame.indexOf(end, begin) == begin && "{,".indexOf(frame.charAt(begin - 1)) >= 0;
    }

    private int object(byte[] text, int at) throws UnreadableResponseException {
        int end = nesting.leave(level, text, at);
        if (nesting.depth() > level) {
            begun.write(text, at, end - at);
            if (begun.size() > MAX_OBJECT_BYTES) {
                throw new UnreadableResponseException(
                        "the API server sent an object of more than " + MAX_OBJECT_BYTES + " bytes");
            }
        } else if (begun.size() == 0) {
            objectEnded(new Piece(text, at, end));
        } else {
            begun.write(text, at, end - at);
            objectEnded(Piece.whole(begun.toByteArray()));
            begun.reset();
        }
        return end;
    }

    private void objectEnded(Piece object) throws UnreadableResponseException {
        level = 0;
        frame.append("{}");
        if (items) {
            signals.accept(new Signal.Listed(copier.copy(object)));
        } else {
            eventObject = object;
        }
    }

    private void documentEnded() throws UnreadableResponseException {
        Facts facts = new Facts(Piece.whole(frame.toString().getBytes(StandardCharsets.ISO_8859_1)));
        frame.setLength(0);
        if (eventObject != null) {
            signals.accept(event(facts.type(), eventObject));
            eventObject = null;
        } else if (facts.list()) {
            signals.accept(new Signal.ListEnd(facts.resourceVersion(), facts.continuation()));
        } else {
            throw new UnreadableResponseException("the API server sent neither a list nor a watch event");
        }
    }

    private Signal event(String type, Piece object) throws UnreadableResponseException {
        return switch (type) {
            case "ADDED", "MODIFIED" -> new Signal.Changed(copier.copy(object));
            case "DELETED" -> new Signal.Deleted(copier.copy(object));
            case "BOOKMARK" -> {
                Facts bookmark = new Facts(object);
                yield new Signal.Bookmark(bookmark.resourceVersion(), bookmark.endsInitialEvents());
            }
            case "ERROR" -> {
                Facts status = new Facts(object);
                yield new Signal.Failed(status.code(), status.message());
            }
            default ->
                throw new UnreadableResponseException(
                        "the API server sent a watch event of unknown type '" + type + "'");
        };
    }
}
