package io.busbar.operator.mysqlcluster.topology;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;

/** Whether a member takes writes. For the thread of one reconcile, which waits. */
final class Writes {

    private Writes() {}

    /** Makes it a primary: it follows nobody, and waits for replicas where that is asked for. */
    static void open(Turn turn, Member member) throws SqlFailure, InterruptedException {
        try (DatabaseServer server = turn.fleet().connect(member)) {
            server.stopFollowing();
            server.acknowledgeByReplicas(turn.spec().replication().semiSync());
            server.makeWritable();
        }
    }

    /** None is under way any more when this returns. */
    static void close(Turn turn, Member member) throws SqlFailure, InterruptedException {
        try (DatabaseServer server = turn.fleet().connect(member)) {
            server.makeReadOnly();
            server.closeClients();
        }
    }
}
