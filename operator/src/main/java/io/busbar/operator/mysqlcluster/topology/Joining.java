package io.busbar.operator.mysqlcluster.topology;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets every member follow the primary that has no reason not to. Any thread. */
final class Joining implements Step {

    private static final Logger log = LoggerFactory.getLogger(Joining.class);

    @Override
    public Next take(Turn turn) throws InterruptedException {
        Member primary = turn.servingPrimary().orElse(null);
        if (primary == null) {
            return Next.END_TURN;
        }
        List<Member> joining = turn.members().except(primary).stream()
                .filter(Member::reachable)
                .filter(member -> History.of(turn, member, primary) == History.FITS)
                .filter(member -> !Cloning.isUnderWay(turn, member))
                .filter(member -> mustBeTold(member, primary))
                .toList();
        if (joining.isEmpty()) {
            return Next.GO_ON;
        }
        // Its acknowledgements count from now on, whatever becomes of this operator.
        joining.forEach(member -> turn.draft().joins(member.name()));
        turn.save();
        turn.fleet().each(joining, member -> follow(turn, member, primary));
        return Next.GO_ON;
    }

    /** One that only waits for its source is left alone. */
    private static boolean mustBeTold(Member member, Member primary) {
        Replication replication = member.replication().orElse(null);
        return replication == null
                || !primary.endpoint().orElseThrow().equals(replication.source())
                || replication.io() == Replication.Io.NO
                || (!replication.sqlRunning() && replication.sqlErrno() == 0);
    }

    private static boolean follow(Turn turn, Member member, Member primary) throws InterruptedException {
        boolean own = member.state()
                .map(ServerState::own)
                .filter(mine -> !mine.isEmpty())
                .isPresent();
        try (DatabaseServer server = turn.fleet().connect(member)) {
            server.makeReadOnly();
            server.acknowledgeByReplicas(false);
            server.follow(
                    primary.endpoint().orElseThrow(), turn.fleet().accounts().replication(), own);
        } catch (SqlFailure failure) {
            log.atWarn()
                    .addKeyValue("member", member.name())
                    .addKeyValue("error", failure.getMessage())
                    .log("a member does not follow the primary yet");
            return false;
        }
        boolean another = member.replication()
                .filter(before -> !before.source().equals(primary.endpoint().orElseThrow()))
                .isPresent();
        if (another || own) {
            turn.tell("ReplicaRepointed", "Repoint", member.name() + " follows " + primary.name());
        }
        return true;
    }
}
