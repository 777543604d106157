package io.busbar.reconciler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Reason;
import io.busbar.reconciler.Backoff;
import io.busbar.reconciler.RateLimit;
import io.busbar.reconciler.queue.WorkQueue.Taken;
import io.busbar.reconciler.view.ControllerView.Delayed;
import io.busbar.reconciler.view.ControllerView.QueueView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Holds the queue to a model that is as plain as it can be: three sets and a map of times. */
class WorkQueuePropertyTest {

    private sealed interface Step {
        record Add(int key, Reason reason) implements Step {}

        record AddAfter(int key, Reason reason, int millis) implements Step {}

        record Take() implements Step {}

        record Done(int key) implements Step {}

        record Pass(int millis) implements Step {}

        record Look() implements Step {}
    }

    @Property(tries = 500)
    void holds_what_the_model_holds(@ForAll("steps") List<Step> steps) {
        Both both = new Both();
        steps.forEach(both::carryOut);
        both.finish();
    }

    @Property
    void a_key_with_n_keys_before_it_is_out_after_four_times_n_plus_one_takes(
            @ForAll("reasons") List<Reason> before, @ForAll Reason reason, @ForAll("reasons") List<Reason> after) {
        WorkQueue queue = new Both().queue;
        int names = 0;
        for (Reason other : before) {
            queue.add(ObjectKey.of("before-" + names++), other);
        }
        ObjectKey key = ObjectKey.of("it");
        queue.add(key, reason);
        int takes = 1;
        int limit = WorkQueue.OLDEST_EVERY * (before.size() + 1);
        for (Taken taken = queue.take(); taken != null && !taken.key().equals(key); taken = queue.take()) {
            assertThat(++takes).isLessThanOrEqualTo(limit);
            for (Reason other : after) {
                queue.add(ObjectKey.of("after-" + names++), other);
            }
        }
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Integer> keys = Arbitraries.integers().between(0, 4);
        Arbitrary<Integer> millis = Arbitraries.integers().between(1, 20);
        Arbitrary<Reason> reasons = Arbitraries.of(Reason.class);
        return Arbitraries.<Step>oneOf(
                        Combinators.combine(keys, reasons).as(Step.Add::new),
                        Combinators.combine(keys, reasons, millis).as(Step.AddAfter::new),
                        Arbitraries.create(Step.Take::new),
                        Arbitraries.create(Step.Look::new),
                        keys.map(Step.Done::new),
                        millis.map(Step.Pass::new))
                .list()
                .ofMaxSize(60);
    }

    @Provide
    Arbitrary<List<Reason>> reasons() {
        return Arbitraries.of(Reason.class).list().ofMaxSize(8);
    }

    private static ObjectKey key(int number) {
        return ObjectKey.of("ns", "key-" + number);
    }

    /** The queue and its model, side by side. */
    private static final class Both {
        private final Set<ObjectKey> waiting = new HashSet<>();
        private final Set<ObjectKey> out = new HashSet<>();
        private final Set<ObjectKey> again = new HashSet<>();
        private final Map<ObjectKey, Long> due = new HashMap<>();
        private long now;
        private final WorkQueue queue = new WorkQueue(
                Backoff.standard(),
                RateLimit.standard(),
                new QueueMetrics(new SimpleMeterRegistry(), "test", () -> now),
                () -> now);

        void carryOut(Step step) {
            if (step instanceof Step.Add add) {
                queue.add(key(add.key), add.reason);
                modelAdd(key(add.key));
            } else if (step instanceof Step.AddAfter add) {
                queue.addAfter(key(add.key), add.reason, Duration.ofMillis(add.millis));
                if (!waiting.contains(key(add.key)) && !again.contains(key(add.key))) {
                    due.merge(key(add.key), now + add.millis * 1_000_000L, Math::min);
                }
            } else if (step instanceof Step.Done done && out.contains(key(done.key))) {
                done(key(done.key));
            } else if (step instanceof Step.Pass pass) {
                now += pass.millis * 1_000_000L;
            } else if (step instanceof Step.Take) {
                take();
            } else if (step instanceof Step.Look) {
                look();
            }
        }

        private void modelAdd(ObjectKey key) {
            due.remove(key);
            (out.contains(key) ? again : waiting).add(key);
        }

        private void done(ObjectKey key) {
            queue.done(key);
            out.remove(key);
            if (again.remove(key)) {
                waiting.add(key);
            }
        }

        private void take() {
            due.entrySet().stream()
                    .filter(entry -> entry.getValue() <= now)
                    .map(Map.Entry::getKey)
                    .toList()
                    .forEach(this::modelAdd);
            Taken taken = queue.take();
            if (taken == null) {
                assertThat(waiting).isEmpty();
            } else {
                assertThat(waiting).contains(taken.key());
                assertThat(out).doesNotContain(taken.key());
                waiting.remove(taken.key());
                out.add(taken.key());
            }
        }

        private void look() {
            QueueView view = queue.look(5, key -> "");
            assertThat(view.waiting().values().stream()
                            .mapToInt(Integer::intValue)
                            .sum())
                    .as("waiting")
                    .isEqualTo(waiting.size());
            assertThat(view.delayed()).as("delayed").isEqualTo(due.size());
            assertThat(view.next()).extracting(Delayed::due).isSorted();
            assertThat(view.next())
                    .as("delayed")
                    .extracting(Delayed::key)
                    .containsExactlyInAnyOrderElementsOf(due.keySet());
        }

        /** Nothing that was added is lost, and nothing comes that was not. */
        private void finish() {
            now += Duration.ofDays(1).toNanos();
            do {
                take();
                Set.copyOf(out).forEach(this::done);
            } while (!waiting.isEmpty());
            assertThat(queue.take()).isNull();
            assertThat(due).isEmpty();
            assertThat(queue.untilDue()).isEmpty();
        }
    }
}
