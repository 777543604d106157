package io.busbar.reconciler.source;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks something outside the cluster about each primary, again and again, and has the primary reconciled when the
 * answer is another. The reconciler reads the last answer with {@link io.busbar.reconciler.ReconcileContext#polled}.
 *
 * <pre>{@code
 * static final PollingSource<Build, String, String> HEAD = PollingSource.every(
 *         "git-head", Duration.ofSeconds(30), build -> build.getSpec().url(), git::head);
 *
 * Controller.of(Build.class, reconciler).source(HEAD);
 * // and in the reconciler:
 * Optional<String> head = context.polled(HEAD);
 * }</pre>
 *
 * <p>Guarantees: an answer is given to the question that was asked, so that a changed spec never reads what was found
 * for the one before; a primary is asked about once at a time; the questions of an interval are spread over it; none
 * runs on an event loop. An answer that is late holds up the primaries behind it, and never the reconciles.
 *
 * <p>Immutable, if the functions are.
 *
 * @param name stands in logs and metrics; unique in a controller
 * @param interval in which each primary is asked about once
 * @param atOnce how many polls of this controller run at once
 * @param question what to ask for a primary, which answers are kept for; null for nothing. Pure and quick, and equal
 *     for equal questions.
 * @param poll asks it; may block, and must have a time limit of its own
 */
public record PollingSource<P extends HasMetadata, Q, A>(
        String name,
        Duration interval,
        int atOnce,
        Function<? super P, ? extends @Nullable Q> question,
        Poll<Q, A> poll)
        implements EventSource<P> {

    /** Asks one question. */
    @FunctionalInterface
    public interface Poll<Q, A> {

        /**
         * Any thread; may block.
         *
         * @return compared with the answer before by {@code equals}; empty if there is nothing
         * @throws Exception to keep the last answer and ask again after the interval
         */
        Optional<A> ask(Q question) throws Exception;
    }

    /** With 4 polls at once. */
    public static <P extends HasMetadata, Q, A> PollingSource<P, Q, A> every(
            String name, Duration interval, Function<? super P, ? extends @Nullable Q> question, Poll<Q, A> poll) {
        return new PollingSource<>(name, interval, 4, question, poll);
    }

    /** How many polls run at once: as many as it takes to ask about all primaries within the interval. */
    public PollingSource<P, Q, A> atOnce(int polls) {
        return new PollingSource<>(name, interval, polls, question, poll);
    }
}
