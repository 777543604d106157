package io.busbar.operator.mysqlcluster.decide;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Disk;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the primary writable, and it alone. Of two that are, the one in the status stays, whatever the other says; none
 * is opened beside one that cannot be closed. A primary that has lost what it was seen to have is not opened: its
 * replicas would be given copies of what is left. Nor is one whose disk is nearly full, where that is asked for. Pure;
 * any thread.
 */
final class Upkeep implements Step {

    /** By which factor more must be free for writes to be taken again. */
    private static final double ENOUGH = 1.5;

    @Override
    public Next decide(Observation seen, Draft draft) {
        Member primary = seen.primary().orElse(null);
        if (primary == null) {
            return Next.END_TURN;
        }
        if (seen.isMigrating()) {
            return Next.GO_ON;
        }
        List<Member> others = seen.members().except(primary);
        List<Member> beside = others.stream()
                .filter(member -> member.isWritable() && !seen.memory().hasTried(Action.Close.class, member))
                .toList();
        if (!beside.isEmpty()) {
            draft.act(new Action.AtOnce(
                    beside.stream().map(other -> silence(seen, primary, other)).toList()));
            return Next.GO_ON;
        }
        Optional<String> lost = LastSeen.lost(seen, primary);
        boolean held = isHeld(seen, primary);
        if (held) {
            noteHeld(seen, draft, primary);
            if (primary.isWritable() && !seen.memory().hasTried(Action.Close.class, primary)) {
                draft.act(new Action.Close(primary));
                return Next.GO_ON;
            }
        }
        boolean mustBeOpened = primary.reachable()
                && lost.isEmpty()
                && !held
                && (!primary.isWritable() || primary.replication().isPresent())
                && others.stream().noneMatch(Member::isWritable);
        if (mustBeOpened && !seen.memory().hasTried(Action.Open.class, primary)) {
            Acknowledgements.expectNoMoreThanRequired(seen, draft);
            draft.act(new Action.Open(primary, seen.spec().replication().acknowledgementsRequired()));
            return Next.GO_ON;
        }
        others.forEach(other -> noteSplit(seen, draft, primary, other));
        seen.memory()
                .failure(Action.Open.class, primary)
                .ifPresent(why ->
                        draft.note(ClusterReasons.NOT_WRITABLE, primary.name() + " cannot be made writable: " + why));
        lost.ifPresent(what -> noteBehind(draft, primary, what));
        return primary.isWritable() ? Next.GO_ON : Next.END_TURN;
    }

    /**
     * Whether the primary must not be written to, as its disk is nearly full. Once it is held, that stays so until there
     * is clearly more room, or nobody asks for that any more.
     */
    static boolean isHeld(Observation seen, Member primary) {
        Integer percent = seen.spec().storage().readOnlyBelowPercent();
        if (percent == null || !primary.reachable()) {
            return false;
        }
        boolean before = Conditions.find(seen.cluster().told().conditions(), ConditionTypes.PRIMARY_READY)
                .filter(told -> told.getReason().equals(ClusterReasons.DISK_NEARLY_FULL.reason()))
                .isPresent();
        return primary.disk()
                .map(disk -> disk.hasLessThan(before ? percent * ENOUGH : percent))
                .orElse(before);
    }

    private static void noteHeld(Observation seen, Draft draft, Member primary) {
        draft.phase(ClusterReasons.WRITES_HELD);
        draft.trouble(
                ClusterReasons.DISK_NEARLY_FULL,
                ClusterReasons.DISK_NEARLY_FULL.reason(),
                "MakeReadOnly",
                primary.name() + " takes no writes, as less than "
                        + seen.spec().storage().readOnlyBelowPercent() + " % of its disk were free: "
                        + primary.disk().map(Disk::words).orElse("how much is free now is not known")
                        + "; raise spec.storage.size, or make room");
    }

    static void noteBehind(Draft draft, Member primary, String lost) {
        draft.trouble(
                ClusterReasons.PRIMARY_LACKS_DATA,
                "PrimaryLacksData",
                "MakeWritable",
                primary.name() + " does not have " + lost
                        + ", and takes no writes: bring its"
                        + " volume back, or put a backup in its place by a MySQLRestore, or, to go on with what it has, "
                        + LastSeen.acceptance(primary));
    }

    private static Action silence(Observation seen, Member primary, Member other) {
        return new Action.InOrder(
                new Action.Close(other),
                new Action.Tell(
                        seen.cluster(),
                        true,
                        "SplitBrain",
                        "MakeReadOnly",
                        other.name() + " was writable beside the primary " + primary.name() + " and is read-only now"));
    }

    private static void noteSplit(Observation seen, Draft draft, Member primary, Member other) {
        if (!seen.memory().hasTried(Action.Close.class, other)) {
            return;
        }
        seen.memory()
                .failure(Action.Close.class, other)
                .ifPresent(why -> draft.note(
                        ClusterReasons.WRITABLE_BESIDE_PRIMARY, other.name() + " cannot be made read-only: " + why));
        draft.note(
                ClusterReasons.TWO_WRITABLE,
                other.name() + " was writable beside the primary " + primary.name()
                        + "; if it took writes, MemberDiverged will say so");
    }
}
