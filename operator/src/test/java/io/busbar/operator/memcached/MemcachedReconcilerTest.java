package io.busbar.operator.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.Controller;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemcachedReconcilerTest {

    private final MemcachedReconciler reconciler = new MemcachedReconciler(
            "memcached:1", Clock.fixed(Instant.parse("2030-01-01T00:00:00.5Z"), ZoneOffset.UTC));
    private final InMemoryContext<Memcached> context =
            InMemoryContext.of(Controller.of(Memcached.class, reconciler).owns(Deployment.class), memcached());

    @Test
    void the_first_thing_said_is_that_reconciling_starts() throws Exception {
        context.reconcile(reconciler);

        assertThat(context.statuses()).hasSize(2);
        assertThat(context.statuses().get(0).getStatus().conditions())
                .containsExactly(new Condition(
                        "2030-01-01T00:00:00Z", "Starting reconciliation", 1L, "Reconciling", "Unknown", "Available"));
        assertThat(conditions(context.statuses().get(1)))
                .containsExactly(
                        "Available=False ReplicasUnavailable",
                        "Progressing=True RollingOut",
                        "Degraded=False AsExpected");

        context.reconcile(reconciler);
        assertThat(context.writes()).containsExactly("status Memcached a", "create Deployment a", "status Memcached a");
    }

    @Test
    void being_finalized_is_unknown_before_it_is_true_and_told_once() throws Exception {
        context.reconcile(reconciler);
        context.forget();

        assertThat(context.cleanup(reconciler)).isEqualTo(CleanupResult.done());
        assertThat(context.statuses())
                .extracting(told -> conditions(told).get(2))
                .containsExactly("Degraded=Unknown Finalizing", "Degraded=True Finalizing");
        assertThat(context.toldEvents()).containsExactly("Warning Deleting: Memcached default/a is being deleted");

        context.cleanup(reconciler);
        assertThat(context.writes()).hasSize(2);
        assertThat(context.toldEvents()).hasSize(1);
    }

    @Test
    void one_that_was_never_looked_at_is_finalized_too() throws Exception {
        context.cleanup(reconciler);

        assertThat(conditions(context.primary())).containsExactly("Degraded=True Finalizing");
    }

    private static List<String> conditions(Memcached memcached) {
        return memcached.getStatus().conditions().stream()
                .map(one -> one.getType() + "=" + one.getStatus() + " " + one.getReason())
                .toList();
    }

    private static Memcached memcached() {
        Memcached memcached = new Memcached();
        memcached.getMetadata().setName("a");
        return memcached;
    }
}
