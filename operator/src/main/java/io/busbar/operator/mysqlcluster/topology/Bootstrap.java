package io.busbar.operator.mysqlcluster.topology;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import java.util.List;

/**
 * Finds the primary where the status names none, by the rules of {@link FirstPrimary}. Until it is found, nobody is opened or closed, neither by SQL nor
 * by a Service. Any thread.
 */
final class Bootstrap implements Step {

    private final Seeding seeding;

    Bootstrap(Seeding seeding) {
        this.seeding = seeding;
    }

    @Override
    public Next take(Turn turn) throws InterruptedException {
        if (turn.draft().primary() != null) {
            return Next.GO_ON;
        }
        turn.draft().phase(ClusterReasons.BOOTSTRAPPING);
        turn.lookAgainAtWritable();
        FirstPrimary found = FirstPrimary.among(turn.members());
        if (found instanceof FirstPrimary.Serving serving) {
            String name = serving.member().name();
            return begin(turn, serving.member(), "PrimaryFound", name + " takes writes already, and is the primary");
        }
        if (found instanceof FirstPrimary.ToOpen first) {
            return open(turn, first.member());
        }
        explain(turn, found);
        return Next.END_TURN;
    }

    private Next open(Turn turn, Member first) throws InterruptedException {
        if (!seeding.isSeeded(turn, first) || !isComplete(turn, first)) {
            return Next.END_TURN;
        }
        try {
            Writes.open(turn, first);
        } catch (SqlFailure failure) {
            turn.draft().note(ClusterReasons.BOOTSTRAP_FAILED, String.valueOf(failure.getMessage()));
            return Next.END_TURN;
        }
        return begin(turn, first, "PrimaryElected", first.name() + " is the first primary");
    }

    private static Next begin(Turn turn, Member primary, String event, String message) throws InterruptedException {
        turn.draft().primary(primary.name());
        turn.save();
        turn.tell(event, "Bootstrap", message);
        turn.look();
        turn.draft().phase(ClusterReasons.BOOTSTRAPPING);
        return Next.GO_ON;
    }

    /** Volumes may have outlived their cluster in the middle of a copy. */
    private static boolean isComplete(Turn turn, Member first) throws InterruptedException {
        if (!first.isIncomplete()) {
            return true;
        }
        Member now = turn.fleet().ask(first);
        if (now.reachable() && !now.isIncomplete()) {
            return true;
        }
        turn.trouble(
                ClusterReasons.BOOTSTRAP_FAILED,
                "BootstrapFailed",
                "Bootstrap",
                first.name()
                        + " had been given only part of another member's data before the cluster, and no member has more;"
                        + " delete its PersistentVolumeClaim and its Pod, or, to go on with what it has, "
                        + LastSeen.acceptance(first));
        return false;
    }

    private static void explain(Turn turn, FirstPrimary nobody) {
        if (nobody instanceof FirstPrimary.Waiting waiting) {
            turn.draft().note(ClusterReasons.FIRST_MEMBER_MISSING, waiting.message());
        }
        if (nobody instanceof FirstPrimary.Incomparable incomparable) {
            turn.trouble(
                    ClusterReasons.INCOMPARABLE_DATA,
                    "BootstrapFailed",
                    "Bootstrap",
                    "the status names no primary, the members have data, and none has all of it: "
                            + incomparable.both().reason()
                            + "; delete the PersistentVolumeClaim and the Pod of each whose data is to be given up");
        }
        if (nobody instanceof FirstPrimary.SeveralServe several) {
            List<String> names = several.names();
            turn.trouble(
                    ClusterReasons.PRIMARY_UNKNOWN,
                    "PrimaryUnknown",
                    "Bootstrap",
                    "the status names no primary, and " + String.join(" and ", names)
                            + " take writes; find out which one clients are to write to, and make each other one"
                            + " read-only: SET GLOBAL super_read_only = ON with MySQL, read_only with MariaDB");
        }
    }
}
