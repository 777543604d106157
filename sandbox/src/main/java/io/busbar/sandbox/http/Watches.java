package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.faults.Lags;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Shelf;
import io.busbar.sandbox.storage.WatchCursor;
import io.busbar.sandbox.verbs.Cluster;
import io.busbar.sandbox.verbs.ListQuery;
import io.busbar.sandbox.verbs.Reads;
import io.busbar.sandbox.verbs.Revision;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

/**
 * Starts watches: from a resourceVersion, or from what is there now.
 *
 * <p>One context.
 */
final class Watches {

    private static final long SHORTEST_SECONDS = 1800;

    private final Vertx vertx;
    private final Cluster cluster;
    private final Renderer renderer;
    private final Encodings encodings;
    private final Duration bookmarks;
    private final RequestLog requests;
    private final Lags lags;
    private final ListRequests lists;
    private final Set<WatchStream> open = new LinkedHashSet<>();

    Watches(
            Vertx vertx,
            Cluster cluster,
            Renderer renderer,
            Encodings encodings,
            HttpSettings settings,
            ListRequests lists) {
        this.vertx = vertx;
        this.cluster = cluster;
        this.renderer = renderer;
        this.encodings = encodings;
        this.bookmarks = settings.bookmarks();
        this.requests = settings.requests();
        this.lags = settings.lags();
        this.lists = lists;
        cluster.catalog().onChange(this::endUnserved);
    }

    /** Answers by a response without end, or over a WebSocket when the client asks for one. */
    void start(Call call, Target target) {
        ListQuery query = lists.query(call, target);
        Duration timeout = timeout(call);
        if (call.accept().as().equals("Table")) {
            Renderer.include(call);
        }
        Revision.checkReached(
                Revision.parse(query.resourceVersion()), cluster.store().revision());
        if (call.request().canUpgradeToWebSocket()) {
            call.request().toWebSocket().onSuccess(socket -> {
                requests.answered(call, 101);
                open(call, target, query, timeout, new WebSocketSink(socket));
            });
            return;
        }
        HttpServerResponse response = call.request().response();
        requests.answered(call, 200);
        response.putHeader("Audit-Id", call.id())
                .putHeader("Content-Type", "application/json")
                .putHeader("Cache-Control", "no-cache, private");
        call.warnings().forEach(warning -> response.headers().add("Warning", "299 - \"" + warning + "\""));
        open(call, target, query, timeout, new ChunkedSink(response));
    }

    /** Cuts all of them. */
    void drop() {
        List.copyOf(open).forEach(WatchStream::cut);
    }

    private void open(Call call, Target target, ListQuery query, Duration timeout, EventSink sink) {
        Resource resource = target.resource();
        Shelf shelf = cluster.store().shelf(resource.storage());
        long from = Revision.parse(query.resourceVersion());
        long now = Math.max(from, Math.max(shelf.oldest(), lags.readable(resource.storage(), query.resourceVersion())));
        boolean everything = call.query().contains("sendInitialEvents") ? call.flag("sendInitialEvents") : from == 0;
        Selection selection =
                new Selection(wanted(target, query), query.fields().isOfMetadata(), query.shard());
        List<ObjectNode> initial = everything
                ? selection.inShard(shelf.objectsAt(target.namespace(), now).values())
                : List.of();
        WatchStream stream = new WatchStream(
                call,
                sink,
                resource,
                renderer,
                encodings,
                selection,
                everything && call.flag("sendInitialEvents") && call.flag("allowWatchBookmarks"),
                now);
        open.add(stream);
        try {
            WatchCursor cursor = shelf.watch(everything || from == 0 ? now : from, stream::pump);
            Duration period = call.flag("allowWatchBookmarks") ? bookmarks : Duration.ZERO;
            stream.listen(vertx, cursor, timeout, period, () -> open.remove(stream));
        } catch (StatusException gone) {
            open.remove(stream);
            stream.refuse(gone);
            return;
        }
        resource.conversion().toServed(initial).onComplete(stream::start, stream::refuse);
    }

    /**
     * A definition that changes or goes takes its watches with it, as in the real server; what happened before is told.
     */
    private void endUnserved() {
        for (WatchStream stream : List.copyOf(open)) {
            if (!cluster.catalog().serves(stream.resource())) {
                stream.endSoon();
            }
        }
    }

    private static Predicate<ObjectNode> wanted(Target target, ListQuery query) {
        Predicate<ObjectNode> selected = Reads.matching(query);
        String namespace = target.namespace();
        return namespace.isEmpty()
                ? selected
                : object ->
                        object.path("metadata").path("namespace").asText().equals(namespace) && selected.test(object);
    }

    private static Duration timeout(Call call) {
        long seconds = call.number("timeoutSeconds", 0);
        return Duration.ofSeconds(
                seconds != 0
                        ? Math.max(0, seconds)
                        : SHORTEST_SECONDS + ThreadLocalRandom.current().nextLong(SHORTEST_SECONDS));
    }
}
