package io.busbar.reconciler.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ElectorTest {

    private static final LeaderElectionOptions OPTIONS = LeaderElectionOptions.of(ObjectKey.of("ns", "lease"));

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // clocks may overflow
    private final StoredLease lease = new StoredLease();
    private final Replica a = new Replica("a", now, Instant.parse("2026-01-01T00:00:00Z"));
    /** Its time of day is wrong by a day. */
    private final Replica b = new Replica("b", now, Instant.parse("2026-01-02T00:00:00Z"));

    private final class Replica {
        final AtomicInteger slowPaths = new AtomicInteger();
        final Fence fence;
        final Elector elector;

        Replica(String identity, AtomicLong nanos, Instant day) {
            fence = new Fence(nanos::get);
            elector = new Elector(
                    OPTIONS,
                    identity,
                    lease,
                    fence,
                    nanos::get,
                    Clock.fixed(day, ZoneOffset.UTC),
                    slowPaths::incrementAndGet);
        }

        Standing attempt() {
            return elector.attempt();
        }
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }

    private LeaseSpec spec() {
        return lease.lease().getSpec();
    }

    @Test
    void the_first_that_asks_creates_the_lease_and_leads() {
        assertThat(a.fence.isOpen()).isFalse();
        assertThat(a.attempt()).isInstanceOf(Standing.Leads.class);
        assertThat(a.fence.isOpen()).isTrue();
        assertThat(spec().getHolderIdentity()).isEqualTo("a");
        assertThat(spec().getLeaseDurationSeconds()).isEqualTo(15);
        assertThat(spec().getLeaseTransitions()).isZero();
        assertThat(spec().getRenewTime()).isEqualTo(spec().getAcquireTime()).isEqualTo("2026-01-01T00:00:00Z");
    }

    @Test
    void another_follows_and_knows_how_long() {
        a.attempt();
        pass(seconds(4));
        assertThat(b.attempt()).isEqualTo(new Standing.Follows(seconds(15)));
        pass(seconds(2));
        assertThat(b.attempt()).isEqualTo(new Standing.Follows(seconds(13)));
        assertThat(b.fence.isOpen()).isFalse();
    }

    @Test
    void a_renewal_is_one_request_and_makes_followers_wait_anew() {
        a.attempt();
        b.attempt();
        pass(seconds(2));
        lease.requests.clear();
        a.attempt();
        assertThat(lease.requests).containsExactly("update");
        assertThat(spec().getHolderIdentity()).isEqualTo("a");
        pass(seconds(1));
        // The clocks' times of day stand still here, so the change has to be another's.
        lease.edit("c");
        assertThat(b.attempt()).isEqualTo(new Standing.Follows(seconds(15)));
    }

    @Test
    void the_next_leads_once_it_has_seen_no_change_for_the_whole_duration() {
        a.attempt();
        b.attempt();
        pass(seconds(15).minusNanos(1));
        assertThat(b.attempt()).isEqualTo(new Standing.Follows(Duration.ofNanos(1)));
        pass(Duration.ofNanos(1));
        assertThat(b.attempt()).isInstanceOf(Standing.Leads.class);
        assertThat(spec().getHolderIdentity()).isEqualTo("b");
        assertThat(spec().getLeaseTransitions()).isEqualTo(1);
    }

    @Test
    void the_fence_falls_at_the_deadline_counted_from_the_start_of_the_last_renewal() {
        a.attempt();
        pass(seconds(2));
        lease.duringNext(() -> pass(seconds(3)));
        a.attempt();
        pass(seconds(7));
        assertThat(a.fence.isOpen()).isTrue();
        pass(Duration.ofNanos(1));
        assertThat(a.fence.isOpen()).isFalse();
    }

    @Test
    void who_was_frozen_past_the_deadline_asks_nobody_and_has_lost() {
        a.attempt();
        lease.requests.clear();
        pass(seconds(30));
        assertThat(a.fence.isOpen()).isFalse();
        assertThat(a.attempt()).isEqualTo(new Standing.Lost("it was not renewed within 10 s"));
        assertThat(lease.requests).isEmpty();
    }

    @Test
    void a_renewal_that_was_under_way_for_too_long_does_not_open_the_fence() {
        a.attempt();
        pass(seconds(2));
        lease.duringNext(() -> pass(seconds(11)));
        assertThat(a.attempt()).isEqualTo(new Standing.Lost("it was renewed too late"));
        assertThat(a.fence.isOpen()).isFalse();
    }

    @Test
    void failures_are_borne_until_the_deadline() {
        a.attempt();
        pass(seconds(9));
        lease.failNext(2);
        assertThat(a.attempt()).isInstanceOf(Standing.Leads.class);
        assertThat(a.fence.isOpen()).isTrue();
        pass(seconds(1).plusNanos(1));
        assertThat(a.attempt()).isInstanceOf(Standing.Lost.class);
    }

    @Test
    void a_renewal_that_was_refused_reads_the_lease_again() {
        a.attempt();
        lease.edit("a"); // somebody has touched it
        pass(seconds(2));
        lease.requests.clear();
        assertThat(a.attempt()).isInstanceOf(Standing.Leads.class);
        assertThat(lease.requests).containsExactly("update", "get", "update");
        assertThat(a.slowPaths).hasValue(1);
    }

    @Test
    void who_finds_another_in_the_lease_has_lost_at_once() {
        a.attempt();
        pass(seconds(2));
        lease.edit("b");
        assertThat(a.attempt()).isEqualTo(new Standing.Lost("it is held by b"));
        assertThat(a.fence.isOpen()).isFalse();
    }

    @Test
    void of_two_that_grasp_at_once_one_leads() {
        a.attempt();
        a.elector.release();
        Replica c = new Replica("c", now, Instant.EPOCH);
        lease.duringNext(() -> lease.duringNext(() -> assertThat(c.attempt()).isInstanceOf(Standing.Leads.class)));
        assertThat(b.attempt()).isInstanceOf(Standing.Follows.class);
        assertThat(spec().getHolderIdentity()).isEqualTo("c");
    }

    @Test
    void a_released_lease_is_anybodys() {
        a.attempt();
        pass(seconds(1));
        b.attempt();
        a.elector.release();
        assertThat(spec().getHolderIdentity()).isEmpty();
        assertThat(spec().getLeaseDurationSeconds()).isEqualTo(1);
        assertThat(a.fence.isOpen()).isFalse();
        assertThat(b.attempt()).isInstanceOf(Standing.Leads.class);
        assertThat(spec().getLeaseTransitions()).isEqualTo(1);
        assertThat(spec().getLeaseDurationSeconds()).isEqualTo(15);
    }

    @Test
    void who_does_not_lead_releases_nothing() {
        a.attempt();
        b.attempt();
        lease.requests.clear();
        b.elector.release();
        pass(seconds(11));
        a.elector.release();
        assertThat(lease.requests).isEmpty();
        assertThat(spec().getHolderIdentity()).isEqualTo("a");
    }

    @Test
    void an_odd_duration_is_rounded_up_for_the_others() {
        LeaderElectionOptions odd = new LeaderElectionOptions(
                OPTIONS.lease(), Duration.ofMillis(2500), Duration.ofSeconds(2), Duration.ofMillis(500));
        assertThat(odd.leaseSeconds()).isEqualTo(3);
    }
}
