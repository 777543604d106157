package io.busbar.reconciler.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.leader.Fence;
import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.reconciler.shard.ShardGate.Pass;
import io.busbar.reconciler.shard.ShardMap.Heir;
import io.busbar.reconciler.shard.ShardMap.Member;
import io.busbar.reconciler.shard.ShardMap.Told;
import io.busbar.reconciler.shard.ShardRequest.Look;
import io.busbar.reconciler.shard.ShardRequest.Renew;
import io.busbar.reconciler.shard.ShardRequest.Seen;
import io.busbar.reconciler.shard.ShardRequest.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShardMemberTest {

    private static final int BUCKETS = 4;
    private static final LeaderElectionOptions ELECTION = LeaderElectionOptions.of(ObjectKey.of("ns", "map"));

    private final AtomicLong now = new AtomicLong(1_000_000_000_000L);
    private final Fence fence = new Fence(now::get);
    private final ShardGate gate = new ShardGate(BUCKETS, fence, () -> {});
    private final ShardMember member =
            new ShardMember(new ShardOptions(ELECTION, BUCKETS, "new"), "me", fence, gate, now::get);
    /** The map in which all heirs are ready, of {@link #given}. */
    private ShardMap seen = ShardMap.empty(BUCKETS);
    /** The versions of the others' Leases. */
    private final Map<String, String> leases = new HashMap<>();

    @Test
    void the_first_one_takes_all_and_works_once_the_map_says_so() {
        Write write = written(round(null, null));
        assertThat(write.base()).isNull();
        assertThat(write.map().holders()).containsOnly("me");
        assertThat(fence.isOpen()).isFalse();

        member.wrote("1", write.map());
        assertThat(fence.isOpen()).isTrue();
        assertThat(open()).isEmpty();
        gate.open(gate.takeGained());
        assertThat(open()).containsExactly(0, 1, 2, 3);
    }

    @Test
    void what_it_keeps_is_what_the_map_says_that_was_seen_last() {
        assertThat(member.kept()).isEmpty();
        holdsAll();
        assertThat(member.kept().orElseThrow().cardinality()).isEqualTo(BUCKETS);

        lives("other");
        ShardMap joined = otherJoined();
        Write given = given(joined);
        assertThat(gate.mayWrite(3))
                .as("while it is not known whether it is given")
                .isFalse();
        assertThat(member.kept().orElseThrow().get(3))
                .as("held until the map says so")
                .isTrue();
        member.wrote("3", given.map());
        assertThat(member.kept().orElseThrow().stream()).containsExactly(0, 1);

        round(new ShardMap(4, List.of(), Collections.nCopies(2 * BUCKETS, "")), "4");
        assertThat(member.kept()).as("by a map of other buckets").isEmpty();
    }

    @Test
    void who_joins_takes_nothing_from_the_living() {
        lives("other");
        Write write = written(round(map(1, "other", "other", "other", "other"), "1"));

        assertThat(write.map().member("me")).isPresent();
        assertThat(write.map().holders()).containsOnly("other");
    }

    @Test
    void a_holder_gives_away_half_once_no_work_is_under_way() {
        holdsAll();
        Pass pass = gate.enter(3).orElseThrow();
        lives("other");
        ShardMap joined = otherJoined();

        Write first = given(joined);
        assertThat(first.map().holders()).containsExactly("me", "me", "other", "me");
        assertThat(pass.isValid()).isTrue();
        assertThat(gate.enter(3)).isEmpty();
        member.wrote("3", first.map());
        assertThat(round(first.map(), "3")).isNull();

        pass.close();
        Write second = written(round(first.map(), "3"));
        assertThat(second.map().holders()).containsExactly("me", "me", "other", "other");
        assertThat(gate.mayWrite(3)).isFalse();
    }

    @Test
    void works_on_until_the_heir_is_ready_and_waits_only_so_long_for_that() {
        holdsAll();
        lives("other");
        ShardMap joined = otherJoined();
        Write promise = written(round(joined, "2"));
        assertThat(promise.map().holders()).containsOnly("me");
        assertThat(promise.map().toCome("other")).isEqualTo("2-3");
        assertThat(ShardMap.parse(promise.map().text())).isEqualTo(promise.map());
        member.wrote("3", promise.map());
        assertThat(open()).containsExactly(0, 1, 2, 3);
        assertThat(round(promise.map(), "3")).isNull();

        ShardMap half = ready(promise.map(), 3);
        Write first = written(round(half, "4"));
        assertThat(first.map().holders()).containsExactly("me", "me", "me", "other");
        assertThat(first.map().toCome("other")).isEqualTo("2");
        member.wrote("5", first.map());
        assertThat(open()).containsExactly(0, 1, 2);

        for (int second = 0; second < 59; second++) {
            pass(Duration.ofSeconds(1));
            lives("other");
            assertThat(round(first.map(), "5")).isNull();
        }
        pass(Duration.ofSeconds(2));
        lives("other");
        assertThat(written(round(first.map(), "5")).map().holders()).containsExactly("me", "me", "other", "other");
    }

    @Test
    void who_leaves_waits_for_its_heirs_only_as_long_as_it_may() {
        holdsAll();
        lives("other");
        member.leave(Duration.ofSeconds(3));
        ShardMap joined = otherJoined();
        Write promise = written(round(joined, "2"));
        assertThat(promise.map().toCome("other")).isEqualTo("0-3");
        member.wrote("3", promise.map());
        pass(Duration.ofSeconds(2));
        assertThat(round(promise.map(), "3")).isNull();
        assertThat(open()).containsExactly(0, 1, 2, 3);

        pass(Duration.ofSeconds(1));
        Write write = written(round(promise.map(), "3"));
        assertThat(write.map().holders()).containsOnly("other");
    }

    @Test
    void an_heir_that_has_gone_is_replaced() {
        holdsAll();
        lives("other");
        ShardMap joined = otherJoined();
        Write promise = written(round(joined, "2"));
        member.wrote("3", promise.map());

        lives("third");
        ShardMap others = new ShardMap(
                4,
                List.of(one("me", 1), new Member("other", "new", 1, true), one("third", 1)),
                promise.map().holders(),
                promise.map().heirs(),
                Told.NOTHING);
        Write again = written(round(others, "4"));
        assertThat(again.map().toCome("other")).isEmpty();
        assertThat(again.map().toCome("third")).isEqualTo("2-3");
    }

    @Test
    void an_heir_says_that_it_is_ready_once_its_watches_keep_what_is_to_come() {
        Write join = joined();
        ShardMap promised = promised(join, 2, 3);
        assertThat(round(promised, "3")).isNull();
        assertThat(member.kept().orElseThrow().stream()).containsExactly(2, 3);
        assertThat(member.toPrepare()).containsExactly(2, 3);

        member.prepared(Set.of(3), member.generation());
        Write ready = written(round(promised, "3"));
        assertThat(ready.map().holders()).containsOnly("other");
        assertThat(ready.map().heirs())
                .containsExactly(Heir.NONE, Heir.NONE, new Heir("me", false), new Heir("me", true));
        assertThat(member.toPrepare()).containsExactly(2);
        assertThat(fence.isOpen() && gate.mayWrite(3)).isFalse();

        // Not promised any more, then again: what the watches have forgotten meanwhile is to be listed again.
        round(join.map(), "4");
        assertThat(member.toPrepare()).isEmpty();
        round(promised, "5");
        assertThat(member.toPrepare()).containsExactly(2, 3);
    }

    @Test
    void who_gives_tells_what_it_wrote_since_the_heir_was_named_unless_one_write_was_not_answered() {
        holdsAll();
        lives("other");
        Pass early = gate.enter(3).orElseThrow();
        early.writes(); // never answered, but the heir looks after that
        early.close();
        ShardMap joined = otherJoined();
        Write promise = written(round(joined, "named"));
        member.wrote("promised", promise.map());

        Pass known = gate.enter(3).orElseThrow();
        known.writes();
        known.wrote("pods", "99");
        known.writes();
        known.wrote("pods", "101");
        known.close();
        Pass unknown = gate.enter(2).orElseThrow();
        unknown.writes();
        unknown.close();
        Write given = written(round(ready(promise.map(), 2, 3), "2"));

        assertThat(given.map().toCome("other")).isEmpty();
        assertThat(given.map().told())
                .isEqualTo(new Told(Map.of(3, promise.map().generation()), Map.of("pods", "101")));
    }

    @Test
    void what_somebody_elses_write_kept_from_being_given_away_is_known_as_before() {
        holdsAll();
        lives("other");
        Write refused = given(otherJoined());
        assertThat(refused.map().holders()).containsExactly("me", "me", "other", "other");
        member.failed();
        assertThat(gate.mayWrite(3)).isFalse();

        lives("third");
        ShardMap others = new ShardMap(
                9, List.of(one("me", 1), one("other", 1), one("third", 1)), seen.holders(), seen.heirs(), seen.told());
        Write again = written(round(others, "3"));
        assertThat(again.map().holders()).contains("other");
        assertThat(again.map().told().since()).containsKey(again.map().holders().indexOf("other"));
        assertThat(gate.takeGained().buckets())
                .as("to be looked at by the watches")
                .isEmpty();
    }

    @Test
    void what_is_gained_is_told_where_it_was_prepared_for_since_then() {
        Write join = joined();
        ShardMap promised = promised(join, 1, 2, 3);
        round(promised, "3");
        member.toPrepare();
        member.prepared(Set.of(2, 3), member.generation());

        Map<String, String> versions = Map.of("pods", "101");
        round(
                new ShardMap(
                        6,
                        join.map().members(),
                        List.of("other", "me", "me", "me"),
                        Collections.nCopies(BUCKETS, Heir.NONE),
                        new Told(Map.of(1, 5L, 2, 6L, 3, 5L), versions)),
                "4");

        ShardGate.Gained gained = gate.takeGained();
        assertThat(gate.told(gained).buckets()).containsExactly(3);
        assertThat(gate.untold(gained).buckets())
                .as("one that was not prepared for, and one of which something is unknown since")
                .containsExactly(1, 2);
    }

    @Test
    void what_may_have_been_given_away_is_not_worked_on_before_the_map_says_that_it_was_not() {
        holdsAll();
        lives("other");
        ShardMap joined = otherJoined();
        Write unanswered = given(joined);
        joined = seen;
        assertThat(unanswered.map().counts()).containsEntry("other", 2);
        member.failed();

        // The other has died: nothing is to be given away any more, but that write may still arrive.
        passRenewing(Duration.ofSeconds(16), joined, "2");
        Write removal = written(round(joined, "2"));
        assertThat(removal.map().holders()).containsOnly("me");
        member.failed();
        round(joined, "2");
        gate.open(gate.takeGained());
        assertThat(open()).containsExactly(0, 1);

        round(removal.map(), "3");
        gate.open(gate.takeGained());
        assertThat(open()).containsExactly(0, 1, 2, 3);
    }

    @Test
    void the_dead_are_replaced_after_the_lease_and_by_a_look_that_began_then() {
        holdsAll();
        lives("other");
        ShardMap even = new ShardMap(2, List.of(one("me", 1), one("other", 1)), List.of("me", "me", "other", "other"));
        assertThat(round(even, "2")).isNull();
        passRenewing(Duration.ofSeconds(14), even, "2");
        assertThat(round(even, "2")).isNull();

        member.begin(false);
        pass(Duration.ofSeconds(2));
        assertThat(member.saw(seen(even, "2"))).isNull();

        assertThat(written(round(even, "2")).map().holders()).containsOnly("me");
    }

    @Test
    void who_could_not_renew_writes_nothing_until_the_map_names_it_anew() {
        holdsAll();
        Pass pass = gate.enter(0).orElseThrow();
        long before = gate.tenure(0);
        ShardMap alone = map(1, "me", "me", "me", "me");
        pass(Duration.ofMillis(10_001));
        assertThat(fence.isOpen()).isFalse();

        Write again = written(round(alone, "1"));
        assertThat(fence.isOpen()).isFalse();
        assertThat(again.map().member("me").orElseThrow().epoch()).isEqualTo(2);
        member.wrote("2", again.map());
        gate.open(gate.takeGained());
        assertThat(fence.isOpen()).isTrue();
        assertThat(open()).containsExactly(0, 1, 2, 3);
        assertThat(pass.isValid()).isFalse();
        assertThat(gate.tenure(0)).isNotEqualTo(before);
    }

    @Test
    void what_was_asked_for_before_the_fence_fell_does_not_open_it_again() {
        lives("other");
        ShardMap before = map(1, "other", "other", "other", "other");
        Write join = written(round(before, "1"));
        member.failed();
        pass(Duration.ofSeconds(12));

        // That write has arrived, late; another may have decided on what was before this renewal.
        lives("other");
        Write again = written(round(join.map(), "2"));
        assertThat(again.map().member("me").orElseThrow().epoch()).isEqualTo(2);
        assertThat(fence.isOpen()).isFalse();
    }

    @Test
    void who_was_removed_from_the_map_works_on_nothing_and_asks_for_nothing() {
        holdsAll();
        assertThat(round(map(5, "other", "other", "other", "other"), "5")).isNull();

        assertThat(open()).isEmpty();
        assertThat(member.isRemoved()).isTrue();
    }

    @Test
    void time_in_which_it_could_not_look_is_not_counted_against_others() {
        holdsAll();
        lives("other");
        ShardMap even = new ShardMap(2, List.of(one("me", 1), one("other", 1)), List.of("me", "me", "other", "other"));
        assertThat(round(even, "2")).isNull();
        pass(Duration.ofSeconds(60));
        Write again = written(round(even, "2"));
        assertThat(again.map().holders()).isEqualTo(even.holders());
    }

    @Test
    void who_leaves_gives_all_to_those_of_the_newest_template_and_goes() {
        holdsAll();
        lives("old");
        lives("young");
        ShardMap all = new ShardMap(
                2,
                List.of(one("me", 1), new Member("old", "old", 1, false), new Member("young", "new", 1, false)),
                List.of("me", "me", "old", "young"));
        member.leave(Duration.ofSeconds(5));
        Write write = given(all);

        assertThat(write.map().holders()).containsExactly("young", "young", "old", "young");
        assertThat(write.map().member("me")).isEmpty();
        member.wrote("3", write.map());
        assertThat(member.hasLeft()).isTrue();
    }

    @Test
    void who_leaves_as_the_last_one_leaves_all_to_nobody() {
        holdsAll();
        member.leave(Duration.ZERO);
        Write write = written(round(map(1, "me", "me", "me", "me"), "1"));

        assertThat(write.map().holders()).containsOnly("");
        assertThat(write.map().members()).isEmpty();
        member.wrote("2", write.map());
        assertThat(member.hasLeft()).isTrue();
        assertThat(fence.isOpen()).isFalse();
    }

    @Test
    void the_fence_falls_so_long_after_a_renewal_was_sent_however_late_its_answer_comes() {
        holdsAll();
        member.begin(true);
        pass(Duration.ofSeconds(4));
        member.renewed();
        member.saw(seen(map(1, "me", "me", "me", "me"), "1"));

        pass(Duration.ofMillis(5_999));
        assertThat(fence.isOpen()).isTrue();
        pass(Duration.ofMillis(2));
        assertThat(fence.isOpen()).isFalse();
        member.begin(true);
        assertThat(gate.enter(0)).as("work that begins now").isEmpty();
    }

    @Test
    void nothing_is_asked_of_a_lease_that_a_leader_holds() {
        member.begin(true);
        member.renewed();
        assertThat(member.saw(new Seen(null, "7", "leader", Duration.ofSeconds(15), Map.of())))
                .isNull();
        ShardRequest next = null;
        for (int second = 0; second < 15; second++) {
            assertThat(next).isNull();
            pass(Duration.ofSeconds(1));
            member.begin(true);
            member.renewed();
            next = member.saw(new Seen(null, "7", "leader", Duration.ofSeconds(15), Map.of()));
        }
        Write write = written(next);
        assertThat(write.base()).isEqualTo("7");
    }

    private void holdsAll() {
        Write write = written(round(null, null));
        member.wrote("1", write.map());
        gate.open(gate.takeGained());
    }

    /** Names the heirs of what it has to part with, as a member of a map; gives it away once they are ready. */
    private Write given(ShardMap map) {
        Write promise = written(round(map, "named"));
        assertThat(promise.map().holders()).isEqualTo(map.holders());
        member.wrote("promised", promise.map());
        seen = ready(promise.map(), 0, 1, 2, 3);
        return written(round(seen, "2"));
    }

    /** Joins one that holds all. */
    private Write joined() {
        lives("other");
        Write join = written(round(map(1, "other", "other", "other", "other"), "1"));
        member.wrote("2", join.map());
        return join;
    }

    /** The map after that, in which its holder is to give these away. */
    private static ShardMap promised(Write join, Integer... buckets) {
        List<Heir> heirs = new ArrayList<>(join.map().heirs());
        for (int bucket : buckets) {
            heirs.set(bucket, new Heir("me", false));
        }
        return new ShardMap(5, join.map().members(), join.map().holders(), heirs, Told.NOTHING);
    }

    private static ShardMap otherJoined() {
        return new ShardMap(2, List.of(one("me", 1), one("other", 1)), Collections.nCopies(BUCKETS, "me"));
    }

    private static ShardMap ready(ShardMap map, Integer... buckets) {
        List<Heir> heirs = new ArrayList<>(map.heirs());
        for (int bucket : buckets) {
            heirs.set(
                    bucket,
                    new Heir(heirs.get(bucket).name(), !heirs.get(bucket).name().isEmpty()));
        }
        return new ShardMap(map.generation() + 1, map.members(), map.holders(), heirs, map.told());
    }

    private @Nullable ShardRequest round(@Nullable ShardMap map, @Nullable String version) {
        assertThat(member.begin(true)).isInstanceOf(Renew.class);
        assertThat(member.renewed()).isInstanceOf(Look.class);
        return member.saw(seen(map, version));
    }

    private Seen seen(@Nullable ShardMap map, @Nullable String version) {
        return new Seen(map, version, "", Duration.ZERO, Map.copyOf(leases));
    }

    private void lives(String other) {
        leases.merge(other, "1", (before, one) -> before + one);
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    /** Time in which this member renews its Lease, and looks. */
    private void passRenewing(Duration time, ShardMap map, String version) {
        for (long second = 0; second < time.toSeconds(); second++) {
            pass(Duration.ofSeconds(1));
            if (round(map, version) != null) {
                member.failed();
            }
        }
    }

    private static Write written(@Nullable ShardRequest request) {
        assertThat(request).isInstanceOf(Write.class);
        return (Write) Optional.ofNullable(request).orElseThrow();
    }

    private static Member one(String name, long epoch) {
        return new Member(name, "new", epoch, false);
    }

    private static ShardMap map(long generation, String... holders) {
        List<Member> members = new ArrayList<>();
        List.of(holders).stream().distinct().forEach(name -> members.add(one(name, 1)));
        return new ShardMap(generation, members, List.of(holders));
    }

    private List<Integer> open() {
        return IntStream.range(0, BUCKETS)
                .filter(bucket -> gate.holds(bucket) && fence.isOpen())
                .boxed()
                .toList();
    }
}
