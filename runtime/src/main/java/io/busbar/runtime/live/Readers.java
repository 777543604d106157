package io.busbar.runtime.live;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Those who have a stream of server-sent events: all of the picture first, then each second what has changed. Nothing
 * is done while there is none. A stream ends after some seconds, so that who it is for is asked about again; the page
 * asks for the next one. One that is not read is closed.
 *
 * <p>One context.
 */
final class Readers {

    private static final long TICK_MILLIS = 1000;
    private static final long NO_TIMER = -1;

    /** Less than a request may take on this port. */
    private static final Duration LIFETIME = Duration.ofSeconds(20);

    private final Vertx vertx;
    private final LiveSources sources;
    /** With the time at which each stream ends, by {@link System#nanoTime()}. */
    private final Map<HttpServerResponse, Long> open = new LinkedHashMap<>();

    /** As all readers know them. */
    private final Map<String, String> known = new HashMap<>();

    private long timer = NO_TIMER;

    Readers(Vertx vertx, LiveSources sources) {
        this.vertx = vertx;
        this.sources = sources;
    }

    void add(RoutingContext request) {
        HttpServerResponse response = request.response();
        response.putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream; charset=utf-8")
                .putHeader("X-Accel-Buffering", "no")
                .setChunked(true);
        response.exceptionHandler(failed -> open.remove(response));
        response.closeHandler(closed -> open.remove(response));
        sources.controllers().views().onSuccess(views -> {
            if (response.closed()) {
                return;
            }
            Map<String, String> all = new Picture(sources, Instant.now()).sections(views);
            // To those who look already, what has changed is told at the next tick.
            if (open.isEmpty()) {
                known.clear();
                known.putAll(all);
            }
            response.write(events(all));
            open.put(response, System.nanoTime() + LIFETIME.toNanos());
            if (timer == NO_TIMER) {
                timer = vertx.setPeriodic(TICK_MILLIS, tick -> tick());
            }
        });
    }

    private void tick() {
        long now = System.nanoTime();
        for (HttpServerResponse response : List.copyOf(open.keySet())) {
            if (response.writeQueueFull()) {
                open.remove(response);
                response.reset();
            } else if (now - open.getOrDefault(response, now) >= 0) {
                open.remove(response);
                response.end();
            }
        }
        if (open.isEmpty()) {
            vertx.cancelTimer(timer);
            timer = NO_TIMER;
            known.clear();
            return;
        }
        sources.controllers().views().onSuccess(views -> {
            Map<String, String> changed = new Picture(sources, Instant.now()).sections(views);
            changed.entrySet().removeIf(section -> section.getValue().equals(known.get(section.getKey())));
            known.putAll(changed);
            // A comment where nothing has changed: whoever reads sees that the stream lives.
            String events = changed.isEmpty() ? ":\n\n" : events(changed);
            List.copyOf(open.keySet()).forEach(response -> response.write(events));
        });
    }

    private static String events(Map<String, String> sections) {
        StringBuilder events = new StringBuilder();
        sections.forEach((name, json) -> events.append("event: ")
                .append(name)
                .append("\ndata: ")
                .append(json)
                .append("\n\n"));
        return events.toString();
    }
}
