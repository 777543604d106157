package io.busbar.operator.mysqlcluster.report;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.topology.LastSeen;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberRole;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is told of each member. Pure; any thread. */
final class MemberReport {

    private final Turn turn;
    private final Optional<Member> primary;

    MemberReport(Turn turn) {
        this.turn = turn;
        this.primary = turn.primary();
    }

    List<MemberStatus> members() {
        return turn.members().all().stream().map(this::of).toList();
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
        if (member.name().equals(turn.draft().primary())) {
            return MemberRole.Primary;
        }
        if (member.isRefusedBySource() || turn.members().isErrant(member)) {
            return MemberRole.Diverged;
        }
        return primary.filter(member::isFollowing).isPresent() ? MemberRole.Replica : MemberRole.Joining;
    }

    /** Of a primary that has lost some of it, what it had: it is held to that until somebody has decided. */
    private @Nullable String gtid(Member member, Optional<MemberStatus> before) {
        boolean isPrimary = member.name().equals(turn.draft().primary());
        if (isPrimary && LastSeen.isBehind(turn, member)) {
            return LastSeen.expected(turn, member).orElse(null);
        }
        return member.state()
                .map(state -> state.replication().isPresent() ? state.applied() : state.history())
                .map(position -> position.text())
                .filter(text -> !text.isEmpty())
                .or(() -> before.map(MemberStatus::gtid))
                .orElse(null);
    }

    /**
     * Whether it may acknowledge writes. That of a member is over when its server is seen to be down, and that is not judged while the primary
     * is away: an election asks who was there until then.
     */
    private boolean ioRunning(Member member, Optional<MemberStatus> before) {
        boolean was = before.filter(MemberStatus::ioRunning).isPresent();
        if (turn.draft().isJoining(member.name())) {
            return true;
        }
        if (primary.filter(Member::reachable).isEmpty()) {
            return was;
        }
        if (!member.reachable()) {
            return was && member.podReady();
        }
        return member.replication()
                .filter(replication -> replication.io() != Replication.Io.NO)
                .isPresent();
    }

    private Optional<MemberStatus> before(Member member) {
        return turn.cluster().told().members().stream()
                .filter(status -> status.name().equals(member.name()))
                .findFirst();
    }
}
