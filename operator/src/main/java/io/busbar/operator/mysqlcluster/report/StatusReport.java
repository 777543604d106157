package io.busbar.operator.mysqlcluster.report;

import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.common.watch.Lister;
import io.busbar.operator.mysqlcluster.access.Rotation;
import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.Plan;
import io.busbar.operator.mysqlcluster.decide.Roles;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.busbar.operator.mysqlcluster.objects.Migration;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.Progress;
import io.busbar.operator.mysqlcluster.observe.RotationProgress;
import io.busbar.operator.mysqlcluster.rollout.Revisions;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalPrimary;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalPrimaryState;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalPrimaryStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberRole;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.RotationStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The status of a cluster, from a seen.
 *
 * <p>Positions and lags change with every write of a user: they are told anew together with something else, and every
 * half minute.
 */
public final class StatusReport {

    private final Freshness freshness;

    public StatusReport(Freshness freshness) {
        this.freshness = freshness;
    }

    /**
     * The cluster with its next status.
     *
     * @param seen with what is decided by now
     * @param plan by which it is told what goes on
     * @param joining members that are about to be told to follow
     * @param there all clusters
     */
    public MySQLCluster of(Observation seen, Plan plan, Set<String> joining, Lister<MySQLCluster> there) {
        MySQLClusterStatus before = seen.cluster().told();
        MySQLClusterStatus next = status(seen, plan, joining, before);
        if (!sameButForPositions(before, next) || isAnyReplaced(seen) || freshness.isDue(seen)) {
            freshness.told(seen, there);
            return seen.cluster().with(next);
        }
        return seen.cluster().with(before);
    }

    /** Whether a member has other data now: its position is not that of what it had. */
    private static boolean isAnyReplaced(Observation seen) {
        return seen.members().all().stream().anyMatch(member -> seen.memory().hasDone(Action.Seed.class, member));
    }

    private static MySQLClusterStatus status(
            Observation seen, Plan plan, Set<String> joining, MySQLClusterStatus before) {
        Progress progress = seen.progress();
        List<MemberStatus> members = new MemberReport(seen, joining).members();
        Optional<Member> primary = seen.servingPrimary();
        Optional<Member> head = seen.head();
        int ready = (int) seen.members().all().stream()
                .filter(member -> head.filter(one -> one.ordinal() == member.ordinal() || Roles.keepsUp(seen, member))
                        .isPresent())
                .count();
        int wanted = progress.targetSize();
        Revisions revisions = Revisions.of(seen);
        Conditions conditions = new ConditionsReport(Conditions.of(seen.cluster(), seen.now()), plan)
                .of(
                        primary.isPresent(),
                        primary.flatMap(one -> writesWait(seen, one)),
                        ready,
                        wanted,
                        seen.spec().backup() != null && seen.spec().backup().archive() != null);
        return new MySQLClusterStatus.Builder()
                .nodes(seen.members().all().stream()
                        .filter(member -> member.pod().isPresent())
                        .map(Member::name)
                        .sorted()
                        .toList())
                .phase(plan.phase()
                        .map(ConditionReason::reason)
                        .or(() -> Optional.ofNullable(before.phase()).filter(told -> plan.isDecidedAgain()))
                        .orElse(seen.isMigrating() ? "Migrating" : phase(primary.isPresent(), ready, wanted, plan)))
                .serving(ready, wanted)
                .selector(ClusterNames.selector(seen.name()))
                .primary(progress.primary(), progress.primaryFailingSince())
                .version(head.flatMap(Member::state).map(ServerState::version).orElse(before.version()))
                .volumeSize(ClusterObjects.volumeSize(seen.statefulSet()))
                .revisions(
                        progress.currentRevision() == null ? revisions.update() : progress.currentRevision(),
                        revisions.update(),
                        revisions.updated())
                .failover(progress.failover())
                .members(members)
                .acknowledgements(progress.acknowledgements())
                .rotation(rotation(seen))
                .externalPrimary(externalPrimary(seen))
                .backups(progress.lastBackup(), progress.nextBackupTime())
                .archive(progress.archive())
                .conditions(conditions)
                .build();
    }

    private static @Nullable ExternalPrimaryStatus externalPrimary(Observation seen) {
        ExternalPrimaryStatus before = seen.cluster().told().externalPrimary();
        ExternalPrimary asked = Migration.asked(seen.cluster()).orElse(null);
        if (asked == null) {
            return before;
        }
        String host = asked.host() + ":" + asked.port();
        String gtid = seen.isMigrating()
                ? seen.head()
                        .flatMap(Member::state)
                        .map(state -> state.applied().text())
                        .orElse(null)
                : Optional.ofNullable(before).map(ExternalPrimaryStatus::gtid).orElse(null);
        Optional<Replication> following = seen.primary()
                .flatMap(Member::replication)
                .filter(one -> one.io() == Replication.Io.YES && one.sqlRunning())
                .filter(one -> seen.outside()
                        .filter(outside -> outside.endpoint().equals(one.source()))
                        .isPresent());
        ExternalPrimaryState state = ExternalPrimaryState.CutOver;
        if (seen.isMigrating()) {
            state = seen.progress().primary() == null
                    ? ExternalPrimaryState.Copying
                    : following.isPresent() ? ExternalPrimaryState.Following : ExternalPrimaryState.Disconnected;
        }
        Long lag = seen.isMigrating()
                ? following.flatMap(Replication::lag).map(Duration::toSeconds).orElse(null)
                : null;
        return new ExternalPrimaryStatus(host, state, lag, gtid);
    }

    private static RotationStatus rotation(Observation seen) {
        RotationProgress rotation = seen.rotation();
        return new RotationStatus(
                rotation.changedAt().map(Instant::toString).orElse(null),
                Rotation.due(seen.cluster(), rotation).map(Instant::toString).orElse(null),
                rotation.answered().isEmpty() ? null : rotation.answered());
    }

    /** Why no write is acknowledged. */
    private static Optional<String> writesWait(Observation seen, Member primary) {
        int required = seen.spec().replication().acknowledgementsRequired();
        if (seen.members().isAcknowledged(primary, required)) {
            return Optional.empty();
        }
        return Optional.of(
                required == 1
                        ? "no replica acknowledges what is written, and each write waits for one: bring a replica"
                                + " back, or set spec.replication.semiSync to false"
                        : "fewer than " + required
                                + " replicas acknowledge what is written, and each write waits for as"
                                + " many: bring replicas back, or lower spec.replication.acknowledgements");
    }

    private static String phase(boolean primaryServes, int ready, int wanted, Plan plan) {
        if (!primaryServes) {
            return "PrimaryAway";
        }
        return ready < wanted || plan.isDegraded() ? "Degraded" : "Running";
    }

    private static boolean sameButForPositions(MySQLClusterStatus before, MySQLClusterStatus next) {
        return withoutPositions(before).equals(withoutPositions(next));
    }

    private static MySQLClusterStatus withoutPositions(MySQLClusterStatus status) {
        return status.toBuilder()
                .externalPrimary(Optional.ofNullable(status.externalPrimary())
                        .map(one -> new ExternalPrimaryStatus(one.host(), one.state(), null, null))
                        .orElse(null))
                .members(status.members().stream()
                        .map(member -> new MemberStatus(
                                member.name(),
                                member.role(),
                                member.readOnly(),
                                null,
                                null,
                                member.ioRunning(),
                                member.sqlRunning(),
                                member.role() == MemberRole.Unreachable ? null : member.lastError()))
                        .toList())
                .build();
    }
}
