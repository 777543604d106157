package io.busbar.watcher.reflect;

import io.busbar.common.api.ApiFailure;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.wire.Signal;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one stream of objects going, whatever happens: list, watch from there, resume, and list again where that is lost.
 *
 * <pre>
 *            ┌──────────────── 410, unreadable, 404 ────────────────┐
 *            ▼                                                      │
 *   streaming list ──end of initial events──▶ watching ──end, cut──▶ watching from the last resourceVersion
 *     │ refused, or not understood               ▲
 *     ▼                                          │
 *   page ▶ page ▶ … ─────────────────────────────┘
 * </pre>
 *
 * <p>Whether a server knows streaming lists is found by asking for one. Since 1.27 it does, or answers 422 where the feature is
 * off; 1.19 to 1.26 answer 422 to a watch with {@code resourceVersionMatch} (seen on 1.20). What is older, or imitates, and
 * takes it for a plain watch, never marks the end of the initial events: then the stream falls silent, and after
 * {@link ReflectorOptions#listSilence()} a paged list is made instead. A stream that has fallen back stays with pages.
 *
 * <p>Guarantees: after a list, the sink holds what the list held, deletions included; events come in the server's order; a
 * failure is retried for ever, never at once if the one before it was no better, and logged once.
 *
 * <p>One context: created, started and stopped there; {@link #staleness()} is for any thread.
 */
public final class Reflector<E> {

    private static final String EARLY_END = "the watch ended as soon as it began";

    private final Vertx vertx;
    private final Context context;
    private final HttpClient http;
    private final WatchSpec<?> spec;
    private final ReflectorOptions options;
    private final Sink<E> sink;
    private final ApiRequests requests;
    private final Backoff backoff;
    private final Outage outage;
    private final StreamMetrics metrics;
    private final Liveness liveness;

    private final Progress<E> progress;

    private boolean streamingLists;
    /** Since the last watch that worked for a while. */
    private boolean endedEarly;

    private @Nullable Exchange<E> exchange;
    private long retry = -1;
    private long watchdog = -1;

    /**
     * @param watch the name of the watch, in metrics
     * @param namespace null for all
     * @param http must not retry by itself
     */
    public Reflector(
            Vertx vertx,
            HttpClient http,
            URI server,
            WatchSpec<?> spec,
            String watch,
            @Nullable String namespace,
            ReflectorOptions options,
            MeterRegistry meters,
            Sink<E> sink) {
        String where = namespace == null ? "" : namespace;
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.http = http;
        this.spec = spec;
        this.options = options;
        this.sink = sink;
        this.streamingLists = options.streamingLists();
        this.requests = new ApiRequests(http, server, spec, namespace, options);
        this.backoff = new Backoff(
                options, System::nanoTime, () -> ThreadLocalRandom.current().nextDouble());
        this.outage = new Outage(server, spec.resource(), where, System::nanoTime);
        this.liveness = new Liveness(options, System::nanoTime);
        this.metrics = new StreamMetrics(meters, watch, where, this::staleness);
        this.progress = new Progress<>(sink, metrics);
    }

    public void start() {
        watchdog = vertx.setPeriodic(watchdogMillis(), id -> check());
        list();
    }

    public void stop() {
        vertx.cancelTimer(watchdog);
        vertx.cancelTimer(retry);
        giveUp();
        metrics.close();
    }

    /** Time since the server last gave a sign of life: a response, an object, a bookmark. */
    public Duration staleness() {
        return liveness.staleness();
    }

    private void goOn() {
        if (progress.resourceVersion().isEmpty()) {
            list();
        } else {
            watch();
        }
    }

    private void list() {
        progress.beginList();
        if (streamingLists) {
            progress.beginStreamingList();
            Duration lifetime = lifetime();
            send(requests.streamingList(lifetime), lifetime);
        } else {
            page("");
        }
    }

    private void page(String continuation) {
        progress.beginPage();
        send(requests.page(continuation), Duration.ZERO);
    }

    private void watch() {
        progress.beginWatch();
        Duration lifetime = lifetime();
        send(requests.watch(progress.resourceVersion(), lifetime), lifetime);
    }

    private void send(HttpRequest request, Duration lifetime) {
        liveness.begin(lifetime);
        Exchange<E> sent = new Exchange<>(context, spec, sink, new Responses());
        exchange = sent;
        sent.send(http, request);
    }

    private void giveUp() {
        if (exchange != null) {
            exchange.cancel();
            exchange = null;
        }
    }

    private void ended() {
        Signal.ListEnd end = progress.pageEnd();
        if (progress.phase() == Phase.WATCHING && !liveness.tooShort()) {
            outage.resumed("");
            watch();
        } else if (progress.phase() == Phase.WATCHING) {
            endedEarly();
        } else if (progress.phase() == Phase.STREAMING_LIST || end == null) {
            failed(new ApiFailure.Unavailable(0, "the list broke off"));
        } else if (!end.continuation().isEmpty()) {
            page(end.continuation());
        } else {
            progress.completeList(end.resourceVersion());
            watch();
        }
    }

    /** Once is no outage: whoever changes a CRD ends the watches of its kind. */
    private void endedEarly() {
        if (endedEarly) {
            failed(new ApiFailure.Unavailable(0, EARLY_END));
            return;
        }
        endedEarly = true;
        metrics.shortWatch();
        outage.resumed(EARLY_END);
        goOnAfter(backoff.afterFailure());
    }

    private void failed(ApiFailure failure) {
        metrics.error(failure.code());
        if (progress.phase() == Phase.WATCHING && liveness.tooShort()) {
            metrics.shortWatch();
        }
        if (needsList(failure)) {
            progress.needList();
        }
        boolean fallsBack = progress.phase() == Phase.STREAMING_LIST && notUnderstood(failure);
        if (fallsBack || (progress.phase() == Phase.STREAMING_LIST && liveness.answered())) {
            streamingLists = false;
        }
        if (fallsBack || lasted() || isOutdated(failure)) {
            outage.resumed(failure.message());
            goOn();
            return;
        }
        Duration wait = backoff.afterFailure();
        outage.failed(failure, wait);
        goOnAfter(wait);
    }

    private void goOnAfter(Duration wait) {
        retry = vertx.setTimer(Math.max(1, wait.toMillis()), id -> goOn());
    }

    /** Whether this is, or was, a watch that has worked for a while. */
    private boolean lasted() {
        return progress.phase() == Phase.WATCHING && liveness.answered() && !liveness.tooShort();
    }

    /** Whether a version that was had from a list long ago is lost: a new list will serve, and no storm comes of it. */
    private boolean isOutdated(ApiFailure failure) {
        return progress.phase() == Phase.WATCHING
                && failure instanceof ApiFailure.Gone
                && !progress.listBegunWithin(options.maxDelay());
    }

    /** Whether resuming is no use: the server does not know that version any more, or never did. */
    private static boolean needsList(ApiFailure failure) {
        return failure instanceof ApiFailure.Gone || failure instanceof ApiFailure.NotFound || notUnderstood(failure);
    }

    private static boolean notUnderstood(ApiFailure failure) {
        return failure instanceof ApiFailure.Rejected && failure.code() != 401 && failure.code() != 403;
    }

    /** A second, or less where a silence is to be noticed sooner. */
    private long watchdogMillis() {
        long shortest = Math.min(
                options.listSilence().toMillis(), options.watchSilence().toMillis());
        return Math.max(1, Math.min(1000, shortest / 2));
    }

    private void check() {
        if (endedEarly && exchange != null && lasted()) {
            endedEarly = false;
            outage.over();
        }
        String verdict = exchange == null ? null : liveness.verdict(progress.phase());
        if (verdict != null) {
            giveUp();
            failed(new ApiFailure.Unavailable(0, verdict));
        }
    }

    private Duration lifetime() {
        return Duration.ofSeconds(ThreadLocalRandom.current()
                .nextLong(options.minWatch().toSeconds(), options.maxWatch().toSeconds() + 1));
    }

    private final class Responses implements Exchange.Listener<E> {

        @Override
        public void opened() {
            liveness.sign();
            if (progress.phase() != Phase.PAGING && !endedEarly) {
                outage.over();
            }
        }

        @Override
        public void arrived(List<Arrival<E>> arrivals) {
            liveness.sign();
            for (Arrival<E> arrival : arrivals) {
                if (arrival.signal() instanceof Signal.Failed failed) {
                    giveUp();
                    progress.needList();
                    failed(ApiFailure.of(failed.code(), failed.message()));
                    return;
                }
                if (arrival.signal() instanceof Signal.Bookmark) {
                    liveness.bookmark();
                }
                progress.take(arrival);
            }
        }

        @Override
        public void ended(@Nullable ApiFailure failure) {
            exchange = null;
            if (failure == null) {
                Reflector.this.ended();
            } else {
                failed(failure);
            }
        }
    }
}
