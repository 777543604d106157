package io.busbar.runtime.live;

import io.busbar.common.guard.Thrown;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who have a stream of server-sent events: all of the picture first, then each second what has changed. Nothing
 * is done while there is none. A stream ends after some seconds, so that who it is for is asked about again; the page
 * asks for the next one. One that is not read is closed.
 *
 * <p>One context.
 */
final class Readers {

    private static final Logger log = LoggerFactory.getLogger(Readers.class);
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

    void add(HttpServerResponse response) {
        response.putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream; charset=utf-8")
                .putHeader("X-Accel-Buffering", "no")
                .setChunked(true);
        response.closeHandler(closed -> open.remove(response));
        sections().onSuccess(all -> begin(response, all)).onFailure(failure -> response.reset());
    }

    private void begin(HttpServerResponse response, Map<String, String> all) {
        if (response.closed()) {
            return;
        }
        if (open.isEmpty()) {
            known.putAll(all);
        } else {
            // What those who look already know otherwise is told to all at the next tick.
            known.entrySet().retainAll(all.entrySet());
        }
        response.write(events(all));
        open.put(response, System.nanoTime() + LIFETIME.toNanos());
        if (timer == NO_TIMER) {
            timer = vertx.setPeriodic(TICK_MILLIS, tick -> tick());
        }
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
        sections()
                .onSuccess(this::tell)
                .onFailure(failure -> log.atWarn()
                        .addKeyValue("error", Thrown.text(failure))
                        .log("the live page cannot be told what has changed"));
    }

    private void tell(Map<String, String> all) {
        Map<String, String> changed = new LinkedHashMap<>(all);
        changed.entrySet().removeIf(section -> section.getValue().equals(known.get(section.getKey())));
        known.putAll(changed);
        // A comment where nothing has changed: whoever reads sees that the stream lives.
        String events = changed.isEmpty() ? ":\n\n" : events(changed);
        List.copyOf(open.keySet()).forEach(response -> response.write(events));
    }

    private Future<Map<String, String>> sections() {
        return sources.controllers().views().map(views -> new Picture(sources, Instant.now()).sections(views));
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
