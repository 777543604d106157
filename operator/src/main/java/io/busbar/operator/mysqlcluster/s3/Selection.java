package io.busbar.operator.mysqlcluster.s3;

import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.time.Instant;

/**
 * Which transactions of a {@link Chain} a server is given that has a backup: each one once, in the order of the logs, up
 * to the target. One thread.
 */
final class Selection {

    /** What becomes of a transaction. */
    enum Choice {
        TAKEN,
        /** It is there already, or not asked for. */
        LEFT_OUT,
        /** All that is asked for is before it. */
        BEYOND
    }

    private final Flavor flavor;
    private final Target target;
    private Position reached;
    private boolean isBeyond;
    private long taken;

    /** @param backup what it holds */
    Selection(Flavor flavor, Position backup, Target target) {
        this.flavor = flavor;
        this.reached = backup;
        this.target = target;
    }

    /** @throws OutOfReach when it cannot come after what was taken */
    Choice choose(Transaction transaction) {
        Position one = Position.of(flavor, transaction.gtid());
        if (reached.reaches(one)) {
            requireSame(one, transaction.gtid());
            return Choice.LEFT_OUT;
        }
        if (target instanceof Target.Moment moment && moment.isPassed(transaction.committed())) {
            isBeyond = true;
            return Choice.BEYOND;
        }
        if (target instanceof Target.Transactions asked && !asked.all().reaches(one)) {
            return Choice.LEFT_OUT;
        }
        reached = reached.and(one);
        taken++;
        return Choice.TAKEN;
    }

    /** Two servers of MariaDB that give the same number to different transactions have parted. */
    private void requireSame(Position one, String gtid) {
        if (flavor != Flavor.MARIADB || reached.contains(one)) {
            return;
        }
        int number = gtid.lastIndexOf('-') + 1;
        String next = gtid.substring(0, number) + (Long.parseLong(gtid.substring(number)) + 1);
        if (!reached.reaches(Position.of(flavor, next))) {
            throw new OutOfReach("the binary logs have " + gtid + ", and what is restored before that ends at '"
                    + reached.text() + "': they are of different histories; name another backup, or an earlier moment");
        }
    }

    /**
     * @param closed when the last binary log was, by its server
     * @throws OutOfReach when more may have come before the moment, or not all that was asked for has come
     */
    void requireEnd(Instant closed) {
        if (target instanceof Target.Moment moment && !isBeyond && closed.isBefore(moment.second())) {
            throw new OutOfReach("the archive ends at " + closed + ", before " + moment.second()
                    + ": name an earlier moment, or wait until more is archived");
        }
        if (target instanceof Target.Transactions asked && !reached.contains(asked.all())) {
            throw new OutOfReach("the archive does not have '"
                    + asked.all().minus(reached).text() + "' of gtid: it leads to '" + reached.text() + "'");
        }
    }

    boolean isBeyond() {
        return isBeyond;
    }

    /** How many were taken. */
    long taken() {
        return taken;
    }

    /** What the server has once it was given all that was taken. */
    Position reached() {
        return reached;
    }
}
