package io.busbar.operator.mysqlcluster.topology;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import java.util.Optional;

/**
 * Finds the first primary: ordinal 0 of new servers. Where servers have data already, as with volumes that outlived their cluster, all of them
 * have to be seen first, and the most advanced is it. Any thread.
 */
final class Bootstrap implements Step {

    private final Seeding seeding;

    Bootstrap(Seeding seeding) {
        this.seeding = seeding;
    }

    @Override
    public Next take(Turn turn) throws InterruptedException {
        if (turn.draft().primary() != null) {
            return Next.GO_ON;
        }
        turn.draft().phase(ClusterReasons.BOOTSTRAPPING);
        Optional<Member> first = first(turn);
        if (first.isEmpty() || !seeding.isSeeded(turn, first.get())) {
            return Next.END_TURN;
        }
        try {
            Writes.open(turn, first.get());
        } catch (SqlFailure failure) {
            turn.draft().note(ClusterReasons.BOOTSTRAP_FAILED, String.valueOf(failure.getMessage()));
            return Next.END_TURN;
        }
        turn.draft().primary(first.get().name());
        turn.save();
        turn.tell("PrimaryElected", "Bootstrap", first.get().name() + " is the first primary");
        turn.look();
        turn.draft().phase(ClusterReasons.BOOTSTRAPPING);
        return Next.GO_ON;
    }

    private static Optional<Member> first(Turn turn) {
        boolean anyData = turn.members().reachable().stream().anyMatch(member -> !member.isBlank());
        Optional<Member> unseen = turn.members().all().stream()
                .filter(member -> !member.reachable())
                .filter(member -> anyData || member.ordinal() == 0)
                .findFirst();
        if (unseen.isPresent()) {
            String why = unseen.get().error().orElse("it has no address yet");
            turn.draft()
                    .note(
                            ClusterReasons.FIRST_MEMBER_MISSING,
                            "waiting for " + unseen.get().name() + ": " + why);
            return Optional.empty();
        }
        Ranking ranking = Ranking.of(turn.members().reachable().stream()
                .map(member -> new Ranking.Entry(
                        member.name(), member.state().map(ServerState::history).orElseThrow()))
                .toList());
        if (ranking instanceof Ranking.Incomparable incomparable) {
            turn.trouble(
                    ClusterReasons.INCOMPARABLE_DATA,
                    "BootstrapFailed",
                    "Bootstrap",
                    "the members had data before the cluster, and none has all of it: " + incomparable.reason()
                            + "; delete the PersistentVolumeClaim and the Pod of each whose data is to be given up");
        }
        return ranking instanceof Ranking.Most most
                ? turn.members().named(most.entry().name())
                : Optional.empty();
    }
}
