package io.busbar.operator.mysqlcluster.topology;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.member.Members;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberStatus;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * Chooses who takes over from a primary that is away: the most advanced replica, once none receives anything more, and all have applied what they
 * received. Any thread.
 *
 * <p>With semi-synchronous replication a write was acknowledged because one replica had it, whichever: as long as one is not seen that may
 * have what the others do not have, nobody is chosen. A replica that was restarted has only what it had applied: what it had received besides is
 * thrown away when it follows by GTID, and cannot be seen any more.
 */
final class Election {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Turn turn;
    private final Member from;
    private final boolean isFromBehind;
    private final Queue<String> objections = new ConcurrentLinkedQueue<>();
    private final Set<String> deaf = ConcurrentHashMap.newKeySet();
    private boolean applying;

    Election(Turn turn, Member from) {
        this.turn = turn;
        this.from = from;
        this.isFromBehind = LastSeen.isBehind(turn, from);
    }

    /** Why nobody, or somebody in particular, was not chosen. */
    String objections() {
        return objections.stream().distinct().collect(Collectors.joining("; "));
    }

    /** Whether anybody could be chosen as things are. */
    boolean hasCandidates() {
        return !candidates(turn.members()).isEmpty();
    }

    /** Whether it is only a matter of time: somebody has not applied yet what is there. */
    boolean isApplying() {
        return applying;
    }

    /**
     * The next primary, with its state of now; empty if there is none yet. A primary that only the operator cannot reach may still take writes: from
     * when positions are compared nobody acknowledges any of them.
     */
    Optional<Member> choose() throws InterruptedException {
        turn.fleet().each(applying(turn.members().except(from)), this::stopReceiving);
        List<Member> candidates = candidates(turn.members()).stream()
                .filter(member -> deaf.contains(member.name()) || wasChosenBefore(member))
                .toList();
        List<Boolean> done = turn.fleet().each(candidates, this::applyReceived);
        Set<String> ready = new HashSet<>();
        for (int i = 0; i < candidates.size(); i++) {
            if (done.get(i)) {
                ready.add(candidates.get(i).name());
            }
        }
        Members now = new Members(turn.fleet().ask(turn.members().except(from)));
        List<Member> fit = candidates(now);
        Optional<Member> best = mostAdvanced(
                fit.stream().filter(member -> ready.contains(member.name())).toList());
        applying = fit.stream()
                .filter(member -> !ready.contains(member.name()))
                .anyMatch(member -> best.isEmpty() || hasReceivedMore(member, best.get()));
        return applying ? Optional.empty() : best.filter(one -> hasAllAcknowledged(one, now));
    }

    /** The one that has all that the others have, with the lowest ordinal; nobody if each lacks something. */
    private Optional<Member> mostAdvanced(List<Member> members) {
        Ranking ranking = Ranking.of(members.stream()
                .map(member -> new Ranking.Entry(member.name(), history(member)))
                .toList());
        if (ranking instanceof Ranking.Incomparable incomparable) {
            objections.add(
                    incomparable.reason()
                            + ": none of them has all; save what is needed of one, then delete its PersistentVolumeClaim and its Pod");
        }
        return ranking instanceof Ranking.Most most
                ? members.stream()
                        .filter(member -> member.name().equals(most.entry().name()))
                        .findFirst()
                : Optional.empty();
    }

    /** One that lags is not chosen; but it is waited for if the others would miss something. */
    private static boolean hasReceivedMore(Member lagging, Member best) {
        return lagging.replication()
                .map(Replication::received)
                .filter(received -> !history(best).contains(received))
                .isPresent();
    }

    private List<Member> candidates(Members members) {
        return members.except(from).stream()
                .filter(member -> isFit(members, member))
                .toList();
    }

    private boolean isFit(Members members, Member member) {
        Replication replication = member.replication().orElse(null);
        if (!member.reachable()) {
            return object(member, member.error().orElse("it has no address"));
        }
        if (member.isLeaving()) {
            return object(member, "its Pod is being deleted");
        }
        if (member.isIncomplete()) {
            return object(member, "it has only part of a copy of another member's data");
        }
        if (replication == null) {
            return wasChosenBefore(member) || object(member, "it followed nobody");
        }
        if (replication.sqlErrno() != 0) {
            return object(member, "it does not apply what it received: " + replication.sqlError());
        }
        if (!replication.sqlRunning()) {
            return object(member, "it has followed nobody since it was started");
        }
        if (isRefused(member) || members.isErrant(member)) {
            return object(member, "it has diverged");
        }
        return true;
    }

    /** A source that has lost what it had refuses those that are whole. */
    private boolean isRefused(Member member) {
        return member.isRefusedBySource() && !isFromBehind;
    }

    /** With all that was received applied, and told to follow nobody any more. */
    private boolean wasChosenBefore(Member member) {
        return member.reachable()
                && !member.isIncomplete()
                && member.replication().isEmpty()
                && member.name().equals(turn.draft().failover().to());
    }

    private boolean object(Member member, String why) {
        objections.add(member.name() + ": " + why);
        return false;
    }

    /** A server where both threads stand still would throw away what it has received and not applied, as soon as one is started again. */
    private static List<Member> applying(List<Member> members) {
        return members.stream()
                .filter(member ->
                        member.replication().filter(Replication::sqlRunning).isPresent())
                .toList();
    }

    private boolean stopReceiving(Member member) throws InterruptedException {
        try (DatabaseServer server = turn.fleet().connect(member)) {
            server.stopReceiving();
            return deaf.add(member.name());
        } catch (SqlFailure failure) {
            return object(member, String.valueOf(failure.getMessage()));
        }
    }

    private boolean applyReceived(Member member) throws InterruptedException {
        try (DatabaseServer server = turn.fleet().connect(member)) {
            return server.awaitReceived(PATIENCE) || object(member, "it is still applying what it received");
        } catch (SqlFailure failure) {
            return object(member, String.valueOf(failure.getMessage()));
        }
    }

    private boolean hasAllAcknowledged(Member best, Members now) {
        return !turn.spec().replication().semiSync()
                || (hasAllTold(best)
                        && now.except(from).stream().allMatch(member -> hasAllAcknowledgedBy(member, best, now)));
    }

    /** What the primary was last seen to have: older than that is what a member acknowledged that has left, or was restarted, since. */
    private boolean hasAllTold(Member best) {
        Flavor flavor = best.state().orElseThrow().flavor();
        return told(from.name())
                        .map(MemberStatus::gtid)
                        .filter(gtid -> !history(best).contains(Position.of(flavor, gtid)))
                        .isEmpty()
                || object(best, "it does not have all that " + from.name() + " was seen to have: bring that back");
    }

    /** A replica acknowledges what it has received, even if it cannot apply it. */
    private boolean hasAllAcknowledgedBy(Member member, Member best, Members now) {
        if (isRefused(member) || now.isErrant(member) || wasChosenBefore(member)) {
            return true;
        }
        if (!member.reachable()) {
            return wasAwayBefore(member)
                    || object(
                            member,
                            "it is away and may have acknowledged writes that " + best.name()
                                    + " does not have: bring it back");
        }
        Replication receiving =
                member.replication().filter(one -> !one.isUnbegun()).orElse(null);
        if (receiving == null) {
            return wasAwayBefore(member)
                    || object(
                            member,
                            "it was restarted and may have lost writes that it had acknowledged and not applied: bring "
                                    + from.name() + " back");
        }
        if (!deaf.contains(member.name()) && (receiving.sqlRunning() || receiving.io() == Replication.Io.YES)) {
            return object(member, "it may still acknowledge what " + from.name() + " writes: repair it");
        }
        return history(best).contains(receiving.received())
                || object(
                        member,
                        "it acknowledged writes that " + best.name()
                                + " does not have, and does not apply them: repair it");
    }

    /** Whether it was seen to be down while the primary was still there: what it acknowledged is older than what the primary had then. */
    private boolean wasAwayBefore(Member member) {
        return told(member.name()).filter(status -> !status.ioRunning()).isPresent();
    }

    private static Position history(Member member) {
        return member.state().map(ServerState::history).orElseThrow();
    }

    private Optional<MemberStatus> told(String name) {
        return turn.cluster().told().members().stream()
                .filter(member -> member.name().equals(name))
                .findFirst();
    }
}
