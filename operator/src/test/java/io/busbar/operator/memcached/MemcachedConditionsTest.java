package io.busbar.operator.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class MemcachedConditionsTest {

    private final MemcachedConditions conditions =
            new MemcachedConditions(Clock.fixed(Instant.parse("2030-01-01T00:00:00Z"), ZoneOffset.UTC));

    @Test
    void the_first_thing_said_is_that_reconciling_starts() {
        Memcached begun = conditions.begun(memcached());

        assertThat(begun.getStatus().conditions())
                .containsExactly(new Condition(
                        "2030-01-01T00:00:00Z", "Starting reconciliation", 7L, "Reconciling", "Unknown", "Available"));
        assertThat(conditions.begun(begun).getStatus()).isEqualTo(begun.getStatus());
    }

    @Test
    void being_finalized_is_unknown_before_it_is_true() {
        Memcached finalizing = conditions.finalizing(conditions.begun(memcached()));
        Memcached finalized = conditions.finalized(finalizing);

        assertThat(degraded(finalizing)).isEqualTo("Unknown/Finalizing");
        assertThat(MemcachedConditions.isFinalized(finalizing)).isFalse();
        assertThat(degraded(finalized)).isEqualTo("True/Finalizing");
        assertThat(MemcachedConditions.isFinalized(finalized)).isTrue();
        assertThat(finalized.getStatus().conditions())
                .extracting(Condition::getType)
                .containsExactly("Available", "Degraded");
    }

    @Test
    void one_that_was_never_looked_at_is_not_finalized() {
        assertThat(MemcachedConditions.isFinalized(memcached())).isFalse();
    }

    private static String degraded(Memcached memcached) {
        Condition degraded = memcached.getStatus().conditions().get(1);
        return degraded.getStatus() + "/" + degraded.getReason();
    }

    private static Memcached memcached() {
        Memcached memcached = new Memcached();
        memcached.getMetadata().setName("a");
        memcached.getMetadata().setGeneration(7L);
        return memcached;
    }
}
