package io.busbar.operator.mysqlcluster.report;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.sql.Disk;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.topology.ClusterReasons;
import io.busbar.operator.mysqlcluster.topology.Step;
import io.busbar.operator.mysqlcluster.topology.Turn;
import java.util.Optional;
import java.util.Set;

/** Notes what is wrong with members, and what helps: a disk that is full, a replica that cannot go on, a server that does not answer. Any thread. */
public final class Health implements Step {

    private static final long MEBIBYTE = 1024L * 1024;

    /** A server cannot even say that it ends. */
    private static final long LEAST_BYTES = 4 * MEBIBYTE;

    private static final int LEAST_PERCENT = 2;

    /** Disk full; table full; the relay log cannot be written. */
    private static final Set<Integer> FULL = Set.of(1021, 1114, 1595);

    @Override
    public Next take(Turn turn) {
        noteDisks(turn);
        turn.primary()
                .ifPresent(primary -> turn.members().except(primary).forEach(member -> noteReplica(turn, member)));
        return Next.GO_ON;
    }

    private static void noteDisks(Turn turn) {
        for (Member member : turn.members().reachable()) {
            member.disk().filter(Health::isFull).ifPresent(disk -> noteFull(turn, member, left(disk)));
        }
    }

    private static boolean isFull(Disk disk) {
        return disk.availableBytes() < LEAST_BYTES || disk.availableBytes() < disk.totalBytes() / 100 * LEAST_PERCENT;
    }

    private static String left(Disk disk) {
        if (disk.totalBytes() == 0) {
            return "a write has found no room, by its error log";
        }
        return disk.availableBytes() / MEBIBYTE + " MiB of " + disk.totalBytes() / MEBIBYTE + " are left";
    }

    private static void noteReplica(Turn turn, Member member) {
        Optional<Replication> broken =
                member.replication().filter(one -> one.sqlErrno() != 0 || one.io() == Replication.Io.NO);
        if (broken.filter(one -> FULL.contains(one.sqlErrno()) || FULL.contains(one.ioErrno()))
                .isPresent()) {
            noteFull(turn, member, member.error().orElse(""));
        } else if (broken.isPresent() && member.error().isPresent() && !member.isRefusedBySource()) {
            trouble(
                    turn,
                    ClusterReasons.REPLICA_STOPPED,
                    member.name() + " does not follow: " + member.error().get()
                            + "; mend what it says, or delete the claim data-" + member.name()
                            + " and its Pod for a new copy");
        } else if (!member.reachable()) {
            trouble(
                    turn,
                    ClusterReasons.MEMBER_UNREACHABLE,
                    member.name() + ": " + member.error().orElse("it has no address")
                            + "; it is asked again and again: see what its Pod and its server's log say");
        }
    }

    private static void noteFull(Turn turn, Member member, String detail) {
        trouble(
                turn,
                ClusterReasons.DISK_FULL,
                "the disk of " + member.name() + " is full: " + detail + "; enlarge the volume of the claim data-"
                        + member.name() + ", or make room");
    }

    private static void trouble(Turn turn, ConditionReason reason, String message) {
        turn.trouble(reason, reason.reason(), "Observe", message);
    }
}
