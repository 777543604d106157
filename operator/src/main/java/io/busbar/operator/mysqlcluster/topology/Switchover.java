package io.busbar.operator.mysqlcluster.topology;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer.Freeze;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverPhase;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Hands the writes over to another member without losing any. In time, or not at all: then the old primary goes on. As a step it does so for
 * {@code spec.replication.primaryOrdinal}. Any thread.
 *
 * <pre>
 *   old:   no label ─▶ read-only, clients ended ─▶ lock ────────────────────────────────▶ clients ended again ─▶ lock ends
 *   next:                                               has all ─▶ writable ─▶ label ─▶
 * </pre>
 *
 * <p>Clients still get to the old one for a moment after it has lost its label, and {@code read_only} does not stop all of them: what they write
 * waits for the lock, and is never acknowledged.
 */
public final class Switchover implements Step {

    /** After one that failed. */
    private static final Duration PAUSE = Duration.ofMinutes(1);

    @Override
    public Next take(Turn turn) throws InterruptedException {
        if (turn.draft().failover().phase() == FailoverPhase.Switching) {
            resume(turn);
        }
        Integer ordinal = turn.spec().replication().primaryOrdinal();
        Member primary = turn.servingPrimary().orElse(null);
        if (ordinal == null || primary == null || primary.ordinal() == ordinal) {
            return Next.GO_ON;
        }
        Optional<Member> wanted = turn.members().all().stream()
                .filter(member -> member.ordinal() == ordinal && Roles.keepsUp(turn, member, primary))
                .findFirst();
        if (wanted.isPresent() && !failedLately(turn, wanted.get())) {
            to(turn, wanted.get());
        }
        return Next.GO_ON;
    }

    /**
     * Hands over, and looks at all members again.
     *
     * @param next follows the primary closely
     * @return whether it is the primary now
     */
    public boolean to(Turn turn, Member next) throws InterruptedException {
        Member old = turn.servingPrimary().orElseThrow();
        if (failedLately(turn, next)) {
            return false;
        }
        Roles.drop(turn, old);
        FailoverStatus before = turn.draft().failover();
        turn.draft().phase(ClusterReasons.SWITCHING_OVER);
        turn.draft()
                .failover(new FailoverStatus(
                        FailoverPhase.Switching,
                        old.name(),
                        next.name(),
                        null,
                        turn.now().toString(),
                        before.count()));
        turn.save();
        Optional<String> why = handOver(turn, old, next);
        if (why.isPresent() && !hasTakenOver(turn, next)) {
            giveUp(turn, old, why.get());
            return false;
        }
        finish(turn);
        return true;
    }

    /** Among those that follow closely, the one with the lowest ordinal. */
    public static Optional<Member> successor(Turn turn) {
        return turn.servingPrimary()
                .flatMap(primary -> turn.members().except(primary).stream()
                        .filter(member -> Roles.keepsUp(turn, member, primary) && !member.isLeaving())
                        .findFirst());
    }

    private static Optional<String> handOver(Turn turn, Member old, Member next) throws InterruptedException {
        Duration patience = Duration.ofSeconds(turn.spec().replication().switchTimeoutSeconds());
        try (DatabaseServer from = turn.fleet().connect(old);
                DatabaseServer to = turn.fleet().connect(next)) {
            from.makeReadOnly();
            from.closeClients();
            try (Freeze freeze = from.freeze(patience)) {
                Position all = freeze.position();
                if (!to.awaitApplied(all, patience)) {
                    return Optional.of(
                            next.name() + " does not have " + all.text() + " after " + patience.toSeconds() + " s");
                }
                to.stopFollowing();
                to.acknowledgeByReplicas(turn.spec().replication().semiSync());
                to.makeWritable();
                sendWrites(turn);
                from.closeClients();
            }
            return Optional.empty();
        } catch (SqlFailure failure) {
            return Optional.of(String.valueOf(failure.getMessage()));
        }
    }

    /** Whether the next one had taken over when the operator ended, or its answer was lost, is seen by whether it is writable. */
    private static void resume(Turn turn) throws InterruptedException {
        FailoverStatus at = turn.draft().failover();
        Optional<Member> to = turn.members().named(at.to()).filter(Member::isWritable);
        if (to.isPresent()) {
            finish(turn);
        } else {
            turn.draft().failover(at.at(FailoverPhase.Failed));
        }
    }

    /** From now on the next one is the primary, whatever becomes of the old one. */
    private static void sendWrites(Turn turn) {
        FailoverStatus at = turn.draft().failover();
        turn.draft().primary(at.to());
        turn.draft().failover(at.at(FailoverPhase.Completed));
        turn.save();
        turn.members().named(at.to()).ifPresent(next -> Roles.makePrimary(turn, next));
    }

    private static void finish(Turn turn) throws InterruptedException {
        FailoverStatus at = turn.draft().failover();
        if (at.phase() != FailoverPhase.Completed) {
            sendWrites(turn);
        }
        turn.tell("SwitchoverCompleted", "Switchover", "writes go to " + at.to() + " in place of " + at.from());
        turn.tell("PrimaryElected", "Switchover", at.to() + " is the primary");
        turn.look();
        turn.draft().phase(ClusterReasons.SWITCHING_OVER);
        new Joining().take(turn);
    }

    /** Also where its answer to that was lost. */
    private static boolean hasTakenOver(Turn turn, Member next) throws InterruptedException {
        return turn.draft().failover().phase() == FailoverPhase.Completed
                || turn.fleet().ask(next).isWritable();
    }

    private static void giveUp(Turn turn, Member old, String why) throws InterruptedException {
        try (DatabaseServer from = turn.fleet().connect(old)) {
            from.makeWritable();
        } catch (SqlFailure failure) {
            turn.draft().note(ClusterReasons.NOT_WRITABLE, String.valueOf(failure.getMessage()));
        }
        turn.draft().failover(turn.draft().failover().at(FailoverPhase.Failed));
        turn.save();
        turn.warn("SwitchoverFailed", "Switchover", old.name() + " stays the primary: " + why);
        turn.look();
        new Roles().take(turn);
        new Joining().take(turn);
    }

    private static boolean failedLately(Turn turn, Member next) {
        FailoverStatus last = turn.draft().failover();
        return last.phase() == FailoverPhase.Failed
                && next.name().equals(last.to())
                && last.startedAt() != null
                && Duration.between(Instant.parse(last.startedAt()), turn.now()).compareTo(PAUSE) < 0;
    }
}
