package io.busbar.operator.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.common.condition.Conditions;
import io.busbar.common.watch.Lister;
import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.busbar.operator.memcached.v1alpha1.MemcachedStatus;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemcachedReconcilerTest {

    private final MemcachedReconciler reconciler = new MemcachedReconciler(
            "memcached:1", Clock.fixed(Instant.parse("2030-01-01T00:00:00.5Z"), ZoneOffset.UTC));

    @Test
    void the_first_thing_said_is_that_reconciling_starts() {
        Told told = new Told(memcached());
        reconciler.reconcile(told.memcached, told);

        assertThat(told.statuses).hasSize(2);
        assertThat(told.statuses.get(0))
                .isEqualTo(new MemcachedStatus(
                        List.of(new Condition(
                                "2030-01-01T00:00:00Z",
                                "Starting reconciliation",
                                7L,
                                "Reconciling",
                                "Unknown",
                                "Available")),
                        7,
                        0));
        assertThat(summary(told.statuses.get(1)))
                .containsExactly(
                        "Available=False ReplicasUnavailable",
                        "Progressing=True RollingOut",
                        "Degraded=False AsExpected");

        reconciler.reconcile(told.memcached, told);
        assertThat(told.statuses).hasSize(2);
    }

    @Test
    void being_finalized_is_unknown_before_it_is_true_and_told_once() {
        Told told = new Told(memcached());
        reconciler.reconcile(told.memcached, told);
        told.statuses.clear();

        assertThat(reconciler.cleanup(told.memcached, told)).isEqualTo(CleanupResult.done());
        assertThat(told.statuses)
                .extracting(status -> summary(status).get(2))
                .containsExactly("Degraded=Unknown Finalizing", "Degraded=True Finalizing");
        assertThat(told.events).containsExactly("Warning Deleting DeleteCR: Memcached ns/a is being deleted");

        reconciler.cleanup(told.memcached, told);
        assertThat(told.statuses).hasSize(2);
        assertThat(told.events).hasSize(1);
    }

    @Test
    void one_that_was_never_looked_at_is_finalized_too() {
        Told told = new Told(memcached());
        reconciler.cleanup(told.memcached, told);

        assertThat(Conditions.isTrue(told.memcached.getStatus().conditions(), "Degraded"))
                .isTrue();
    }

    private static List<String> summary(MemcachedStatus status) {
        return status.conditions().stream()
                .map(one -> one.getType() + "=" + one.getStatus() + " " + one.getReason())
                .toList();
    }

    private static Memcached memcached() {
        Memcached memcached = new Memcached();
        memcached.getMetadata().setName("a");
        memcached.getMetadata().setNamespace("ns");
        memcached.getMetadata().setGeneration(7L);
        return memcached;
    }

    /** Keeps each status that differs from the one before; what is applied is there as desired. It imitates nothing else. */
    private static final class Told implements ReconcileContext<Memcached>, EventRecorder {

        private Memcached memcached;
        private final List<MemcachedStatus> statuses = new ArrayList<>();
        private final List<String> events = new ArrayList<>();

        Told(Memcached memcached) {
            this.memcached = memcached;
        }

        @Override
        public Memcached status(Memcached desired) {
            if (!desired.getStatus().equals(memcached.getStatus())) {
                memcached = memcached.with(desired.getStatus());
                statuses.add(desired.getStatus());
            }
            return memcached;
        }

        @Override
        public <T extends HasMetadata> List<T> owned(Class<T> type) {
            return List.of();
        }

        @Override
        public <T extends HasMetadata> T apply(T desired, Apply how) {
            return desired;
        }

        @Override
        public EventRecorder events() {
            return this;
        }

        @Override
        public void normal(HasMetadata about, String reason, String action, String note) {
            events.add("Normal " + reason + " " + action + ": " + note);
        }

        @Override
        public void warning(HasMetadata about, String reason, String action, String note) {
            events.add("Warning " + reason + " " + action + ": " + note);
        }

        @Override
        public ObjectKey key() {
            return ObjectKey.of(memcached);
        }

        @Override
        public String reconcileId() {
            return "r-1";
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
            throw new UnsupportedOperationException("lister");
        }

        @Override
        public <T extends HasMetadata> T create(T desired) {
            throw new UnsupportedOperationException("create");
        }

        @Override
        public void delete(HasMetadata object) {
            throw new UnsupportedOperationException("delete");
        }

        @Override
        public void delete(HasMetadata object, Duration gracePeriod) {
            throw new UnsupportedOperationException("delete");
        }

        @Override
        public <T extends HasMetadata> T remember(T written) {
            throw new UnsupportedOperationException("remember");
        }

        @Override
        public KubernetesClient client() {
            throw new UnsupportedOperationException("client");
        }
    }
}
