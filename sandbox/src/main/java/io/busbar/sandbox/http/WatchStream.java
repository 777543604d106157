package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.http.Selection.Told;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.StoreEvent;
import io.busbar.sandbox.storage.WatchCursor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One watch: what is there, then each change, as long as the client listens.
 *
 * <p>One context. It reads on only when the client has taken what was written, so a slow client holds nothing but a
 * position in the history; one that falls out of the history gets an ERROR event of 410 and the end.
 */
final class WatchStream {

    /** How far it has come. It only goes on, but that it pauses while it follows. */
    private enum Phase {
        /** What is there is being converted: nothing is told yet. */
        OPENING,
        /** What was there is told. */
        INITIAL,
        /** Changes are told, as they come. */
        FOLLOWING,
        /** A change is being converted: what follows waits. */
        PAUSED,
        /** No more is told. */
        OVER
    }

    private final Call call;
    private final Resource resource;
    private final Renderer renderer;
    private final Encodings encodings;
    private final Selection selection;
    private final EventSink sink;
    private final long initialRevision;
    private final boolean announceInitialEnd;
    private Phase phase = Phase.OPENING;
    /** Whether the watch is to end once all that has happened is told. */
    private boolean ending;
    /** Whether nothing was told yet: a table tells its columns once. */
    private boolean first = true;

    private Iterator<ObjectNode> initial = Collections.emptyIterator();
    private @Nullable WatchCursor cursor;

    /**
     * @param announceInitialEnd whether a bookmark tells that all that was there was sent
     * @param initialRevision as of which the first state is
     */
    WatchStream(
            Call call,
            EventSink sink,
            Resource resource,
            Renderer renderer,
            Encodings encodings,
            Selection selection,
            boolean announceInitialEnd,
            long initialRevision) {
        this.call = call;
        this.resource = resource;
        this.renderer = renderer;
        this.encodings = encodings;
        this.selection = selection;
        this.announceInitialEnd = announceInitialEnd;
        this.initialRevision = initialRevision;
        this.sink = sink;
    }

    Resource resource() {
        return resource;
    }

    /**
     * Waits for the client to go, and for the time to be over.
     *
     * @param bookmarks how often to send one; zero for never
     * @param closed called when it is over, at least once
     */
    void listen(Vertx vertx, WatchCursor from, Duration timeout, Duration bookmarks, Runnable closed) {
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
    }

    /** @param objects that are there, as served */
    void start(List<ObjectNode> objects) {
        if (phase == Phase.OPENING) {
            initial = objects.iterator();
            phase = Phase.INITIAL;
            pump();
        }
    }

    /** Answers a watch that cannot start, or go on, where the client wants. */
    void refuse(Throwable why) {
        StatusException status =
                why instanceof StatusException known ? known : StatusException.internal(String.valueOf(why));
        if (phase != Phase.OVER) {
            sink.send(event("ERROR", status.body()));
            finish();
        }
    }

    /** Ends it once all that has happened is told. */
    void endSoon() {
        ending = true;
        pump();
    }

    void pump() {
        while (!sink.isFull() && step()) {
            // Each step sends an event, or skips one.
        }
        if (phase != Phase.OVER) {
            sink.flush();
        }
    }

    /** @return false when there is nothing more for now */
    private boolean step() {
        return switch (phase) {
            case INITIAL -> {
                tellInitial();
                yield true;
            }
            case FOLLOWING -> follow();
            case OPENING, PAUSED, OVER -> false;
        };
    }

    private void tellInitial() {
        if (initial.hasNext()) {
            ObjectNode object = initial.next();
            if (selection.wanted().test(object)) {
                sink.send(event("ADDED", object));
            }
            return;
        }
        phase = Phase.FOLLOWING;
        if (announceInitialEnd) {
            sink.send(bookmarkEvent(initialRevision, true));
        }
    }

    private boolean follow() {
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
        } else if (ending && !cursor.behind()) {
            finish();
        }
        return event != null;
    }

    /** Where a webhook converts, what follows waits. */
    private void tell(StoreEvent event) {
        Future<@Nullable Told> told = told(event);
        if (told.succeeded()) {
            send(told.result());
            return;
        }
        phase = Phase.PAUSED;
        told.onComplete(
                served -> {
                    if (phase == Phase.PAUSED) {
                        phase = Phase.FOLLOWING;
                        send(served);
                        pump();
                    }
                },
                this::refuse);
    }

    private void send(@Nullable Told told) {
        if (told != null) {
            sink.send(event(told.type(), told.object()));
        }
    }

    private Future<@Nullable Told> told(StoreEvent event) {
        if (!selection.inShard(event.object())) {
            return Future.succeededFuture();
        }
        ObjectNode previous = event.previous();
        if (selection.anyVersion()) {
            Told told = selection.of(event, event.object(), previous);
            return told == null
                    ? Future.succeededFuture()
                    : resource.conversion().toServed(told.object()).map(served -> new Told(told.type(), served));
        }
        return resource.conversion()
                .toServed(previous == null ? List.of(event.object()) : List.of(event.object(), previous))
                .map(served -> selection.of(event, served.get(0), previous == null ? null : served.get(1)));
    }

    /** @param object as served; a Status for an ERROR */
    private Buffer event(String type, ObjectNode object) {
        if (type.equals("ERROR")) {
            return json(type, Json.write(object));
        }
        byte[] json = call.accept().isPlain()
                ? encodings.of(object, renderer.drops(call))
                : Json.write(renderer.event(call, resource, object, first));
        first = false;
        return json(type, json);
    }

    /** Tells how far the client has come; says nothing while it has not taken all that there is. */
    private void bookmark() {
        pump();
        if (phase != Phase.FOLLOWING || cursor == null || cursor.lost() || sink.isFull()) {
            return;
        }
        long reached = cursor.reached();
        if (reached >= cursor.read()) {
            sink.send(bookmarkEvent(reached, false));
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
        return json("BOOKMARK", Json.write(renderer.event(call, resource, object, first)));
    }

    private static Buffer json(String type, byte[] json) {
        return Buffer.buffer(json.length + 40)
                .appendString("{\"type\":\"" + type + "\",\"object\":")
                .appendBytes(json)
                .appendString("}");
    }

    private void finish() {
        if (phase != Phase.OVER) {
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
        phase = Phase.OVER;
        initial = Collections.emptyIterator();
        if (cursor != null) {
            cursor.close();
        }
    }
}
