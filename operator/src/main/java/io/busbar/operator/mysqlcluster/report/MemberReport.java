package io.busbar.operator.mysqlcluster.report;

import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.LastSeen;
import io.busbar.operator.mysqlcluster.decide.Roles;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberRole;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is told of each member. Pure; any thread. */
final class MemberReport {

    private final Observation seen;
    private final Set<String> joining;
    private final Optional<Member> primary;

    /**
     * @param joining members that are about to be told to follow
     */
    MemberReport(Observation seen, Set<String> joining) {
        this.seen = seen;
        this.joining = joining;
        this.primary = seen.primary();
    }

    List<MemberStatus> members() {
        return seen.members().all().stream().map(this::of).toList();
    }

    private MemberStatus of(Member member) {
        Optional<MemberStatus> before = before(member);
        Optional<Replication> replication = member.replication();
        return new MemberStatus(
                member.name(),
                role(member),
                member.state()
                        .map(ServerState::readOnly)
                        .orElse(before.map(MemberStatus::readOnly).orElse(true)),
                gtid(member, before),
                replication.flatMap(Replication::lag).map(Duration::toSeconds).orElse(null),
                ioRunning(member, before),
                replication.map(Replication::sqlRunning).orElse(false),
                member.error().orElse(null));
    }

    private MemberRole role(Member member) {
        if (!member.reachable()) {
            return MemberRole.Unreachable;
        }
        if (seen.isPrimary(member)) {
            return MemberRole.Primary;
        }
        if (member.isRefusedBySource() || seen.members().isErrant(member) || Roles.hasDiverged(seen, member)) {
            return MemberRole.Diverged;
        }
        return primary.filter(member::isFollowing).isPresent() ? MemberRole.Replica : MemberRole.Joining;
    }

    /** Of a primary that has lost some of it, what it had: it is held to that until somebody has decided. */
    private @Nullable String gtid(Member member, Optional<MemberStatus> before) {
        if (seen.isPrimary(member) && LastSeen.isBehind(seen, member)) {
            return LastSeen.expected(seen, member).orElse(null);
        }
        return member.state()
                // What is ignored of what comes from outside counts as applied, and is in no history.
                .map(state -> state.replication().isPresent() && !(seen.isMigrating() && seen.isPrimary(member))
                        ? state.applied()
                        : state.history())
                .map(position -> position.text())
                .filter(text -> !text.isEmpty())
                .or(() -> before.map(MemberStatus::gtid))
                .orElse(null);
    }

    /**
     * Whether it may acknowledge writes. That of a member is over when its server is seen to be down, and that is not
     * judged while the primary is away: an election asks who was there until then. One that only the operator and the
     * API server cannot reach goes on; and a primary that has lost what it had is as good as away. Of one that was not
     * told of yet, as after the status was lost, nobody knows what it has acknowledged.
     */
    private boolean ioRunning(Member member, Optional<MemberStatus> before) {
        boolean was = before.map(MemberStatus::ioRunning).orElse(!member.isDown());
        if (joining.contains(member.name())) {
            return true;
        }
        if (primary.filter(one -> one.reachable() && !LastSeen.isBehind(seen, one))
                .isEmpty()) {
            return was;
        }
        if (!member.reachable()) {
            return was && !member.isDown();
        }
        // The primary was last looked at before that one acknowledged its last.
        return (was && seen.memory().hasTried(Action.Drain.class, member))
                || member.replication()
                        .filter(replication -> replication.io() != Replication.Io.NO)
                        .isPresent();
    }

    private Optional<MemberStatus> before(Member member) {
        return seen.cluster().told().members().stream()
                .filter(status -> status.name().equals(member.name()))
                .findFirst();
    }
}
