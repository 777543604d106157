package io.busbar.watcher.reflect;

import io.busbar.common.api.ApiFailure;
import io.busbar.watcher.reflect.Ending.How;
import java.time.Duration;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a stream does next, when a request has ended, and when.
 *
 * <pre>
 *   ended                         next              when
 *   ───────────────────────────── ───────────────── ──────────────────────────────
 *   page, more to come            the next page     at once
 *   last page                     watch             at once
 *   streaming list, refused       list in pages     at once, and never a streaming list again
 *   list, otherwise               list              after a wait of lists
 *   watch, its version lost       list              after a wait of lists
 *   watch that had lasted         watch             at once
 *   watch, otherwise              watch             after a wait of watches
 * </pre>
 *
 * <p>Waits double, from the first to the longest, with jitter. Those of lists begin anew when no list was needed for a
 * healthy while; a list that succeeds changes nothing, as the watch after it may be lost at once, again and again.
 * Those of watches begin anew after a watch that worked: that lasted, or told of changes. A pause that the server asks
 * for makes any of them longer.
 *
 * <p>Guarantees: but for the change to pages, no list follows another without a wait, so that in any time there are no
 * more than the waits allow, whatever the server does. Those that the reflector is told to make come on top.
 *
 * <p>One context. Asks nobody but its clock, and its dice.
 */
final class RetryPolicy {

    /** An ending that is no fault of anybody: what goes on after so many of them in a row at most is no outage. */
    private static final int QUIET = 2;

    private static final double JITTER = 0.25;

    private final ReflectorOptions options;
    private final LongSupplier nanos;
    private final DoubleSupplier random;
    private final Waits lists;
    private final Waits watches;
    private boolean streamingLists;

    /**
     * @param nanos a monotonic clock
     * @param random from 0 to 1
     */
    RetryPolicy(ReflectorOptions options, LongSupplier nanos, DoubleSupplier random) {
        this.options = options;
        this.nanos = nanos;
        this.random = random;
        this.lists = new Waits();
        this.watches = new Waits();
        this.streamingLists = options.streamingLists();
    }

    /**
     * What is done next.
     *
     * @param failure to be counted; null where none is
     * @param outage whether people are to be told that the stream cannot be had, if they have not been
     */
    record Step(State next, @Nullable ApiFailure failure, boolean outage) {}

    /** How a stream begins, and begins anew. */
    State list() {
        return streamingLists ? new State.StreamingList() : State.Paging.FIRST;
    }

    /**
     * @param ended not {@link State.Waiting}
     */
    Step after(State ended, Ending ending) {
        return ended instanceof State.Watching ? afterWatch(ending) : afterList(ended, ending);
    }

    /** Whether a watch has worked, or works so far. */
    boolean isGood(boolean answered, boolean fruitful, Duration lasted) {
        return answered && (fruitful || lasted.compareTo(options.shortStream()) >= 0);
    }

    private Step afterList(State ended, Ending ending) {
        if (ending.how() == How.COMPLETE && ended instanceof State.Paging && ending.nextPage() != null) {
            State next = ending.nextPage().isEmpty() ? new State.Watching() : new State.Paging(ending.nextPage());
            return new Step(next, null, false);
        }
        ApiFailure failure =
                Objects.requireNonNullElse(ending.failure(), new ApiFailure.Unavailable(0, "the list broke off"));
        if (ended instanceof State.StreamingList && isNotUnderstood(failure)) {
            streamingLists = false;
            return new Step(State.Paging.FIRST, failure, false);
        }
        // Whoever begins a streaming list and does not end it may not know that there is such a thing.
        boolean suspect = ending.how() != How.CUT || lists.count() >= QUIET;
        streamingLists &= !(ended instanceof State.StreamingList && ending.answered() && suspect);
        return again(list(), lists, failure, ending, ending.how() == How.CUT);
    }

    private Step afterWatch(Ending ending) {
        boolean good = isGood(ending.answered(), ending.fruitful(), ending.lasted());
        if (good) {
            watches.beginAnew();
        }
        ApiFailure failure = ending.failure();
        if (ending.how() == How.LOST || isLost(failure)) {
            return again(list(), lists, failure, ending, good);
        }
        if (ending.answered() && ending.lasted().compareTo(options.shortStream()) >= 0) {
            return new Step(new State.Watching(), failure, false);
        }
        boolean blameless = ending.how() == How.COMPLETE || ending.how() == How.CUT;
        Step step = again(new State.Watching(), watches, failure, ending, blameless);
        boolean counts = failure != null || watches.count() > 1;
        return new Step(step.next(), counts ? orEarlyEnd(failure) : null, step.outage());
    }

    private static ApiFailure orEarlyEnd(@Nullable ApiFailure failure) {
        return failure != null ? failure : new ApiFailure.Unavailable(0, "the watch ended as soon as it began");
    }

    /** @param blameless whether it happens now and then, and is no outage unless it goes on */
    private Step again(State next, Waits waits, @Nullable ApiFailure failure, Ending ending, boolean blameless) {
        Duration wait = waits.next();
        boolean asked = !ending.pause().isZero();
        Duration time =
                wait.compareTo(ending.pause()) > 0 ? wait : ending.pause().plus(wait);
        return new Step(new State.Waiting(next, time), failure, !((blameless || asked) && waits.count() <= QUIET));
    }

    /** Whether resuming is no use: the server does not know that version any more, or never did. */
    private static boolean isLost(@Nullable ApiFailure failure) {
        return failure instanceof ApiFailure.Gone
                || failure instanceof ApiFailure.NotFound
                || (failure != null && isNotUnderstood(failure));
    }

    private static boolean isNotUnderstood(ApiFailure failure) {
        return failure instanceof ApiFailure.Rejected && failure.code() != 401 && failure.code() != 403;
    }

    /** The waits of one kind of request, each twice as long as the one before. */
    private final class Waits {

        private long nextNanos = options.firstDelay().toNanos();
        private int count;
        private long last;

        Duration next() {
            long now = nanos.getAsLong();
            if (now - last > options.healthyAfter().toNanos()) {
                beginAnew();
            }
            count++;
            long longest = options.maxDelay().toNanos();
            long wait = Math.min(longest, (long) (nextNanos * (1 - JITTER + 2 * JITTER * random.getAsDouble())));
            nextNanos = Math.min(longest, 2 * nextNanos);
            last = now + wait;
            return Duration.ofNanos(wait);
        }

        /** How many there were in a row. */
        int count() {
            return count;
        }

        void beginAnew() {
            nextNanos = options.firstDelay().toNanos();
            count = 0;
        }
    }
}
