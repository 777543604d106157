package io.busbar.reconciler.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Reason;
import io.busbar.reconciler.Backoff;
import io.busbar.reconciler.RateLimit;
import io.busbar.reconciler.queue.WorkQueue.Taken;
import io.busbar.reconciler.view.ControllerView.Delayed;
import io.busbar.reconciler.view.ControllerView.QueueView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkQueueTest {

    private static final ObjectKey A = ObjectKey.of("ns", "a");
    private static final ObjectKey B = ObjectKey.of("ns", "b");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private long now = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos(); // a nanoTime that overflows during the test
    private final WorkQueue queue = queue();

    private WorkQueue queue() {
        return new WorkQueue(
                Backoff.standard(), RateLimit.standard(), new QueueMetrics(meters, "test", () -> now), () -> now);
    }

    @Test
    void hands_out_keys_in_the_order_they_came() {
        queue.add(B, Reason.CHANGE);
        queue.add(A, Reason.CHANGE);

        assertThat(keys()).containsExactly(B, A);
    }

    @Test
    void a_key_waits_only_once() {
        queue.add(A, Reason.CHANGE);
        queue.add(A, Reason.CHANGE);

        assertThat(keys()).containsExactly(A);
    }

    @Test
    void holds_back_a_key_that_is_out_until_it_is_done() {
        queue.add(A, Reason.CHANGE);
        queue.take();
        queue.add(A, Reason.CHANGE);

        assertThat(queue.take()).isNull();
        queue.done(A);
        assertThat(keys()).containsExactly(A);
    }

    @Test
    void a_key_that_was_not_added_meanwhile_is_gone_when_done() {
        queue.add(A, Reason.CHANGE);
        queue.take();
        queue.done(A);

        assertThat(queue.take()).isNull();
    }

    @Test
    void changes_come_before_the_first_list_and_that_before_the_resync() {
        ObjectKey c = ObjectKey.of("c");
        queue.add(A, Reason.RESYNC);
        queue.add(B, Reason.INITIAL_LIST);
        queue.add(c, Reason.CHANGE);

        assertThat(keys()).containsExactly(c, B, A);
    }

    @Test
    void a_change_moves_a_waiting_key_up() {
        queue.add(B, Reason.INITIAL_LIST);
        queue.add(A, Reason.INITIAL_LIST);
        queue.add(A, Reason.CHANGE);

        Taken first = taken();
        assertThat(first.key()).isEqualTo(A);
        assertThat(first.reason()).isEqualTo(Reason.CHANGE);
    }

    @Test
    void a_flood_of_changes_does_not_starve_the_resync() {
        queue.add(A, Reason.RESYNC);
        List<ObjectKey> taken = new ArrayList<>();
        for (int i = 0; i < WorkQueue.OLDEST_EVERY; i++) {
            queue.add(ObjectKey.of("change-" + i), Reason.CHANGE);
            queue.add(ObjectKey.of("change-too-" + i), Reason.CHANGE);
            taken.add(taken().key());
        }

        assertThat(taken).contains(A);
    }

    @Test
    void a_delayed_key_comes_when_it_is_due_and_not_before() {
        queue.addAfter(A, Reason.CHANGE, Duration.ofSeconds(5));

        assertThat(queue.take()).isNull();
        assertThat(queue.untilDue()).hasValue(Duration.ofSeconds(5).toNanos());
        pass(Duration.ofSeconds(5).minusNanos(1));
        assertThat(queue.take()).isNull();
        pass(Duration.ofNanos(1));
        assertThat(keys()).containsExactly(A);
        assertThat(queue.untilDue()).isEmpty();
    }

    @Test
    void the_earliest_of_two_delays_counts_whichever_came_first() {
        queue.addAfter(A, Reason.CHANGE, Duration.ofSeconds(5));
        queue.addAfter(A, Reason.CHANGE, Duration.ofSeconds(2));
        queue.addAfter(B, Reason.CHANGE, Duration.ofSeconds(2));
        queue.addAfter(B, Reason.CHANGE, Duration.ofSeconds(5));

        pass(Duration.ofSeconds(2));
        assertThat(keys()).containsExactly(A, B);
        queue.done(A);
        queue.done(B);
        pass(Duration.ofSeconds(5));
        assertThat(queue.take()).isNull();
    }

    @Test
    void an_add_at_once_makes_a_delayed_one_void() {
        queue.addAfter(A, Reason.CHANGE, Duration.ofSeconds(5));
        queue.add(A, Reason.CHANGE);

        assertThat(keys()).containsExactly(A);
        queue.done(A);
        pass(Duration.ofSeconds(6));
        assertThat(queue.take()).isNull();
    }

    @Test
    void a_key_due_while_it_is_out_comes_out_again() {
        queue.add(A, Reason.CHANGE);
        queue.take();
        queue.addAfter(A, Reason.CHANGE, Duration.ofSeconds(1));
        pass(Duration.ofSeconds(1));

        assertThat(queue.take()).isNull();
        queue.done(A);
        assertThat(keys()).containsExactly(A);
    }

    @Test
    void retries_wait_twice_as_long_each_time_until_forgotten() {
        List<Duration> waits = new ArrayList<>();
        List<Integer> attempts = new ArrayList<>();
        queue.add(A, Reason.CHANGE);
        for (int i = 0; i < 4; i++) {
            attempts.add(taken().attempt());
            waits.add(queue.retry(A, true));
            queue.done(A);
            pass(Duration.ofSeconds(1));
        }
        queue.take();
        queue.forget(A);
        waits.add(queue.retry(A, true));

        assertThat(attempts).containsExactly(1, 2, 3, 4);
        assertThat(waits).extracting(Duration::toMillis).containsExactly(5L, 10L, 20L, 40L, 5L);
    }

    @Test
    void a_requeue_waits_like_a_failure_but_is_none() {
        queue.add(A, Reason.CHANGE);
        queue.take();
        assertThat(queue.retry(A, false)).hasMillis(5);
        queue.done(A);
        pass(Duration.ofMillis(5));
        assertThat(taken().attempt()).isEqualTo(1);
        assertThat(queue.retry(A, false)).hasMillis(10);
    }

    @Test
    void beyond_the_burst_retries_of_many_keys_share_ten_turns_a_second() {
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            ObjectKey key = ObjectKey.of("key-" + i);
            queue.add(key, Reason.CHANGE);
            queue.take();
            waits.add(queue.retry(key, true));
        }

        assertThat(waits.subList(0, 100)).allMatch(wait -> wait.toMillis() == 5);
        assertThat(waits.get(100)).hasMillis(100);
        assertThat(waits.get(119)).hasMillis(2000);
    }

    @Test
    void a_key_that_is_not_out_cannot_be_done() {
        queue.add(A, Reason.CHANGE);

        assertThatThrownBy(() -> queue.done(A))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ns/a");
    }

    @Test
    void metrics_tell_depth_by_priority_adds_retries_and_what_is_out() {
        queue.add(A, Reason.CHANGE);
        queue.add(A, Reason.CHANGE);
        queue.add(B, Reason.INITIAL_LIST);
        assertThat(depth("0")).isEqualTo(1);
        assertThat(depth("-100")).isEqualTo(1);
        assertThat(meters.get("workqueue_adds").counter().count()).isEqualTo(2);

        pass(Duration.ofSeconds(3));
        queue.take();
        pass(Duration.ofSeconds(4));
        assertThat(depth("0")).isZero();
        assertThat(meters.get("workqueue_unfinished_work_seconds").gauge().value())
                .isEqualTo(4);
        assertThat(meters.get("workqueue_longest_running_processor_seconds")
                        .gauge()
                        .value())
                .isEqualTo(4);

        queue.retry(A, true);
        queue.done(A);
        assertThat(meters.get("workqueue_retries").counter().count()).isEqualTo(1);
        assertThat(meters.get("workqueue_unfinished_work_seconds").gauge().value())
                .isZero();
        assertThat(meters.get("workqueue_queue_duration").timer().totalTime(TimeUnit.SECONDS))
                .isEqualTo(3);
        assertThat(meters.get("workqueue_work_duration").timer().totalTime(TimeUnit.SECONDS))
                .isEqualTo(4);
    }

    @Test
    void a_look_shows_how_many_could_be_handed_out_for_each_reason_and_the_longest_wait() {
        queue.add(A, Reason.INITIAL_LIST);
        pass(Duration.ofSeconds(2));
        queue.add(B, Reason.CHANGE);
        queue.add(ObjectKey.of("c"), Reason.CHANGE);
        pass(Duration.ofSeconds(3));
        assertThat(look().waiting()).isEqualTo(Map.of(Reason.CHANGE, 2, Reason.INITIAL_LIST, 1, Reason.RESYNC, 0));
        assertThat(look().oldestWait()).hasSeconds(5);

        assertThat(taken().key()).isEqualTo(B);
        queue.add(B, Reason.CHANGE);
        assertThat(look().waiting().get(Reason.CHANGE))
                .as("changes, without the key that is out")
                .isEqualTo(1);
        queue.done(B);
        assertThat(keys()).hasSize(3);
        assertThat(look())
                .isEqualTo(new QueueView(
                        Map.of(Reason.CHANGE, 0, Reason.INITIAL_LIST, 0, Reason.RESYNC, 0),
                        Duration.ZERO,
                        0,
                        List.of()));
    }

    @Test
    void a_look_names_the_delayed_keys_that_are_due_first_with_their_failures_and_errors() {
        queue.addAfter(ObjectKey.of("c"), Reason.CHANGE, Duration.ofHours(2));
        queue.addAfter(B, Reason.CHANGE, Duration.ofHours(1));
        queue.add(A, Reason.CHANGE);
        for (int i = 0; i < 2; i++) {
            assertThat(taken().key()).isEqualTo(A);
            queue.retry(A, true);
            queue.done(A);
            pass(Duration.ofMillis(8));
        }

        assertThat(look().delayed()).isEqualTo(3);
        assertThat(look().next())
                .containsExactly(
                        new Delayed(A, Duration.ofMillis(2), 2, "error of ns/a"),
                        new Delayed(B, Duration.ofHours(1).minusMillis(16), 0, "error of ns/b"));
        pass(Duration.ofMillis(3));
        assertThat(look().next().get(0).due()).isZero();
    }

    @Test
    void a_look_changes_nothing() {
        WorkQueue unseen = queue();
        List<Consumer<WorkQueue>> steps = List.of(
                each -> each.add(A, Reason.RESYNC),
                each -> each.add(B, Reason.CHANGE),
                each -> each.addAfter(ObjectKey.of("soon"), Reason.CHANGE, Duration.ofSeconds(2)),
                each -> each.addAfter(ObjectKey.of("late"), Reason.CHANGE, Duration.ofHours(1)),
                WorkQueue::take,
                each -> each.retry(B, true),
                each -> each.done(B));
        for (Consumer<WorkQueue> step : steps) {
            step.accept(unseen);
            step.accept(queue);
            pass(Duration.ofSeconds(1));
            assertThat(look()).isEqualTo(look());
        }

        assertThat(queue.untilDue()).isEqualTo(unseen.untilDue());
        for (int i = 0; i < 4; i++) {
            assertThat(queue.take()).as("take %d", i).isEqualTo(unseen.take());
        }
        assertThat(queue.untilDue()).isEqualTo(unseen.untilDue());
    }

    /** Names two of the delayed keys. */
    private QueueView look() {
        return queue.look(2, key -> "error of " + key);
    }

    private double depth(String priority) {
        return meters.get("workqueue_depth").tag("priority", priority).gauge().value();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private Taken taken() {
        @Nullable Taken taken = queue.take();
        assertThat(taken).isNotNull();
        return taken;
    }

    private List<ObjectKey> keys() {
        List<ObjectKey> keys = new ArrayList<>();
        for (Taken taken = queue.take(); taken != null; taken = queue.take()) {
            keys.add(taken.key());
        }
        return keys;
    }
}
