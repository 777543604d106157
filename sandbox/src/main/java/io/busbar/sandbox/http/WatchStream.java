package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.StoreEvent;
import io.busbar.sandbox.storage.WatchCursor;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One watch: what is there, then each change, as long as the client listens.
 *
 * <p>One context. It reads on only when the client has taken what was written, so a slow client holds nothing but a position in the
 * history; one that falls out of the history gets an ERROR event of 410 and the end.
 */
final class WatchStream {

    private final Call call;
    private final Resource resource;
    private final Renderer renderer;
    private final Predicate<ObjectNode> wanted;
    private final EventSink sink;
    private final LongSupplier revision;
    private final long initialRevision;
    private Iterator<ObjectNode> initial;
    private boolean initialEndDue;
    private boolean first = true;
    private boolean over;
    private @Nullable WatchCursor cursor;

    /**
     * @param initial objects that are there, in the stored version
     * @param announceInitialEnd whether a bookmark tells that all of them were sent
     * @param revision the store's latest
     */
    WatchStream(
            Call call,
            EventSink sink,
            Resource resource,
            Renderer renderer,
            Predicate<ObjectNode> wanted,
            Iterator<ObjectNode> initial,
            boolean announceInitialEnd,
            LongSupplier revision) {
        this.call = call;
        this.resource = resource;
        this.renderer = renderer;
        this.wanted = wanted;
        this.initial = initial;
        this.initialEndDue = announceInitialEnd;
        this.revision = revision;
        this.initialRevision = revision.getAsLong();
        this.sink = sink;
    }

    /**
     * @param bookmarks how often to send one; zero for never
     * @param closed called when it is over, at least once
     */
    void start(Vertx vertx, WatchCursor from, Duration timeout, Duration bookmarks, Runnable closed) {
        cursor = from;
        long end = vertx.setTimer(Math.max(1, timeout.toMillis()), timer -> {
            if (!bookmarks.isZero()) {
                bookmark();
            }
            finish();
        });
        long periodic = bookmarks.isZero() ? -1 : vertx.setPeriodic(bookmarks.toMillis(), timer -> bookmark());
        sink.onChange(this::pump, () -> {
            vertx.cancelTimer(end);
            vertx.cancelTimer(periodic);
            close();
            closed.run();
        });
        pump();
    }

    /** Answers a watch that cannot start, or go on, where the client wants. */
    void refuse(StatusException why) {
        sink.send(event("ERROR", why.body()));
        finish();
    }

    void pump() {
        while (!over && !sink.isFull() && step()) {
            // Each step sends an event, or skips one.
        }
        if (!over) {
            sink.flush();
        }
    }

    /** @return false when there is nothing more for now */
    private boolean step() {
        if (initial.hasNext()) {
            ObjectNode object = initial.next();
            if (wanted.test(object)) {
                sink.send(event("ADDED", object));
            }
            return true;
        }
        if (initialEndDue) {
            initialEndDue = false;
            sink.send(bookmarkEvent(initialRevision, true));
            return true;
        }
        if (cursor == null) {
            return false;
        }
        if (cursor.lost()) {
            refuse(StatusException.expired("too old resource version: the watch fell behind"));
            return false;
        }
        StoreEvent event = cursor.next();
        if (event != null) {
            tell(event);
        }
        return event != null;
    }

    /** An object that starts or ceases to be selected was added or deleted, as far as this watch is concerned. */
    private void tell(StoreEvent event) {
        ObjectNode previous = event.previous();
        boolean was = previous != null && wanted.test(previous);
        boolean is = event.type() != StoreEvent.Type.DELETED && wanted.test(event.object());
        if (is) {
            sink.send(event(was ? "MODIFIED" : "ADDED", event.object()));
        } else if (was) {
            sink.send(event("DELETED", last(event)));
        }
    }

    /** The last form that was selected, with the revision of the change. */
    private static ObjectNode last(StoreEvent event) {
        if (event.type() == StoreEvent.Type.DELETED || event.previous() == null) {
            return event.object();
        }
        ObjectNode last = event.previous().deepCopy();
        last.withObject("/metadata").put("resourceVersion", Long.toString(event.revision()));
        return last;
    }

    private Buffer event(String type, ObjectNode object) {
        JsonNode body = object;
        if (!type.equals("ERROR")) {
            body = renderer.event(call, resource, resource.conversion().toServed(object), first);
            first = false;
        }
        return json(type, body);
    }

    /** Tells how far the client has come; says nothing while it has not taken all that there is. */
    private void bookmark() {
        pump();
        if (!over && !initial.hasNext() && cursor != null && cursor.atEnd() && !sink.isFull()) {
            sink.send(bookmarkEvent(revision.getAsLong(), false));
            sink.flush();
        }
    }

    private Buffer bookmarkEvent(long reached, boolean initialEnd) {
        ObjectNode object = JsonNodeFactory.instance
                .objectNode()
                .put("kind", resource.type().kind())
                .put("apiVersion", resource.type().apiVersion());
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("resourceVersion", Long.toString(reached)).putNull("creationTimestamp");
        if (initialEnd) {
            metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
        }
        return json("BOOKMARK", renderer.event(call, resource, object, first));
    }

    private static Buffer json(String type, JsonNode body) {
        byte[] json = Json.write(body);
        return Buffer.buffer(json.length + 40)
                .appendString("{\"type\":\"" + type + "\",\"object\":")
                .appendBytes(json)
                .appendString("}");
    }

    private void finish() {
        if (!over) {
            close();
            sink.end();
        }
    }

    /** Breaks off, as a connection does that is cut. */
    void cut() {
        close();
        sink.cut();
    }

    private void close() {
        over = true;
        initial = Collections.emptyIterator();
        if (cursor != null) {
            cursor.close();
        }
    }
}
