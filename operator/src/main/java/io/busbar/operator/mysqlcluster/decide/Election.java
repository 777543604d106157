package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Members;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberStatus;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses who takes over from a primary that is away: the most advanced replica, once none receives anything more, and
 * all have applied what they received. Any thread.
 *
 * <p>With semi-synchronous replication a write was acknowledged because some replicas had it, whichever: as long as so
 * many are not seen that all of these may be among them, nobody is chosen. A replica that was restarted has only what
 * it had applied: what it had received besides is thrown away when it follows by GTID, and cannot be seen any more.
 */
final class Election {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Observation seen;
    private final Members members;
    private final Member from;
    private final boolean isFromBehind;
    private final Set<String> objections = new LinkedHashSet<>();
    private boolean isApplying;

    /**
     * @param from the primary that is away
     */
    Election(Observation seen, Member from) {
        this.seen = seen;
        this.members = seen.members();
        this.from = from;
        this.isFromBehind = LastSeen.isBehind(seen, from);
    }

    /** Why nobody, or somebody in particular, was not chosen. */
    String objections() {
        return String.join("; ", objections);
    }

    /** Whether anybody could be chosen as things are. */
    boolean hasCandidates() {
        return !candidates().isEmpty();
    }

    /**
     * Whether it is only a matter of time: somebody has not applied yet what is there. To be asked once it is known
     * that nobody is chosen.
     */
    boolean isApplying() {
        return isApplying;
    }

    /**
     * What is to be done before anybody can be chosen; empty once that is done. A primary that only the operator cannot
     * reach may still take writes: from when positions are compared nobody acknowledges any of them.
     */
    Optional<Action> preparation() {
        List<Action> stopping = members.except(from).stream()
                // One where both threads stand still would throw away what it has received and not applied.
                .filter(member ->
                        member.replication().filter(Replication::sqlRunning).isPresent())
                .filter(member -> !seen.memory().hasTried(Action.StopReceiving.class, member))
                .<Action>map(Action.StopReceiving::new)
                .toList();
        if (!stopping.isEmpty()) {
            return Optional.of(new Action.AtOnce(stopping));
        }
        List<Action> waiting = Acknowledgements.toWaitForNobody(seen, from);
        if (!waiting.isEmpty()) {
            return Optional.of(new Action.AtOnce(waiting));
        }
        List<Action> applying = prepared().stream()
                .filter(member -> !seen.memory().hasTried(Action.AwaitReceived.class, member))
                .<Action>map(member -> new Action.AwaitReceived(member, PATIENCE))
                .toList();
        return applying.isEmpty() ? Optional.empty() : Optional.of(new Action.AtOnce(applying));
    }

    /** The next primary; empty if there is none yet. */
    Optional<Member> chosen() {
        List<Member> fit = candidates();
        List<Member> ready = prepared().stream()
                .filter(member -> seen.memory().hasDone(Action.AwaitReceived.class, member))
                .toList();
        for (Member member : members.except(from)) {
            seen.memory().failure(Action.StopReceiving.class, member).ifPresent(why -> object(member, why));
            seen.memory().failure(Action.AwaitReceived.class, member).ifPresent(why -> object(member, why));
        }
        Optional<Member> best = mostAdvanced(ready);
        isApplying = fit.stream()
                .filter(member -> !ready.contains(member))
                .anyMatch(member -> best.isEmpty() || hasReceivedMore(member, best.get()));
        return isApplying ? Optional.empty() : best.filter(this::hasAllAcknowledged);
    }

    /** Those that could be chosen, and acknowledge nothing any more. */
    private List<Member> prepared() {
        return candidates().stream()
                .filter(member -> isDeaf(member) || wasChosenBefore(member))
                .toList();
    }

    private boolean isDeaf(Member member) {
        return seen.memory().hasDone(Action.StopReceiving.class, member);
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

    private List<Member> candidates() {
        return members.except(from).stream().filter(this::isFit).toList();
    }

    private boolean isFit(Member member) {
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
        if (hasLostWhatItWasChosenFor(member)) {
            return object(member, "it has lost what it was chosen for");
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
        return isStillAsChosen(seen, member) && member.replication().isEmpty();
    }

    /**
     * Whether a member is the one that was chosen, and has all that it was chosen for: its volume may be lost since.
     */
    static boolean isStillAsChosen(Observation seen, Member member) {
        FailoverStatus failover = seen.progress().failover();
        return member.name().equals(failover.to())
                && !member.isIncomplete()
                && member.state()
                        .filter(state -> failover.gtid() == null
                                || state.history().contains(Position.of(state.flavor(), failover.gtid())))
                        .isPresent();
    }

    private boolean hasLostWhatItWasChosenFor(Member member) {
        return member.reachable()
                && member.name().equals(seen.progress().failover().to())
                && !isStillAsChosen(seen, member);
    }

    private boolean object(Member member, String why) {
        objections.add(member.name() + ": " + why);
        return false;
    }

    private boolean hasAllAcknowledged(Member best) {
        return !seen.spec().replication().semiSync()
                // The server outside has all of it.
                || seen.isMigrating()
                || (hasAllTold(best)
                        && members.except(from).stream()
                                        .filter(member -> !hasAllAcknowledgedBy(member, best))
                                        .count()
                                < Math.max(1, seen.cluster().told().acknowledgements()));
    }

    /**
     * What the primary was last seen to have: older than that is what a member acknowledged that has left, or was
     * restarted, since.
     */
    private boolean hasAllTold(Member best) {
        Flavor flavor = best.state().orElseThrow().flavor();
        return told(from.name())
                        .map(MemberStatus::gtid)
                        .filter(gtid -> !history(best).contains(Position.of(flavor, gtid)))
                        .isEmpty()
                || object(best, "it does not have all that " + from.name() + " was seen to have: bring that back");
    }

    /** A replica acknowledges what it has received, even if it cannot apply it. */
    private boolean hasAllAcknowledgedBy(Member member, Member best) {
        if (isRefused(member) || members.isErrant(member) || wasChosenBefore(member)) {
            return true;
        }
        if (!member.reachable()) {
            return wasAwayBefore(member)
                    || object(
                            member,
                            "it is away and may have acknowledged writes that " + best.name()
                                    + " does not have: bring it back");
        }
        if (hasLostWhatItWasChosenFor(member)) {
            return false;
        }
        if (!history(best).contains(history(member))) {
            return object(member, "it has writes that " + best.name() + " does not have, and cannot be chosen itself");
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
        if (!isDeaf(member) && (receiving.sqlRunning() || receiving.io() == Replication.Io.YES)) {
            return object(member, "it may still acknowledge what " + from.name() + " writes: repair it");
        }
        return history(best).contains(receiving.received())
                || object(
                        member,
                        "it acknowledged writes that " + best.name()
                                + " does not have, and does not apply them: repair it");
    }

    /**
     * Whether it was seen to be down while the primary was still there: what it acknowledged is older than what the
     * primary had then, and it follows nobody again by itself.
     */
    private boolean wasAwayBefore(Member member) {
        return told(member.name()).filter(status -> !status.ioRunning()).isPresent();
    }

    private static Position history(Member member) {
        return member.state().map(ServerState::history).orElseThrow();
    }

    private Optional<MemberStatus> told(String name) {
        return seen.cluster().told().members().stream()
                .filter(member -> member.name().equals(name))
                .findFirst();
    }
}
