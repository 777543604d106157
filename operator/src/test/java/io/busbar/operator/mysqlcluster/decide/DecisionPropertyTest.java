package io.busbar.operator.mysqlcluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.access.ApplicationAccount;
import io.busbar.operator.mysqlcluster.backup.RestoredSeeding;
import io.busbar.operator.mysqlcluster.backup.Restoring;
import io.busbar.operator.mysqlcluster.backup.Schedule;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Members;
import io.busbar.operator.mysqlcluster.observe.Memory;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.report.Health;
import io.busbar.operator.mysqlcluster.rollout.Rollout;
import io.busbar.operator.mysqlcluster.scale.Scaling;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverPhase;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * What is decided is safe whatever is seen: each plan that follows, as long as servers do what they are asked, and also
 * where they refuse everything.
 */
class DecisionPropertyTest {

    private static final String SEED = "20261124";
    private static final int TRIES = 3000;

    /** As many as a turn has at most. */
    private static final int MOST_ROUNDS = 60;

    private final Decision decision = new Decision(
            new RestoredSeeding(),
            new Restoring(),
            List.of(new ApplicationAccount(), new Schedule(), new Scaling(), new Rollout()),
            List.of(new Schedule()),
            new Health());

    /** A plan, and what it was made by. */
    private record Decided(Observation seen, Plan plan) {

        List<Action> actions() {
            return flat(plan.actions());
        }

        <A extends Action> List<A> all(Class<A> kind) {
            return actions().stream().filter(kind::isInstance).map(kind::cast).toList();
        }

        @Override
        public String toString() {
            return "by %s%n%s%nafter %s: %s"
                    .formatted(
                            seen.progress(),
                            seen.members().all().stream().map(Decided::text).collect(Collectors.joining("\n")),
                            seen.memory().deeds(),
                            actions().stream().map(Decided::text).toList());
        }

        private static String text(Member member) {
            return "  %s: label '%s', %s"
                    .formatted(
                            member.name(),
                            member.pod().map(DecisionPropertyTest::role).orElse("no Pod"),
                            member.state().map(Record::toString).orElse("no answer"));
        }

        private static String text(Action action) {
            String kind = action.getClass().getSimpleName();
            return action instanceof Action.OnServer onServer
                    ? kind + " " + onServer.member().name()
                    : action instanceof Action.Label label
                            ? kind + " " + label.member().name() + " '" + label.role() + "'"
                            : action instanceof Action.Save save ? kind + " " + save.progress() : kind;
        }
    }

    private static List<Action> flat(List<? extends Action> actions) {
        List<Action> all = new ArrayList<>();
        for (Action action : actions) {
            if (action instanceof Action.InOrder steps) {
                all.addAll(flat(steps.actions()));
            } else if (action instanceof Action.AtOnce steps) {
                all.addAll(flat(steps.actions()));
            } else {
                all.add(action);
                if (action instanceof Action.HandOver handOver) {
                    all.addAll(flat(handOver.whenOpen().actions()));
                }
            }
        }
        return all;
    }

    /**
     * The plans of a turn in which all servers refuse what they are asked, or all say that they have done it, and
     * nothing is seen to change.
     */
    private List<Decided> turn(long seed, boolean isRefused) {
        Observation seen = RandomObservation.of(seed);
        List<Decided> turn = new ArrayList<>();
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Decided decided = new Decided(seen, decision.decide(seen));
            turn.add(decided);
            if (decided.plan().actions().isEmpty() || decided.plan().isLast()) {
                return turn;
            }
            seen = after(decided, isRefused);
        }
        throw new AssertionError("still something to be done after " + MOST_ROUNDS + " rounds of seed " + seed
                + ", last " + turn.get(MOST_ROUNDS - 1));
    }

    private static Observation after(Decided decided, boolean isRefused) {
        Observation next = decided.seen();
        Optional<String> failure = isRefused ? Optional.of("refused") : Optional.empty();
        for (Action action : decided.actions()) {
            if (action instanceof Action.OnServer onServer) {
                next = next.with(next.memory()
                        .with(new Memory.Deed(
                                action.getClass(), onServer.member().name(), failure)));
                if (isRefused) {
                    return next;
                }
                if (action instanceof Action.StandStill) {
                    next = changed(next, onServer.member().name(), RandomObservation::standing);
                } else if (action instanceof Action.Close || action instanceof Action.Fence) {
                    next = changed(next, onServer.member().name(), RandomObservation::closed);
                }
            } else if (action instanceof Action.Label label) {
                next = changed(next, label.member().name(), member -> RandomObservation.labelled(member, label.role()));
            } else if (action instanceof Action.Save save) {
                next = next.with(save.progress());
            } else if (action instanceof Action.Remember remember) {
                next = next.with(next.memory().with(remember.next()));
            } else if (action instanceof Action.DeleteJob deletion) {
                next = next.withJobs(
                        next.jobs().stream()
                                .filter(job -> !job.equals(deletion.job()))
                                .toList(),
                        Map.of());
            } else if (action instanceof Action.StartJob start) {
                next = next.withJobs(
                        Stream.concat(next.jobs().stream(), Stream.of(start.job()))
                                .toList(),
                        next.reports());
            }
        }
        return isRefused ? next : next.with(decided.plan().progress());
    }

    private static Observation changed(Observation seen, String name, UnaryOperator<Member> change) {
        return seen.with(new Members(seen.members().all().stream()
                .map(member -> member.name().equals(name) ? change.apply(member) : member)
                .toList()));
    }

    private List<Decided> plans(long seed) {
        return Stream.concat(turn(seed, true).stream(), turn(seed, false).stream())
                .toList();
    }

    @Property(tries = TRIES, seed = SEED, shrinking = ShrinkingMode.OFF)
    void nobody_is_opened_while_another_one_takes_writes_and_never_two(@ForAll long seed) {
        for (Decided decided : plans(seed)) {
            List<Member> opened = Stream.concat(
                            decided.all(Action.Open.class).stream().map(Action.Open::member),
                            decided.all(Action.HandOver.class).stream().map(Action.HandOver::next))
                    .toList();
            assertThat(opened).as("%s", decided).hasSizeLessThanOrEqualTo(1);
            List<String> closed = decided.all(Action.HandOver.class).stream()
                    .map(handOver -> handOver.member().name())
                    .toList();
            for (Member member : opened) {
                assertThat(decided.seen().members().except(member))
                        .as("%s", decided)
                        .noneMatch(other -> other.isWritable() && !closed.contains(other.name()));
            }
        }
    }

    @Property(tries = TRIES, seed = SEED, shrinking = ShrinkingMode.OFF)
    void nobody_who_has_only_part_of_a_copy_is_opened_or_handed_the_writes(@ForAll long seed) {
        for (Decided decided : plans(seed)) {
            assertThat(decided.all(Action.Open.class))
                    .as("%s", decided)
                    .noneMatch(open -> open.member().isIncomplete());
            assertThat(decided.all(Action.HandOver.class))
                    .as("%s", decided)
                    .noneMatch(handOver -> handOver.next().isIncomplete());
        }
    }

    @Property(tries = TRIES, seed = SEED, shrinking = ShrinkingMode.OFF)
    void no_two_pods_are_labelled_primary_at_any_time_by_a_plan(@ForAll long seed) {
        for (Decided decided : plans(seed)) {
            Set<String> labelled = decided.seen().members().all().stream()
                    .filter(member -> member.pod()
                            .filter(pod -> role(pod).equals(ClusterNames.PRIMARY))
                            .isPresent())
                    .map(Member::name)
                    .collect(Collectors.toSet());
            int before = Math.max(1, labelled.size());
            for (Action.Label label : decided.all(Action.Label.class)) {
                if (label.role().equals(ClusterNames.PRIMARY)) {
                    labelled.add(label.member().name());
                } else {
                    labelled.remove(label.member().name());
                }
                assertThat(labelled).as("%s", decided).hasSizeLessThanOrEqualTo(before);
            }
            if (decided.all(Action.Label.class).stream()
                    .anyMatch(label -> label.role().equals(ClusterNames.PRIMARY))) {
                assertThat(labelled).as("%s", decided).hasSizeLessThanOrEqualTo(1);
            }
        }
    }

    private static String role(Pod pod) {
        return ClusterNames.label(pod, ClusterNames.ROLE);
    }

    /** No restore is asked for here. */
    @Property(tries = TRIES, seed = SEED, shrinking = ShrinkingMode.OFF)
    void nothing_is_erased_and_a_copy_replaces_only_what_a_whole_one_is_there_for(@ForAll long seed) {
        for (Decided decided : plans(seed)) {
            assertThat(decided.all(Action.Erase.class)).as("%s", decided).isEmpty();
            for (Action.StartJob start : decided.all(Action.StartJob.class)) {
                Endpoint donor = ClusterJobs.donor(start.job());
                Member source = member(decided.seen(), donor);
                assertThat(source.reachable() && !source.isIncomplete() && !source.isBlank())
                        .as("%s is a donor, %s", source.name(), decided)
                        .isTrue();
                Member target = decided.seen().members().all().stream()
                        .filter(member -> start.job()
                                .getMetadata()
                                .getName()
                                .equals(ClusterJobs.cloneName("db", member.ordinal())))
                        .findFirst()
                        .orElseThrow();
                assertThat(target.name()).as("%s", decided).isNotEqualTo(source.name());
                assertThat(decided.seen().isPrimary(target)).as("%s", decided).isFalse();
                assertThat(decided.seen().memory().hasDone(Action.StandStill.class, target))
                        .as("%s", decided)
                        .isTrue();
            }
        }
    }

    private static Member member(Observation seen, Endpoint endpoint) {
        return seen.members().all().stream()
                .filter(member -> member.endpoint().filter(endpoint::equals).isPresent())
                .findFirst()
                .orElseThrow();
    }

    /**
     * Which writes those are is not known, so that none may be missing: the one that is chosen has all that the primary
     * was seen to have, and all that any member has received that can be seen; who cannot be seen was away before the
     * primary was.
     */
    @Property(tries = 4 * TRIES, seed = SEED, shrinking = ShrinkingMode.OFF)
    void nobody_is_chosen_who_may_lack_what_was_acknowledged(@ForAll long seed) {
        for (Decided decided : plans(seed)) {
            Observation seen = decided.seen();
            boolean isChoice = seen.progress().failover().phase() == FailoverPhase.Electing
                    && decided.plan().progress().failover().phase() == FailoverPhase.Promoting;
            if (isChoice && seen.spec().replication().semiSync()) {
                Member chosen = seen.members()
                        .named(decided.plan().progress().failover().to())
                        .orElseThrow();
                requireAll(decided, chosen);
            }
        }
    }

    private static void requireAll(Decided decided, Member chosen) {
        Observation seen = decided.seen();
        Member from = seen.members().named(seen.progress().failover().from()).orElseThrow();
        Position has = chosen.state().map(ServerState::history).orElseThrow();
        told(seen, from)
                .map(MemberStatus::gtid)
                .ifPresent(gtid -> assertThat(has.contains(Position.of(ServerState.Flavor.MYSQL, gtid)))
                        .as("%s has what %s was told to have: %s", chosen.name(), from.name(), decided)
                        .isTrue());
        for (Member other : seen.members().except(from)) {
            boolean isApart = seen.members().isErrant(other)
                    || (other.isRefusedBySource() && !LastSeen.isBehind(seen, from))
                    || (other.replication().isEmpty()
                            && other.name().equals(seen.progress().failover().to()));
            if (isApart) {
                continue;
            }
            Optional<Position> received =
                    other.replication().filter(one -> !one.isUnbegun()).map(Replication::received);
            if (received.isPresent()) {
                assertThat(has.contains(received.get()))
                        .as("%s has what %s received: %s", chosen.name(), other.name(), decided)
                        .isTrue();
            } else {
                assertThat(told(seen, other).filter(status -> !status.ioRunning()))
                        .as("%s was away before: %s", other.name(), decided)
                        .isPresent();
            }
        }
    }

    private static Optional<MemberStatus> told(Observation seen, Member member) {
        return seen.cluster().told().members().stream()
                .filter(status -> status.name().equals(member.name()))
                .findFirst();
    }

    @Property(tries = TRIES, seed = SEED, shrinking = ShrinkingMode.OFF)
    void what_a_server_has_refused_is_not_asked_again_in_the_same_turn(@ForAll long seed) {
        for (Decided decided : turn(seed, true)) {
            assertThat(decided.actions().stream()
                            .filter(Action.OnServer.class::isInstance)
                            .map(Action.OnServer.class::cast)
                            .filter(action -> decided.seen()
                                    .memory()
                                    .failure(action.getClass(), action.member())
                                    .isPresent()))
                    .as("%s", decided)
                    .isEmpty();
        }
    }

    /** Once it follows nobody it cannot tell any more that the primary has refused it. */
    @Property(tries = TRIES, seed = SEED, shrinking = ShrinkingMode.OFF)
    void who_was_made_to_stand_still_for_a_copy_is_given_one_and_told_to_follow_nobody(@ForAll long seed) {
        List<Decided> turn = turn(seed, false);
        for (int round = 1; round < turn.size(); round++) {
            for (Action.StandStill before : turn.get(round - 1).all(Action.StandStill.class)) {
                Decided decided = turn.get(round);
                int ordinal = before.member().ordinal();
                boolean isByDump = decided.all(Action.StartJob.class).stream()
                        .anyMatch(start ->
                                start.job().getMetadata().getName().equals(ClusterJobs.cloneName("db", ordinal)));
                boolean isPhysical = decided.all(Action.Copy.class).stream()
                        .anyMatch(copy -> copy.member().ordinal() == ordinal);
                assertThat(isByDump || isPhysical).as("%s", decided).isTrue();
                assertThat(decided.all(Action.Follow.class)).as("%s", decided).isEmpty();
            }
        }
    }
}
