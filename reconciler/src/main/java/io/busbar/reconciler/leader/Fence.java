package io.busbar.reconciler.leader;

import io.busbar.common.api.ApiCall;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets the requests of controllers pass while their replica leads, and none before or after: not even reads, since a
 * connection that is opened to run a command in a container looks like one.
 *
 * <p>Built into a client as its last interceptor, it is asked as each request is sent. What a client hands to another
 * thread on the way to the network would pass that check and could then be overtaken by time, so that {@link #over}
 * asks again on that thread. Between the last check and the network lies some tenth of a millisecond of one thread's
 * work, no more; no client can do better.
 *
 * <p>Guaranteed is that no two fences of an election are open at once. Not guaranteed is when a request arrives that
 * has passed: it may be on its way while the fence falls, and the API server may carry it out later. What there is
 * between the end of a leader's time and the end of its lease ({@link LeaderElectionOptions}) is for such a request;
 * what takes longer is stopped only by the resourceVersion or the uid that it names. Nor is anything guaranteed when
 * somebody edits or deletes the lease by hand.
 *
 * <p>Where replicas share the work, a thread that works on one object may send for that only as long as its bucket is
 * held ({@link #with}); what a thread without such a permit sends passes while this is open.
 *
 * <p>Any thread. Time is monotonic: it goes on while the process is frozen, and no correction of the clock moves it. It
 * stands still while a whole machine is suspended, as an election counts on clocks that are wrong by 1 % at most: don't
 * suspend a leader's.
 */
public final class Fence implements Interceptor, Permit {

    private final LongSupplier nanos;
    /** One value, so that no reader sees the halves of two renewals. */
    private volatile State state = State.SHUT;

    /** Of this thread, while it works on one object of many. */
    @SuppressWarnings("ThreadLocalUsage") // Each fence gives its own, and lives as long as its operator.
    private final ThreadLocal<@Nullable Grant> grant = new ThreadLocal<>();

    /** Leave to send for one object, and what became of what was sent. Any thread; takes no time. */
    @FunctionalInterface
    public interface Grant {

        /** Whether it may be sent, beside that the fence is open. */
        boolean isValid();

        /** A request is sent that may write: until it is answered, and unless that tells it, what it wrote is unknown. */
        default void writes() {}

        /**
         * A request that may write has been answered with an object as it is since, or was already.
         *
         * @param type of the object, such as {@code statefulsets.apps}
         * @param version its resourceVersion
         */
        default void wrote(String type, String version) {}
    }

    /** @param opening which opening it is; one that is renewed in time stays the same */
    private record State(boolean up, boolean forGood, long until, long opening) {

        static final State SHUT = new State(false, false, 0, 0);
    }

    /** Shut until {@link #openUntil}. */
    public Fence() {
        this(System::nanoTime);
    }

    /** @param nanos a clock as {@link System#nanoTime} */
    public Fence(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Lets requests pass up to and including this time of the clock. */
    public void openUntil(long time) {
        state = new State(true, false, time, state.opening());
    }

    /** Lets requests pass until {@link #shut}. */
    void openForGood() {
        state = new State(true, true, 0, state.opening());
    }

    /** Lets nothing pass. */
    public void shut() {
        state = new State(false, false, 0, state.opening() + 1);
    }

    /** Whether requests pass now. */
    public boolean isOpen() {
        State now = state;
        return now.up() && (now.forGood() || nanos.getAsLong() - now.until() <= 0);
    }

    /**
     * @throws FencedException unless this is open
     */
    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        if (!isOpen() || !isValid(grant.get())) {
            throw new FencedException(request.method() + ' ' + request.uri().getPath());
        }
    }

    @Override
    public void pass(String request) {
        if (!isOpen() || !isValid(grant.get())) {
            throw new FencedException(request);
        }
    }

    /** Called where {@link #before} was, after it. */
    @Override
    public AsyncBody.Consumer<List<ByteBuffer>> consumer(
            AsyncBody.Consumer<List<ByteBuffer>> reader, HttpRequest request) {
        Grant given = grant.get();
        if (given == null || request.method().equals("GET")) {
            return reader;
        }
        given.writes();
        return ApiCall.of(request.method(), request.uri())
                .<AsyncBody.Consumer<List<ByteBuffer>>>map(
                        call -> new AnsweredVersion(reader, version -> given.wrote(call.type(), version)))
                .orElse(reader);
    }

    private static boolean isValid(@Nullable Grant given) {
        return given == null || given.isValid();
    }

    /** Works on one object of many. */
    public <T> T with(Grant given, Callable<T> work) throws Exception {
        Grant before = grant.get();
        grant.set(given);
        try {
            return work.call();
        } finally {
            if (before == null) {
                grant.remove();
            } else {
                grant.set(before);
            }
        }
    }

    @Override
    public Runnable carried(Runnable work) {
        Grant given = grant.get();
        return given == null
                ? work
                : () -> {
                    grant.set(given);
                    try {
                        work.run();
                    } finally {
                        grant.remove();
                    }
                };
    }

    /**
     * An executor for the client that forgets work whose time is over; what waits for it is interrupted when its
     * operator stops.
     */
    public Executor over(Executor executor) {
        return work -> {
            Grant given = grant.get();
            long opening = state.opening();
            executor.execute(() -> {
                if (isOpen() && state.opening() == opening && isValid(given)) {
                    work.run();
                }
            });
        };
    }
}
