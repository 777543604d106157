package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.Migration;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.Outside;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.SourceState;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Has the primary of a cluster follow a server outside, read-only, until its author says that it is to take over.
 *
 * <pre>
 *   server outside ─▶ primary ─▶ the others        annotation cut-over
 *                                                  ─▶ that one takes no writes, and all that it has is here
 *                                                  ─▶ annotation cut-over-at: from here on a cluster as any other
 * </pre>
 *
 * <p>The primary is opened only once the annotation is there by which no operator ever has it follow again. One that has
 * writes of the cluster's own is not told to follow, whatever the annotations say: they may be lost. Pure; any thread.
 */
final class Following implements Step {

    private static final String ASKED = "true";
    private static final String FORCED = "force";

    @Override
    public Next decide(Observation seen, Draft draft) {
        if (!seen.isMigrating()) {
            if (Migration.isOver(seen.cluster())) {
                draft.note(ClusterReasons.CUT_OVER, "the cluster has taken over");
            }
            return Next.GO_ON;
        }
        Member primary = seen.primary().orElseThrow();
        Outside outside = seen.outside().orElseThrow();
        draft.note(
                ClusterReasons.PRIMARY_FOLLOWS,
                "no member takes writes, as the cluster follows " + outside.endpoint()
                        + " until it is told to take over");
        String wish = ClusterKeys.CUT_OVER.of(seen.cluster()).orElse("");
        if (!wish.isEmpty()) {
            Optional<String> obstacle = obstacle(seen, primary, outside, wish);
            if (obstacle.isEmpty()) {
                takeOver(seen, draft, primary, outside);
                return Next.GO_ON;
            }
            draft.note(ClusterReasons.CUT_OVER_WAITS, obstacle.get());
        }
        Optional<String> writes = ownWrites(seen);
        if (writes.isPresent()) {
            draft.trouble(
                    ClusterReasons.EXTERNAL_PRIMARY_REFUSED,
                    "ExternalPrimaryRefused",
                    "Follow",
                    writes.get() + ", so nobody follows " + outside.endpoint()
                            + ": if the cluster has taken over already,"
                            + " or is to go on with that, annotate it with " + ClusterKeys.CUT_OVER.name() + "="
                            + FORCED);
            return Next.END_TURN;
        }
        List<Action> closing = seen.members().all().stream()
                .filter(member -> member.isWritable() && !seen.memory().hasTried(Action.Close.class, member))
                .<Action>map(Action.Close::new)
                .toList();
        if (!closing.isEmpty()) {
            draft.act(new Action.AtOnce(closing));
            return Next.GO_ON;
        }
        LastSeen.lost(seen, primary).ifPresent(what -> Upkeep.noteBehind(draft, primary, what));
        if (seen.head().isEmpty() || LastSeen.isBehind(seen, primary)) {
            draft.note(ClusterReasons.EXTERNAL_PRIMARY_AWAY, "waiting for " + primary.name());
            return Next.END_TURN;
        }
        if (mustBeTold(primary, outside)
                && outside.upstream().isPresent()
                && !seen.memory().hasTried(Action.FollowOutside.class, primary)) {
            draft.act(new Action.FollowOutside(primary, outside.upstream().get()));
            return Next.GO_ON;
        }
        tell(seen, draft, primary, outside);
        return Next.GO_ON;
    }

    /** Whether it is its receiving or applying thread that has to be begun, or told a password. */
    private static boolean mustBeTold(Member primary, Outside outside) {
        Replication following = primary.replication().orElse(null);
        return following == null
                || !following.source().equals(outside.endpoint())
                || following.io() == Replication.Io.NO
                || following.ioErrno() == Replication.WRONG_PASSWORD
                || (!following.sqlRunning() && following.sqlErrno() == 0);
    }

    private static void tell(Observation seen, Draft draft, Member primary, Outside outside) {
        Replication following = primary.replication()
                .filter(one -> one.source().equals(outside.endpoint()))
                .orElse(null);
        String what = primary.name() + " follows " + outside.endpoint();
        if (following != null && following.io() == Replication.Io.YES && following.sqlRunning()) {
            draft.news(
                    ClusterReasons.EXTERNAL_PRIMARY_FOLLOWED,
                    "FollowsExternalPrimary",
                    "Follow",
                    what
                            + "; to have the cluster take over, let nobody write there any more (read_only=ON), and annotate"
                            + " the MySQLCluster with " + ClusterKeys.CUT_OVER.name() + "=" + ASKED);
            return;
        }
        Optional<String> failure = outside.failure()
                .or(() -> seen.memory().failure(Action.FollowOutside.class, primary))
                .or(primary::error);
        if (failure.isEmpty()) {
            draft.note(ClusterReasons.EXTERNAL_PRIMARY_AWAY, primary.name() + " connects to " + outside.endpoint());
            return;
        }
        String why = failure.get();
        if (following != null && (following.sqlErrno() != 0 || following.isRefusedBySource())) {
            draft.trouble(
                    ClusterReasons.REPLICA_STOPPED,
                    ClusterReasons.REPLICA_STOPPED.reason(),
                    "Follow",
                    primary.name() + " cannot go on from " + outside.endpoint() + ": " + why
                            + "; mend what it says, or make a new cluster, which is given a copy anew");
        }
        draft.trouble(
                ClusterReasons.EXTERNAL_PRIMARY_AWAY,
                "ExternalPrimaryAway",
                "Follow",
                "nothing comes from " + outside.endpoint() + ": " + why + "; it is tried again");
    }

    /** What a member has written itself, which would not be there had the cluster not taken over before. */
    private static Optional<String> ownWrites(Observation seen) {
        for (Member writer : seen.members().reachable()) {
            ServerState server = writer.state().orElseThrow();
            for (Member member : seen.members().reachable()) {
                Position history = member.state().orElseThrow().history();
                Position own = history.minus(history.notBy(server.writer()));
                if (!own.isEmpty()) {
                    return Optional.of(member.name() + " has " + own.text() + ", which " + writer.name()
                            + " has written itself, or another server with its server_id");
                }
            }
        }
        return Optional.empty();
    }

    /** Why the cluster may not take over yet; empty where nothing of what the server outside has would be lost. */
    private static Optional<String> obstacle(Observation seen, Member primary, Outside outside, String wish) {
        String annotation = ClusterKeys.CUT_OVER.name();
        boolean isForced = wish.equals(FORCED);
        if (!isForced && !wish.equals(ASKED)) {
            return Optional.of(annotation + " must be \"" + ASKED + "\" or \"" + FORCED + "\", not \"" + wish + "\"");
        }
        if (seen.head().isEmpty() || LastSeen.isBehind(seen, primary)) {
            return Optional.of("waiting for " + primary.name()
                    + primary.error().map(why -> ": " + why).orElse(""));
        }
        SourceState there = outside.state().orElse(null);
        if (there == null && !isForced) {
            return Optional.of("it is not known what " + outside.endpoint() + " has: "
                    + outside.failure().orElse("it was not asked yet")
                    + "; to go on with what is here, make " + annotation + " \"" + FORCED + "\"");
        }
        if (there != null && !isForced && !there.readOnly()) {
            return Optional.of(outside.endpoint() + " takes writes still: SET GLOBAL "
                    + (there.flavor() == ServerState.Flavor.MYSQL ? "super_read_only" : "read_only")
                    + " = ON there; where you cannot, end all that writes there, and make " + annotation + " \""
                    + FORCED
                    + "\"");
        }
        ServerState here = primary.state().orElseThrow();
        boolean hasGoneOn = ownWrites(seen).isPresent();
        if (there != null && !hasGoneOn && !here.applied().contains(there.latest())) {
            return Optional.of(primary.name() + " has not applied all that " + outside.endpoint() + " has: it is at "
                    + here.applied().text() + " of " + there.latest().text());
        }
        if (primary.replication()
                .filter(one -> !one.isUnbegun() && !here.applied().contains(one.received()))
                .isPresent()) {
            return Optional.of(primary.name() + " has not applied yet what it received");
        }
        if (!isForced && !Acknowledgements.enoughHave(seen, here.history(), member -> !seen.isPrimary(member))) {
            return Optional.of(
                    "fewer replicas than have to acknowledge a write have all that " + primary.name() + " has");
        }
        return seen.members().except(primary).stream()
                .filter(member -> member.state()
                        .filter(state -> !here.history().contains(state.history()))
                        .isPresent())
                .findFirst()
                .map(member -> member.name() + " has more than " + primary.name() + ", which has yet to get that from "
                        + outside.endpoint() + ": bring that back, or delete the PersistentVolumeClaim and the Pod of "
                        + member.name());
    }

    private static void takeOver(Observation seen, Draft draft, Member primary, Outside outside) {
        draft.act(new Action.Annotate(
                Map.of(ClusterKeys.CUT_OVER_AT.name(), seen.now().toString())));
        draft.tell(
                "CutOver",
                "CutOver",
                "the cluster takes over from " + outside.endpoint() + ": " + primary.name() + " has all up to "
                        + primary.state().orElseThrow().applied().text());
    }
}
