package io.busbar.operator.mysqlcluster.report;

import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.rollout.Revisions;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.topology.Draft;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberRole;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import java.util.List;
import java.util.Optional;

/**
 * The status of a cluster, from a turn.
 *
 * <p>Positions and lags change with every write of a user: they are told anew together with something else, and every half minute.
 */
public final class StatusReport {

    private final Freshness freshness;

    public StatusReport(Freshness freshness) {
        this.freshness = freshness;
    }

    /** The cluster with its next status. */
    public MySQLCluster of(Turn turn) {
        MySQLClusterStatus before = turn.cluster().told();
        MySQLClusterStatus next = status(turn, before);
        if (!sameButForPositions(before, next) || turn.draft().isAnyReplaced() || freshness.isDue(turn)) {
            freshness.told(turn);
            return turn.cluster().with(next);
        }
        return turn.cluster().with(before);
    }

    private static MySQLClusterStatus status(Turn turn, MySQLClusterStatus before) {
        Draft draft = turn.draft();
        List<MemberStatus> members = new MemberReport(turn).members();
        Optional<Member> primary = turn.servingPrimary();
        int ready = (int) turn.members().all().stream()
                .filter(member -> primary.filter(one -> one.ordinal() == member.ordinal() || turn.keepsUp(member))
                        .isPresent())
                .count();
        int wanted = draft.targetSize();
        Revisions revisions = Revisions.of(turn);
        Conditions conditions = new ConditionsReport(Conditions.of(turn.cluster(), turn.now()), draft)
                .of(primary.isPresent(), primary.isPresent() && writesWait(turn, primary.get()), ready, wanted);
        return new MySQLClusterStatus(
                turn.members().all().stream()
                        .filter(member -> member.pod().isPresent())
                        .map(Member::name)
                        .sorted()
                        .toList(),
                draft.phase().map(ConditionReason::reason).orElse(phase(primary.isPresent(), ready, wanted, draft)),
                conditions.observedGeneration(),
                (int) turn.members().all().stream()
                        .filter(member -> member.pod().isPresent())
                        .count(),
                ready,
                wanted,
                ClusterNames.selector(turn.cluster().getMetadata().getName()),
                draft.primary(),
                turn.primaryFailingSince(),
                primary.flatMap(Member::state).map(ServerState::version).orElse(before.version()),
                draft.currentRevision() == null ? revisions.update() : draft.currentRevision(),
                revisions.update(),
                revisions.updated(),
                draft.failover(),
                members,
                draft.lastBackup(),
                draft.nextBackupTime(),
                conditions.list());
    }

    private static boolean writesWait(Turn turn, Member primary) {
        return turn.spec().replication().semiSync() && !turn.members().isAcknowledged(primary);
    }

    private static String phase(boolean primaryServes, int ready, int wanted, Draft draft) {
        if (!primaryServes) {
            return "PrimaryAway";
        }
        return ready < wanted || draft.isDegraded() ? "Degraded" : "Running";
    }

    private static boolean sameButForPositions(MySQLClusterStatus before, MySQLClusterStatus next) {
        return withoutPositions(before).equals(withoutPositions(next));
    }

    private static MySQLClusterStatus withoutPositions(MySQLClusterStatus status) {
        return status.withMembers(status.members().stream()
                .map(member -> new MemberStatus(
                        member.name(),
                        member.role(),
                        member.readOnly(),
                        null,
                        null,
                        member.ioRunning(),
                        member.sqlRunning(),
                        member.role() == MemberRole.Unreachable ? null : member.lastError()))
                .toList());
    }
}
