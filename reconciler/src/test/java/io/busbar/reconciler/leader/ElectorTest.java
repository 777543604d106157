package io.busbar.reconciler.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.leader.LeaderElectionOptions.Candidacy;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
            this(identity, OPTIONS, nanos, day);
        }

        Replica(String identity, LeaderElectionOptions options, AtomicLong nanos, Instant day) {
            fence = new Fence(nanos::get);
            elector = new Elector(
                    options, identity, fence, nanos::get, Clock.fixed(day, ZoneOffset.UTC), slowPaths::incrementAndGet);
        }

        Standing attempt() {
            return elector.attempt(lease);
        }

        void release() {
            LeaseRequest request = elector.release();
            if (request != null) {
                request.sendTo(lease);
            }
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
        assertThat(b.attempt()).isEqualTo(new Standing.Follows(seconds(15)));
    }

    @Test
    void every_renewal_changes_the_lease_though_the_time_of_day_stands_still() {
        a.attempt();
        b.attempt();
        for (int i = 0; i < 8; i++) {
            pass(seconds(2));
            String before = lease.lease().getMetadata().getResourceVersion();
            a.attempt();
            assertThat(lease.lease().getMetadata().getResourceVersion()).isNotEqualTo(before);
        }
        assertThat(b.attempt()).isEqualTo(new Standing.Follows(seconds(15)));
    }

    @Test
    void a_renewal_that_came_while_an_answer_was_under_way_is_valid_from_when_the_answer_is_here() {
        a.attempt();
        lease.duringNext(() -> pass(seconds(4)));
        assertThat(b.attempt()).isEqualTo(new Standing.Follows(seconds(15)));
        pass(seconds(15).minusNanos(1));
        assertThat(b.attempt()).isEqualTo(new Standing.Follows(Duration.ofNanos(1)));
    }

    @Test
    void no_two_fences_are_open_though_an_answer_was_under_way_for_long() {
        LeaderElectionOptions tight = new LeaderElectionOptions(OPTIONS.lease(), seconds(12), seconds(10), seconds(2));
        Replica leader = new Replica("leader", tight, now, Instant.EPOCH);
        Replica follower = new Replica("follower", tight, now, Instant.EPOCH);
        leader.attempt();
        pass(seconds(2));
        // The follower's request has reached the API server after the renewal; the leader is cut off from then on.
        lease.duringNext(() -> {
            pass(seconds(4));
            leader.attempt();
        });
        follower.attempt();
        pass(seconds(8)); // 12 s since the follower has asked
        assertThat(follower.attempt()).isInstanceOf(Standing.Follows.class);
        assertThat(leader.fence.isOpen()).isTrue();
        assertThat(follower.fence.isOpen()).isFalse();
    }

    /** The worst there is: the others see a renewal at once, and the leader is cut off from then on. */
    @Test
    void the_smallest_margin_outweighs_clocks_that_are_wrong_by_one_percent() {
        LeaderElectionOptions tight = new LeaderElectionOptions(OPTIONS.lease(), seconds(11), seconds(10), seconds(2));
        AtomicLong slow = new AtomicLong();
        AtomicLong fast = new AtomicLong();
        Replica leader = new Replica("leader", tight, slow, Instant.EPOCH);
        Replica follower = new Replica("follower", tight, fast, Instant.EPOCH);
        leader.attempt();
        follower.attempt();
        long fell = 0;
        long taken = 0;
        for (long millis = 0; taken == 0; millis++) {
            slow.set(millis * 990_000);
            fast.set(millis * 1_010_000);
            fell = leader.fence.isOpen() ? millis : fell;
            taken = follower.attempt() instanceof Standing.Leads ? millis : 0;
        }
        assertThat(taken - fell).as("ms in which no fence was open").isBetween(700L, 800L);
    }

    @Test
    void a_lease_that_was_deleted_is_the_holders_for_as_long_as_others_have_seen_it_last() {
        a.attempt();
        pass(seconds(1));
        b.attempt();
        lease.delete();
        pass(seconds(14));
        assertThat(b.attempt()).isEqualTo(new Standing.Follows(seconds(1)));
        pass(seconds(1));
        assertThat(b.attempt()).isInstanceOf(Standing.Leads.class);
        assertThat(spec().getHolderIdentity()).isEqualTo("b");
    }

    @Test
    void a_leader_creates_the_lease_anew_when_it_was_deleted() {
        a.attempt();
        pass(seconds(1));
        lease.delete();
        assertThat(a.attempt()).isInstanceOf(Standing.Leads.class);
        assertThat(spec().getHolderIdentity()).isEqualTo("a");
    }

    @Test
    void a_write_whose_answer_was_lost_is_taken_up_by_the_next_attempt() {
        lease.loseNextAnswerTo("create");
        assertThat(a.attempt()).isInstanceOf(Standing.Follows.class);
        assertThat(spec().getHolderIdentity()).isEqualTo("a");
        assertThat(a.fence.isOpen()).isFalse();
        assertThat(a.attempt()).isInstanceOf(Standing.Leads.class);

        pass(seconds(2));
        lease.loseNextAnswerTo("update");
        assertThat(a.attempt()).isInstanceOf(Standing.Leads.class);
        pass(seconds(10));
        assertThat(a.fence.isOpen()).as("counted from the renewal").isTrue();
    }

    @Test
    void who_is_told_too_late_that_it_leads_renews_first() {
        lease.duringNext(() -> lease.duringNext(() -> pass(seconds(11))));
        assertThat(a.attempt()).isEqualTo(new Standing.Follows(Duration.ZERO));
        assertThat(a.fence.isOpen()).isFalse();
        assertThat(a.attempt()).isInstanceOf(Standing.Leads.class);
        assertThat(a.fence.isOpen()).isTrue();
    }

    @Test
    void a_slow_read_takes_nothing_from_the_time_to_write() {
        lease.duringNext(() -> pass(seconds(5)));
        a.attempt();
        pass(seconds(10));
        assertThat(a.fence.isOpen()).isTrue();
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
        a.release();
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
        a.release();
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
        b.release();
        pass(seconds(11));
        a.release();
        assertThat(lease.requests).isEmpty();
        assertThat(spec().getHolderIdentity()).isEqualTo("a");
    }

    @Test
    void an_odd_duration_is_rounded_up_for_the_others() {
        LeaderElectionOptions odd = new LeaderElectionOptions(
                OPTIONS.lease(), Duration.ofMillis(2500), Duration.ofSeconds(2), Duration.ofMillis(500));
        assertThat(odd.leaseSeconds()).isEqualTo(3);
    }

    @Test
    void who_takes_over_holds_the_lease_at_once_and_leads_when_the_other_certainly_writes_no_more() {
        Replica taker = taker("t");
        a.attempt();
        pass(seconds(4));

        assertThat(taker.attempt()).isEqualTo(new Standing.Follows(seconds(15)));
        assertThat(spec().getHolderIdentity()).isEqualTo("t");
        assertThat(a.fence.isOpen()).isTrue();
        assertThat(taker.fence.isOpen()).isFalse();

        pass(seconds(2));
        assertThat(a.attempt()).isEqualTo(new Standing.Lost("it is held by t"));
        assertThat(taker.attempt()).isEqualTo(new Standing.Follows(seconds(13)));
        pass(seconds(13));
        assertThat(taker.attempt()).isInstanceOf(Standing.Leads.class);
        assertThat(taker.fence.isOpen()).isTrue();
    }

    @Test
    void one_that_stands_by_waits_for_the_end_of_who_has_taken_over() {
        Replica taker = taker("t");
        a.attempt();
        b.attempt();
        taker.attempt();
        pass(seconds(15));
        taker.attempt();

        assertThat(b.attempt()).isEqualTo(new Standing.Follows(seconds(15)));
        pass(seconds(15)); // it was killed
        assertThat(b.attempt()).isInstanceOf(Standing.Leads.class);
        assertThat(taker.fence.isOpen()).isFalse();
    }

    @Test
    void a_lease_that_is_taken_over_is_as_long_as_the_one_before_until_its_holder_leads() {
        LeaderElectionOptions quick =
                new LeaderElectionOptions(OPTIONS.lease(), seconds(3), seconds(2), seconds(1)).as(Candidacy.TAKES_OVER);
        Replica taker = new Replica("t", quick, now, Instant.EPOCH);
        a.attempt();

        taker.attempt();
        assertThat(spec().getLeaseDurationSeconds()).isEqualTo(15);
        pass(seconds(15));
        taker.attempt();
        assertThat(spec().getLeaseDurationSeconds()).isEqualTo(3);
    }

    @Test
    void of_two_that_take_over_the_later_one_leads_and_the_other_gives_up() {
        Replica first = taker("first");
        Replica second = taker("second");
        a.attempt();
        first.attempt();
        pass(seconds(1));
        second.attempt();

        assertThat(first.attempt()).isEqualTo(new Standing.Lost("it is held by second"));
        pass(seconds(15));
        assertThat(second.attempt()).isInstanceOf(Standing.Leads.class);
    }

    @Test
    void the_mark_of_who_has_taken_over_goes_with_its_lease() {
        Replica taker = taker("t");
        a.attempt();
        assertThat(TakeOver.holder(lease.lease())).isEmpty();
        taker.attempt();
        assertThat(TakeOver.holder(lease.lease())).contains("t");

        pass(seconds(15));
        taker.attempt();
        taker.release();
        assertThat(TakeOver.holder(lease.lease())).isEmpty();
        b.attempt();
        assertThat(lease.lease().getMetadata().getAnnotations()).isNullOrEmpty();
    }

    @Test
    void one_that_is_meant_to_be_alone_goes_on_after_an_outage() {
        Replica alone = alone("a");
        alone.attempt();
        pass(seconds(9));
        lease.failNext(20);
        alone.attempt();
        pass(seconds(2));
        assertThat(alone.attempt()).isNotInstanceOf(Standing.Lost.class);
        assertThat(alone.fence.isOpen()).isFalse();

        pass(seconds(600));
        lease.failNext(0);
        assertThat(alone.attempt()).isInstanceOf(Standing.Leads.class);
        assertThat(alone.fence.isOpen()).isTrue();
        assertThat(spec().getLeaseTransitions()).isZero();
        pass(seconds(10).plusNanos(1));
        assertThat(alone.fence.isOpen()).isFalse();
    }

    @Test
    void one_that_is_meant_to_be_alone_has_lost_when_another_held_the_lease_meanwhile() {
        Replica alone = alone("a");
        alone.attempt();
        b.attempt();
        pass(seconds(15));
        b.attempt();
        assertThat(alone.attempt()).isEqualTo(new Standing.Lost("it is held by b"));
        assertThat(alone.fence.isOpen()).isFalse();

        Replica again = alone("c");
        b.release();
        again.attempt();
        pass(seconds(11));
        Replica other = alone("d");
        other.attempt();
        pass(seconds(15));
        other.attempt();
        other.release();
        assertThat(again.attempt()).isEqualTo(new Standing.Lost("another has held it meanwhile"));
    }

    @Test
    void one_that_is_meant_to_be_alone_waits_for_another_that_lives() {
        a.attempt();
        Replica alone = alone("x");
        assertThat(alone.attempt()).isEqualTo(new Standing.Follows(seconds(15)));
        assertThat(alone.elector.otherHolder()).isEqualTo("a");
        assertThat(alone.fence.isOpen()).isFalse();
        pass(seconds(15));
        assertThat(alone.attempt()).isInstanceOf(Standing.Leads.class);
    }

    @Test
    void a_process_in_the_same_Pod_does_not_wait_for_the_one_before_it() {
        LeaderElectionOptions options = OPTIONS.as(Candidacy.ALONE_IN_POD);
        new Replica("pod-1_x", options, now, Instant.EPOCH).attempt();
        Replica elsewhere = new Replica("pod-2_y", options, now, Instant.EPOCH);
        assertThat(elsewhere.attempt()).isInstanceOf(Standing.Follows.class);
        Replica restarted = new Replica("pod-1_z", options, now, Instant.EPOCH);
        assertThat(restarted.attempt()).isInstanceOf(Standing.Leads.class);
        assertThat(spec().getHolderIdentity()).isEqualTo("pod-1_z");
        assertThat(elsewhere.attempt()).isEqualTo(new Standing.Follows(seconds(15)));
    }

    @Test
    void outside_of_a_cluster_a_process_of_the_same_name_waits() {
        alone("host_x").attempt();
        assertThat(alone("host_y").attempt()).isInstanceOf(Standing.Follows.class);
    }

    @ParameterizedTest
    @CsvSource({"get,403", "create,403", "create,404", "update,403"})
    void one_that_is_meant_to_be_alone_and_may_hold_no_lease_writes_without(String request, int code) {
        if (request.equals("update")) {
            a.attempt();
            a.release();
        }
        Replica alone = alone("x");
        lease.refuse(request, code);
        assertThat(alone.attempt()).isInstanceOf(Standing.Unguarded.class);
        pass(seconds(100_000));
        assertThat(alone.fence.isOpen()).isTrue();
        alone.release();
        assertThat(alone.fence.isOpen()).isFalse();
        assertThat(b.attempt()).as("with an election").isNotInstanceOf(Standing.Unguarded.class);
        assertThat(b.fence.isOpen()).isFalse();
    }

    private Replica alone(String name) {
        return new Replica(name, OPTIONS.as(Candidacy.ALONE), now, Instant.parse("2026-01-01T00:00:00Z"));
    }

    private Replica taker(String name) {
        return new Replica(name, OPTIONS.as(Candidacy.TAKES_OVER), now, Instant.parse("2026-01-01T00:00:00Z"));
    }
}
