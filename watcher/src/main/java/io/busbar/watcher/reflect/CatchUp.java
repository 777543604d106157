package io.busbar.watcher.reflect;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceVersions;
import io.busbar.common.api.ApiFailure;
import io.busbar.watcher.reflect.Ending.How;
import io.busbar.watcher.wire.RawObject;
import io.busbar.watcher.wire.Signal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a watch has told of all that the API server has, by a list of metadata beside it: from the watch
 * itself, however late it is, nobody can tell. What is there is left a moment to arrive; where it does not, or where
 * the list fails, the stream has to list anew.
 *
 * <p>One context.
 */
final class CatchUp {

    /** How late a watch may be before it is given up: well above what a busy API server takes. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** In which the watch of so many objects that they take several pages is likely to tell of something. */
    private static final Duration RARELY_QUIET = Duration.ofMillis(300);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);
    /** How long a page may take. */
    private static final Duration ANSWER = Duration.ofSeconds(10);

    /** What this asks of the stream that it belongs to. */
    interface Stream {

        /** Sends a request whose answer is a page of metadata, when it is its turn. */
        Exchange<ObjectKey> page(String continuation, Exchange.Listener<ObjectKey> listener);

        /** Whether an object is one of those that the sink is brought. */
        boolean keeps(RawObject object);

        /** The version that the sink has reached. */
        String resourceVersion();

        /** The keys that the sink holds. */
        Set<ObjectKey> keys();

        /** The version in which the sink holds an object; null where it does not. */
        @Nullable
        String version(ObjectKey key);

        /** The stream is behind, or how far it is cannot be found out: it has to list anew. */
        void listAnew(ApiFailure why, Duration pause);
    }

    /** @param moment by {@link System#nanoTime()} */
    private record Waiting(long moment, Promise<Void> promise) {}

    private final Vertx vertx;
    private final Stream stream;
    private final List<Waiting> waiting = new ArrayList<>();
    private @Nullable Comparison running;
    /** When the last list that is whole began; null while none is. */
    private @Nullable Long listBegun;
    /** Whether a list is under way, or about to be. */
    private boolean listing = true;

    /** The version of a list that the sink was found to hold all of, since it was listed itself; empty for none. */
    private String compared = "";

    private boolean stopped;

    CatchUp(Vertx vertx, Stream stream) {
        this.vertx = vertx;
        this.stream = stream;
    }

    /** As {@link Reflector#caughtUp}. */
    Future<Void> since(long moment) {
        if (listBegun != null && listBegun - moment >= 0) {
            return Future.succeededFuture();
        }
        if (stopped) {
            return Future.failedFuture("the watch has stopped");
        }
        Promise<Void> promise = Promise.promise();
        waiting.add(new Waiting(moment, promise));
        goOn();
        return promise.future();
    }

    /**
     * As {@link #since}, where it is known what was written since the sink was last found to hold all.
     *
     * @param version the newest that was written; empty where nothing was
     */
    Future<Void> upTo(String version, long moment) {
        Promise<Void> promise = Promise.promise();
        await(version, moment, System.nanoTime(), promise);
        return promise.future();
    }

    private void await(String version, long moment, long begun, Promise<Void> promise) {
        boolean there = version.isEmpty() || isUpTo(stream.resourceVersion(), version) || isUpTo(compared, version);
        if (there && !listing) {
            promise.complete();
        } else if (stopped || System.nanoTime() - begun > RARELY_QUIET.toNanos()) {
            since(moment).onComplete(promise);
        } else {
            vertx.setTimer(LOOK_AGAIN.toMillis(), id -> await(version, moment, begun, promise));
        }
    }

    /** The stream is going to list: whoever waits, waits for that. */
    void lists() {
        listing = true;
        compared = "";
        if (running != null) {
            running.cancel();
            running = null;
        }
    }

    /**
     * @param begun when the list that is whole now began
     * @param again whether another one follows at once
     */
    void listed(long begun, boolean again) {
        listing = again;
        listBegun = begun;
        reached(begun);
    }

    void stop() {
        stopped = true;
        lists();
        List<Waiting> left = List.copyOf(waiting);
        waiting.clear();
        left.forEach(each -> each.promise.fail("the watch has stopped"));
    }

    /** The sink holds what there was at a moment. */
    private void reached(long moment) {
        List<Waiting> done =
                waiting.stream().filter(each -> moment - each.moment >= 0).toList();
        waiting.removeAll(done);
        done.forEach(each -> each.promise.complete());
        goOn();
    }

    private void goOn() {
        if (running == null && !listing && !waiting.isEmpty()) {
            Comparison begun = new Comparison();
            running = begun;
            begun.ask("");
        }
    }

    /** One list of metadata, and what the sink lacks of it. */
    private final class Comparison implements Exchange.Listener<ObjectKey> {

        private final long begun = System.nanoTime();
        private final Set<ObjectKey> listed = new HashSet<>();
        /** What the sink has not got yet: in which version it was listed, or empty where it was not. */
        private final Map<ObjectKey, String> late = new HashMap<>();

        private @Nullable Exchange<ObjectKey> exchange;
        private long deadline;
        private Signal.@Nullable ListEnd end;
        private long complete;
        /** Whether the first page was given its time. */
        private boolean waited;

        void ask(String continuation) {
            end = null;
            exchange = stream.page(continuation, this);
            deadline = vertx.setTimer(ANSWER.toMillis(), id -> {
                cancel();
                giveUp(
                        new ApiFailure.Unavailable(0, "a list took longer than " + ANSWER.toSeconds() + " s"),
                        Duration.ZERO);
            });
        }

        void cancel() {
            vertx.cancelTimer(deadline);
            if (exchange != null) {
                exchange.cancel();
                exchange = null;
            }
        }

        @Override
        public void opened() {
            // what counts is what arrives
        }

        @Override
        public void arrived(List<Arrival<ObjectKey>> arrivals) {
            for (Arrival<ObjectKey> arrival : arrivals) {
                if (arrival.signal() instanceof Signal.Listed item) {
                    compare(item.object());
                } else if (arrival.signal() instanceof Signal.ListEnd whole) {
                    end = whole;
                }
            }
        }

        private void compare(RawObject object) {
            if (!stream.keeps(object)) {
                return;
            }
            listed.add(object.key());
            if (!isThere(object.key(), object.resourceVersion())) {
                late.put(object.key(), object.resourceVersion());
            }
        }

        @Override
        public void ended(How how, @Nullable ApiFailure failure, Duration pause) {
            exchange = null;
            vertx.cancelTimer(deadline);
            Signal.ListEnd page = end;
            if (failure != null || page == null) {
                giveUp(failure == null ? new ApiFailure.Unavailable(0, "a list broke off") : failure, pause);
            } else if (!page.continuation().isEmpty()) {
                complete = System.nanoTime();
                goOn(page);
            } else {
                complete = System.nanoTime();
                for (ObjectKey key : stream.keys()) {
                    if (!listed.contains(key)) {
                        late.put(key, "");
                    }
                }
                settle(page.resourceVersion());
            }
        }

        /** Asks for the next page, unless the watch passes the version of the list first: it has told of all then. */
        private void goOn(Signal.ListEnd page) {
            if (running != this) {
                return;
            }
            if (isUpTo(stream.resourceVersion(), page.resourceVersion())) {
                running = null;
                reached(begun);
            } else if (waited || System.nanoTime() - complete > RARELY_QUIET.toNanos()) {
                waited = true;
                ask(page.continuation());
            } else {
                vertx.setTimer(LOOK_AGAIN.toMillis(), id -> goOn(page));
            }
        }

        private void settle(String version) {
            if (running != this) {
                return;
            }
            boolean passed = isUpTo(stream.resourceVersion(), version);
            if (!passed) {
                late.entrySet().removeIf(each -> hasCome(each.getKey(), each.getValue(), version));
            }
            if (passed || late.isEmpty()) {
                running = null;
                compared = version;
                reached(begun);
            } else if (System.nanoTime() - complete > PATIENCE.toNanos()) {
                ObjectKey one = late.keySet().iterator().next();
                giveUp(
                        new ApiFailure.Unavailable(0, "the watch is late: " + late.size() + " such as " + one),
                        Duration.ZERO);
            } else {
                vertx.setTimer(LOOK_AGAIN.toMillis(), id -> settle(version));
            }
        }

        /** @param version of the whole list */
        private boolean hasCome(ObjectKey key, String wanted, String version) {
            if (!wanted.isEmpty()) {
                return isThere(key, wanted);
            }
            String held = stream.version(key);
            return held == null || (!held.equals(version) && isUpTo(held, version));
        }

        private boolean isThere(ObjectKey key, String wanted) {
            String held = stream.version(key);
            return held != null && (held.equals(wanted) || isUpTo(held, wanted));
        }

        private void giveUp(ApiFailure why, Duration pause) {
            running = null;
            stream.listAnew(why, pause);
        }
    }

    private static boolean isUpTo(String version, String wanted) {
        return ResourceVersions.compare(version, wanted).orElse(-1) >= 0;
    }
}
