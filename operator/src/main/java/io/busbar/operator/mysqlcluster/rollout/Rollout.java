package io.busbar.operator.mysqlcluster.rollout;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.objects.Settings;
import io.busbar.operator.mysqlcluster.topology.ClusterReasons;
import io.busbar.operator.mysqlcluster.topology.Step;
import io.busbar.operator.mysqlcluster.topology.Switchover;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.UpdateStrategy;
import io.busbar.operator.mysqlcluster.v1alpha1.UpdateType;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Restarts members that do not run what is asked for, one at a time, each once all others are well. Any thread. */
public final class Rollout implements Step {

    /** How long an updated member may take until somebody must look. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Switchover switchover;

    public Rollout(Switchover switchover) {
        this.switchover = switchover;
    }

    @Override
    public Next take(Turn turn) throws InterruptedException {
        Revisions revisions = Revisions.of(turn);
        UpdateStrategy strategy = turn.spec().updateStrategy();
        if (revisions.outdated().isEmpty()) {
            complete(turn, revisions);
            return Next.GO_ON;
        }
        if (strategy.type() == UpdateType.OnDelete || strategy.paused()) {
            return Next.GO_ON;
        }
        Gate gate = new Gate(turn, revisions);
        List<Member> eligible = gate.eligible();
        if (eligible.isEmpty()) {
            return Next.GO_ON;
        }
        turn.draft().phase(ClusterReasons.UPDATING);
        Optional<Member> unwell = unwell(turn);
        if (unwell.isPresent()) {
            return waitFor(turn, revisions, gate.hold().isPresent() ? List.of() : eligible, unwell.get());
        }
        Optional<String> hold = gate.hold();
        if (hold.isPresent()) {
            tellPause(turn, hold.get());
            return Next.GO_ON;
        }
        update(turn, eligible.get(0));
        return Next.END_TURN;
    }

    private void update(Turn turn, Member member) throws InterruptedException {
        if (Order.isPrimary(turn, member)) {
            Optional<Member> successor = Switchover.successor(turn);
            if (successor.isPresent()) {
                switchover.to(turn, successor.get());
                return;
            }
        }
        member.pod().ifPresent(turn.context()::delete);
    }

    /** One that is outdated itself may be the reason for the change: it is replaced as it is. */
    private static Next waitFor(Turn turn, Revisions revisions, List<Member> eligible, Member unwell) {
        boolean outdated = eligible.stream().anyMatch(member -> member.ordinal() == unwell.ordinal());
        if (outdated && !Order.isPrimary(turn, unwell) && !unwell.isLeaving()) {
            unwell.pod().ifPresent(turn.context()::delete);
            return Next.END_TURN;
        }
        if (hasFailed(unwell) || age(turn, unwell).compareTo(PATIENCE) > 0) {
            turn.trouble(
                    ClusterReasons.ROLLOUT_STALLED,
                    "RolloutStalled",
                    "Update",
                    unwell.name() + " is not well with " + revisions.update() + ": "
                            + unwell.error().orElse("it is not ready") + "; change the spec back, or mend it");
        }
        return Next.GO_ON;
    }

    private static Optional<Member> unwell(Turn turn) {
        return turn.members().all().stream()
                .filter(member -> member.isLeaving() || !member.podReady() || !isWell(turn, member))
                .findFirst();
    }

    private static boolean isWell(Turn turn, Member member) {
        return Order.isPrimary(turn, member) ? member.isWritable() : turn.keepsUp(member);
    }

    /** It does not apply what it receives, and will not without somebody. */
    private static boolean hasFailed(Member member) {
        return member.replication().filter(one -> one.sqlErrno() != 0).isPresent();
    }

    private static Duration age(Turn turn, Member member) {
        return member.pod()
                .map(Pod::getMetadata)
                .map(metadata -> Duration.between(Instant.parse(metadata.getCreationTimestamp()), turn.now()))
                .orElse(Duration.ZERO);
    }

    private static void tellPause(Turn turn, String why) {
        turn.draft().note(ClusterReasons.CANARY_PAUSED, why);
        if (turn.isNew(ClusterReasons.CANARY_PAUSED)) {
            turn.tell("CanaryPaused", "Update", why);
        }
    }

    /** Once the last one is well, too: until then there is a way back. */
    private static void complete(Turn turn, Revisions revisions) {
        String revision = revisions.update();
        String before = turn.draft().currentRevision();
        if (revision == null
                || revisions.updated() < turn.replicas()
                || unwell(turn).isPresent()) {
            return;
        }
        Settings.removeUnused(
                turn.statefulSet().getSpec().getTemplate(),
                turn.members().all().stream()
                        .flatMap(member -> member.pod().stream())
                        .toList(),
                turn.context());
        if (revision.equals(before)) {
            return;
        }
        turn.draft().currentRevision(revision);
        if (before != null) {
            turn.tell("RolloutCompleted", "Update", "all members run " + revision);
        }
    }
}
