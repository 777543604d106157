package io.busbar.watcher.reflect;

import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.guard.Guard;
import io.busbar.common.traffic.RequestGate;
import io.busbar.common.watch.OthersWrites;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.reflect.Ending.How;
import io.busbar.watcher.wire.RawObject;
import io.busbar.watcher.wire.Signal;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one stream of objects going, whatever happens: list, watch from there, resume, and list again where that is
 * lost. What it is doing is its {@link State}; what follows, and when, its {@link RetryPolicy} decides.
 *
 * <p>Whether a server knows streaming lists is found by asking for one. Since 1.27 it does, or answers 422 where the
 * feature is off; 1.19 to 1.26 answer 422 to a watch with {@code resourceVersionMatch} (seen on 1.20). What is older,
 * or imitates, and takes it for a plain watch, never marks the end of the initial events: then the stream falls silent,
 * and after {@link ReflectorOptions#listSilence()} a paged list is made instead. A stream that has fallen back stays
 * with pages.
 *
 * <p>Guarantees: after a list, the sink holds what the list held, deletions included; events come in the server's
 * order; a failure is retried for ever, never at once if the one before it was no better, and logged once; a list is
 * never repeated without a wait. That holds for whatever the sink throws as well: what it was told of may be incomplete
 * then, and all is listed again. No request is sent while the {@link RequestGate} of the client is shut; lists take
 * turns there.
 *
 * <p>One context: created, started and stopped there; {@link #staleness()} and {@link #status()} are for any thread.
 */
public final class Reflector<E> {

    private static final long NO_TIMER = -1;

    private final Vertx vertx;
    private final Context context;
    private final HttpClient http;
    private final WorkerExecutor threads;
    private final RequestGate gate;
    private final Guard guard;
    private final WatchSpec<?> spec;
    private final String namespace;
    private final ReflectorOptions options;
    private final Sink<E> sink;
    private final @Nullable Predicate<String> owners;
    private final ApiRequests requests;
    private final RetryPolicy policy;
    private final Outage outage;
    private final StreamMetrics metrics;
    private final Liveness liveness;
    private final Progress<E> progress;
    private final CatchUp catchUp;

    private volatile State state;
    /** Why all is listed again, or was; empty where it never was. */
    private volatile String relistReason = "";
    /** Null while none is under way. */
    private @Nullable Exchange<E> exchange;

    /** Whether a list is to follow that begins later than what is under way. */
    private boolean listWanted;

    private long timer = NO_TIMER;
    private long watchdog = NO_TIMER;

    /**
     * @param watch the name of the watch, in metrics
     * @param namespace null for all
     * @param http must not retry by itself
     * @param threads that requests are sent from, which may block them
     * @param guard counts what is thrown that should not be
     * @param owners whether an object is brought to the sink, by the uid of whoever controls it, which is empty where
     *     nobody does; null to bring all. Asked on any thread. It may change: where it says yes to more than before,
     *     {@link #listAnew} has to follow
     */
    public Reflector(
            Vertx vertx,
            HttpClient http,
            WorkerExecutor threads,
            Guard guard,
            URI server,
            WatchSpec<?> spec,
            @Nullable Predicate<String> owners,
            String watch,
            @Nullable String namespace,
            ReflectorOptions options,
            MeterRegistry meters,
            Sink<E> sink) {
        String where = namespace == null ? "" : namespace;
        this.namespace = where;
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.http = http;
        this.threads = threads;
        this.gate = RequestGate.of(http);
        this.guard = guard;
        this.spec = spec;
        this.options = options;
        this.sink = sink;
        this.owners = owners;
        this.requests = new ApiRequests(http, server, spec, namespace, options);
        this.policy = new RetryPolicy(
                options, System::nanoTime, () -> ThreadLocalRandom.current().nextDouble());
        this.outage = new Outage(server, spec.resource(), where, System::nanoTime);
        this.liveness = new Liveness(options, System::nanoTime);
        this.metrics = new StreamMetrics(meters, watch, where, this::staleness);
        this.progress = new Progress<>(sink, metrics, owners);
        this.catchUp = new CatchUp(vertx, new Beside());
        this.state = policy.list();
    }

    public void start() {
        watchdog = vertx.setPeriodic(watchdogMillis(), id -> guard.run(this::check));
        guard.run(() -> enter(policy.list()));
    }

    public void stop() {
        vertx.cancelTimer(watchdog);
        vertx.cancelTimer(timer);
        giveUp();
        catchUp.stop();
        metrics.close();
    }

    /**
     * Lists again, though nothing is lost: at once where a watch is under way, else when its time comes; a list that is
     * under way comes to its end before.
     */
    public void listAnew() {
        listWanted = true;
        catchUp.lists(); // which may have to wait for its turn: nothing that is held until then counts
        if (state instanceof State.Watching && exchange != null) {
            giveUp();
            enter(policy.list());
        }
    }

    /**
     * Has the sink hold what others have written until a moment. Where no list has begun since, and it is not known
     * what they wrote, that takes a list of metadata, and a list of all where the watch turns out to be late.
     *
     * @return completes when it does, however often that has to be tried; fails once this is stopped
     */
    public Future<Void> caughtUp(OthersWrites writes) {
        Map<String, String> versions = writes.versions();
        return versions == null
                ? catchUp.since(writes.until())
                : catchUp.upTo(versions.getOrDefault(spec.resource().toString(), ""), writes.until());
    }

    /** Time since the server last gave a sign of life: a response, an object, a bookmark. */
    public Duration staleness() {
        return liveness.staleness();
    }

    /** How it is doing. Any thread. */
    public StreamStatus status() {
        return new StreamStatus(
                namespace,
                phase(state),
                liveness.staleness(),
                liveness.bookmarkAge(),
                progress.resourceVersion(),
                progress.relists(),
                progress.relists() == 0 ? "" : relistReason,
                outage.reason());
    }

    private static StreamStatus.Phase phase(State state) {
        if (state instanceof State.Waiting) {
            return StreamStatus.Phase.WAITING;
        }
        return state instanceof State.Watching ? StreamStatus.Phase.WATCHING : StreamStatus.Phase.LISTING;
    }

    /** Why the stream cannot be had at present, in the API server's words; empty where it can. Any thread. */
    public String failure() {
        return outage.reason();
    }

    private void enter(State wanted) {
        if (wanted instanceof State.Waiting waiting) {
            await(waiting);
            return;
        }
        State next = listWanted && wanted instanceof State.Watching ? policy.list() : wanted;
        Duration turn = next instanceof State.Watching ? gate.pause() : gate.turn();
        if (turn.isZero()) {
            begin(next);
        } else {
            await(new State.Waiting(next, turn));
        }
    }

    private void await(State.Waiting waiting) {
        state = waiting;
        timer = vertx.setTimer(Math.max(1, waiting.time().toMillis()), id -> {
            timer = NO_TIMER;
            guard.run(() -> waited(waiting.next()));
        });
    }

    /** It has had its turn, but the gate may have been shut meanwhile. */
    private void waited(State next) {
        if (listWanted && next instanceof State.Watching) {
            enter(next);
            return;
        }
        Duration pause = gate.pause();
        if (pause.isZero()) {
            begin(next);
        } else {
            await(new State.Waiting(next, pause));
        }
    }

    private void begin(State request) {
        state = request;
        if (request.beginsList()) {
            catchUp.lists();
            progress.beginList(listWanted);
            listWanted = false;
        }
        if (request instanceof State.Paging page) {
            progress.beginPage();
            send(requests.page(page.continuation()), Duration.ZERO);
            return;
        }
        Duration lifetime = lifetime();
        if (request instanceof State.Watching) {
            progress.beginWatch();
            send(requests.watch(progress.resourceVersion(), lifetime), lifetime);
        } else {
            send(requests.streamingList(lifetime), lifetime);
        }
    }

    private void send(HttpRequest request, Duration lifetime) {
        liveness.begin(lifetime);
        Exchange<E> sent = new Exchange<>(context, spec, owners, sink::prepare, guard, new Responses());
        exchange = sent;
        sent.send(threads, http, request);
    }

    private void giveUp() {
        if (exchange != null) {
            exchange.cancel();
            exchange = null;
        }
    }

    /** The request has ended, or was given up. */
    private void ended(How how, @Nullable ApiFailure failure, Duration pause) {
        giveUp();
        Signal.@Nullable ListEnd page = how == How.COMPLETE ? progress.pageEnd() : null;
        State ended = state;
        if (ended instanceof State.Paging && page != null && page.continuation().isEmpty()) {
            progress.completeList(page.resourceVersion());
            catchUp.listed(progress.listBegun(), listWanted);
        }
        Ending ending = new Ending(
                how,
                failure,
                page == null ? null : page.continuation(),
                liveness.answered(),
                liveness.fruitful(),
                liveness.age(),
                pause);
        RetryPolicy.Step step = policy.after(ended, ending);
        report(ended, step, ending);
        if (ended instanceof State.Watching && !leadsToWatch(step.next())) {
            relistReason = failure == null ? "the watch ended" : failure.message();
        }
        enter(step.next());
    }

    private static boolean leadsToWatch(State next) {
        return (next instanceof State.Waiting waiting ? waiting.next() : next) instanceof State.Watching;
    }

    private void report(State ended, RetryPolicy.Step step, Ending ending) {
        ApiFailure failure = step.failure();
        if (failure != null) {
            metrics.error(failure.code());
        }
        if (ended instanceof State.Watching && ending.lasted().compareTo(options.shortStream()) < 0) {
            metrics.shortWatch();
        }
        if (step.outage()) {
            outage.failed(
                    Objects.requireNonNullElseGet(failure, () -> new ApiFailure.Unavailable(0, "it ended")),
                    step.next() instanceof State.Waiting waiting ? waiting.time() : Duration.ZERO);
        } else if (ended instanceof State.Watching || failure != null) {
            outage.resumed(failure == null ? "" : failure.message());
        }
    }

    /** A second, or less where a silence is to be noticed sooner. */
    private long watchdogMillis() {
        long shortest = Math.min(
                options.listSilence().toMillis(), options.watchSilence().toMillis());
        return Math.max(1, Math.min(1000, shortest / 2));
    }

    private void check() {
        if (exchange == null) {
            if (timer == NO_TIMER) { // what should have gone on has thrown
                ended(How.LOST, new ApiFailure.Unavailable(0, "the stream had stopped"), Duration.ZERO);
            }
            return;
        }
        boolean watching = state instanceof State.Watching;
        if (watching && policy.isGood(liveness.answered(), liveness.fruitful(), liveness.age())) {
            outage.over();
        }
        String verdict = liveness.verdict(watching);
        if (verdict != null) {
            ended(How.FAILED, new ApiFailure.Unavailable(0, verdict), Duration.ZERO);
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
        }

        @Override
        public void arrived(List<Arrival<E>> arrivals) {
            liveness.sign();
            for (Arrival<E> arrival : arrivals) {
                if (arrival.signal() instanceof Signal.Failed failed) {
                    Reflector.this.ended(How.LOST, ApiFailure.of(failed.code(), failed.message()), Duration.ZERO);
                    return;
                }
                if (arrival.signal() instanceof Signal.Bookmark) {
                    liveness.bookmark();
                }
                liveness.fruit();
                progress.take(arrival);
                if (state instanceof State.StreamingList && !progress.listing()) {
                    state = new State.Watching();
                    outage.over();
                    catchUp.listed(progress.listBegun(), listWanted);
                }
            }
            if (listWanted) {
                listAnew();
            }
        }

        @Override
        public void ended(How how, @Nullable ApiFailure failure, Duration pause) {
            exchange = null;
            Reflector.this.ended(how, failure, pause);
        }
    }

    /** What a look beside the watch needs; its requests take their turns as all lists do. */
    private final class Beside implements CatchUp.Stream {

        @Override
        public Exchange<ObjectKey> page(String continuation, Exchange.Listener<ObjectKey> listener) {
            Exchange<ObjectKey> page = new Exchange<>(context, spec, owners, RawObject::key, guard, listener);
            send(page, requests.pageOfMetadata(continuation), gate.turn());
            return page;
        }

        private void send(Exchange<ObjectKey> page, HttpRequest request, Duration wait) {
            if (wait.isZero()) {
                page.send(threads, http, request);
            } else {
                vertx.setTimer(Math.max(1, wait.toMillis()), id -> send(page, request, gate.pause()));
            }
        }

        @Override
        public boolean keeps(RawObject object) {
            return progress.keeps(object);
        }

        @Override
        public String resourceVersion() {
            return progress.resourceVersion();
        }

        @Override
        public Set<ObjectKey> keys() {
            return sink.keys();
        }

        @Override
        public @Nullable String version(ObjectKey key) {
            return sink.version(key);
        }

        @Override
        public void listAnew(ApiFailure why, Duration pause) {
            if (state instanceof State.Waiting) {
                vertx.cancelTimer(timer);
                timer = NO_TIMER;
                state = new State.Watching();
            }
            ended(How.LOST, why, pause);
        }
    }
}
