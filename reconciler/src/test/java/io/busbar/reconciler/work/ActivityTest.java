package io.busbar.reconciler.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.reconciler.view.ControllerView.InFlight;
import io.busbar.reconciler.view.PastReconcile;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ActivityTest {

    private static final ObjectKey A = ObjectKey.of("shop", "a");
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private long nanos;
    private int reconciles;
    private final Activity activity = with(1_000_000);

    private Activity with(int room) {
        return new Activity(room, () -> BEGIN.plusNanos(nanos), () -> nanos);
    }

    @Test
    void knows_what_is_under_way_and_how_long_it_has_taken_before() {
        reconcile(A, Duration.ofMillis(30), ReconcileOutcome.awaitChange());
        reconcile(A, Duration.ofMillis(70), ReconcileOutcome.awaitChange());
        ReconcileTask task = task(A, 2, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        activity.begun(task, 5_000_000);
        assertThat(activity.inFlight(id -> false).get(0).worker()).isEmpty();
        activity.noting(task, () -> "");

        InFlight seen = activity.inFlight(Set.of(task.reconcileId())::contains).get(0);
        assertThat(seen)
                .isEqualTo(new InFlight(
                        A,
                        task.reconcileId(),
                        2,
                        task.cause(),
                        Thread.currentThread().getName(),
                        BEGIN.plusMillis(100),
                        Duration.ofMillis(5),
                        Duration.ofMillis(70),
                        true,
                        "0af7651916cd43dd8448eb211c80319c"));
        activity.ended(task, ReconcileOutcome.awaitChange(), Duration.ZERO);
        assertThat(activity.inFlight(id -> false)).isEmpty();
    }

    @Test
    void keeps_the_last_ones_of_each_with_their_errors_shortened() {
        for (int i = 0; i < 25; i++) {
            nanos += Duration.ofMinutes(1).toNanos();
            reconcile(A, Duration.ofMillis(i), ReconcileOutcome.awaitChange());
        }
        assertThat(activity.of(A)).hasSize(20).extracting(PastReconcile::took).startsWith(Duration.ofMillis(5));
        assertThat(activity.lastError(A)).isEmpty();

        reconcile(A, Duration.ZERO, ReconcileOutcome.failed("no".repeat(1000)));
        assertThat(activity.lastError(A)).isEqualTo("no".repeat(250) + "…");
        assertThat(activity.of(A).get(19).delay()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void forgets_first_what_has_been_quiet_for_longest() {
        Activity small = with(20_000);
        for (int i = 0; i < 100; i++) {
            reconcile(small, ObjectKey.of("shop", "b" + i), Duration.ZERO, ReconcileOutcome.awaitChange());
            reconcile(small, A, Duration.ZERO, ReconcileOutcome.awaitChange());
        }

        assertThat(small.of(A)).hasSize(20);
        assertThat(small.of(ObjectKey.of("shop", "b0"))).isEmpty();
        assertThat(small.of(ObjectKey.of("shop", "b99"))).hasSize(1);
        assertThat(small.find("b9")).contains(ObjectKey.of("shop", "b99")).doesNotContain(ObjectKey.of("shop", "b9"));
    }

    @Test
    void one_that_is_reconciled_again_and_again_is_restless_until_it_has_been_quiet_for_a_while() {
        for (int i = 0; i < 20; i++) {
            nanos += Duration.ofMillis(600).toNanos();
            reconcile(A, Duration.ZERO, ReconcileOutcome.awaitChange());
        }
        assertThat(activity.restless()).as("20 times in 11.4 s").isEmpty();

        for (int i = 0; i < 20; i++) {
            nanos += Duration.ofMillis(100).toNanos();
            reconcile(A, Duration.ZERO, ReconcileOutcome.awaitChange());
        }
        assertThat(activity.restless()).singleElement().satisfies(one -> {
            assertThat(one.key()).isEqualTo(A);
            assertThat(one.times()).isEqualTo(20);
            assertThat(one.within()).isEqualTo(Duration.ofMillis(1900));
        });
        nanos += Duration.ofSeconds(6).toNanos();
        assertThat(activity.restless()).isEmpty();
    }

    @Test
    void without_room_it_keeps_nothing() {
        Activity none = with(0);
        ReconcileTask task = task(A, 1, "");
        none.begun(task, 0);

        assertThat(none.inFlight(id -> false)).isEmpty();
        assertThat(none.<String>noting(task, () -> "done")).isEqualTo("done");
        none.ended(task, ReconcileOutcome.awaitChange(), Duration.ZERO);
        assertThat(none.of(A)).isEmpty();
        assertThat(none.find("")).isEqualTo(List.of());
    }

    private void reconcile(ObjectKey key, Duration takes, ReconcileOutcome outcome) {
        reconcile(activity, key, takes, outcome);
    }

    private void reconcile(Activity of, ObjectKey key, Duration takes, ReconcileOutcome outcome) {
        ReconcileTask task = task(key, 1, "");
        of.begun(task, 0);
        nanos += takes.toNanos();
        of.ended(task, outcome, Duration.ofSeconds(3));
    }

    private ReconcileTask task(ObjectKey key, int attempt, String traceparent) {
        return new ReconcileTask(key, "id-" + reconciles++, attempt, Cause.of(Cause.How.MODIFIED, key), traceparent);
    }
}
