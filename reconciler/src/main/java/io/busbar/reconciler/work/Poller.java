package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.guard.Thrown;
import io.busbar.reconciler.source.PollingSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Asks the questions of one polling source, and remembers the last answer of each primary.
 *
 * <p>An answer holds for the primary and the question that it was given to. Of two that were asked for at the same
 * time, by the poll and by a reconcile, the one that was asked for later stays.
 *
 * <p>Any thread; blocks as long as the source's poll does.
 */
final class Poller<P extends HasMetadata, Q, A> {

    private static final Logger log = LoggerFactory.getLogger(Poller.class);
    private static final long BETWEEN_REPORTS = Duration.ofMinutes(1).toNanos();

    private final String controller;
    private final PollingSource<? super P, Q, A> source;
    private final Counter changed;
    private final Counter unchanged;
    private final Counter failed;
    private final Map<ObjectKey, Answer<Q, A>> answers = new ConcurrentHashMap<>();
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong nextReport = new AtomicLong(System.nanoTime());

    /** @param asked ascending in the order of the questions */
    private record Answer<Q, A>(String uid, Q question, Optional<A> answer, long asked) {

        private boolean isTo(String primary, Q now) {
            return uid.equals(primary) && question.equals(now);
        }
    }

    Poller(String controller, PollingSource<? super P, Q, A> source, MeterRegistry meters) {
        this.controller = controller;
        this.source = source;
        this.changed = polls("changed", meters);
        this.unchanged = polls("unchanged", meters);
        this.failed = polls("failed", meters);
    }

    private Counter polls(String result, MeterRegistry meters) {
        return Counter.builder("busbar_polls")
                .description("Questions that polling event sources have asked.")
                .tag("controller", controller)
                .tag("source", source.name())
                .tag("result", result)
                .register(meters);
    }

    PollingSource<? super P, Q, A> source() {
        return source;
    }

    /**
     * The last answer to what the primary asks; asks now where there is none yet.
     *
     * @return empty where nothing is to be asked, too
     * @throws Exception of the source's poll
     */
    Optional<A> read(P primary) throws Exception {
        Q question = source.question().apply(primary);
        if (question == null) {
            return Optional.empty();
        }
        Answer<Q, A> known = answers.get(ObjectKey.of(primary));
        return known != null && known.isTo(uid(primary), question) ? known.answer() : ask(primary, question);
    }

    /**
     * Asks once more.
     *
     * @return whether the answer is another than the last; false where none was given
     */
    boolean poll(P primary) {
        ObjectKey key = ObjectKey.of(primary);
        Q question = source.question().apply(primary);
        if (question == null) {
            answers.remove(key);
            return false;
        }
        Answer<Q, A> before = answers.get(key);
        try {
            Optional<A> now = ask(primary, question);
            boolean differs = before == null
                    || !before.isTo(uid(primary), question)
                    || !before.answer().equals(now);
            (differs ? changed : unchanged).increment();
            return differs;
        } catch (Exception failure) { // the world's, or the poll's own: the last answer stands
            failed.increment();
            report(key, failure);
            return false;
        }
    }

    private Optional<A> ask(P primary, Q question) throws Exception {
        long number = asked.incrementAndGet();
        Optional<A> answer = Objects.requireNonNull(
                source.poll().ask(question), () -> "event source " + source.name() + " gave null");
        answers.merge(
                ObjectKey.of(primary),
                new Answer<>(uid(primary), question, answer, number),
                (before, now) -> now.asked() > before.asked() ? now : before);
        return answer;
    }

    /** Answers of all others are forgotten. */
    void retain(Collection<ObjectKey> primaries) {
        answers.keySet().retainAll(primaries);
    }

    void forget(ObjectKey key) {
        answers.remove(key);
    }

    private void report(ObjectKey key, Exception failure) {
        long now = System.nanoTime();
        long due = nextReport.get();
        boolean reports = now - due >= 0 && nextReport.compareAndSet(due, now + BETWEEN_REPORTS);
        log.atLevel(reports ? Level.WARN : Level.DEBUG)
                .addKeyValue("controller", controller)
                .addKeyValue("source", source.name())
                .addKeyValue("namespace", key.namespace())
                .addKeyValue("name", key.name())
                .addKeyValue("error", Thrown.text(failure))
                .log("a poll has failed; the last answer stands until the next");
    }

    private static String uid(HasMetadata primary) {
        return Objects.requireNonNullElse(primary.getMetadata().getUid(), "");
    }
}
