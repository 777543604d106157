package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import java.util.List;
import java.util.Optional;

/**
 * Finds the primary where the status names none, by the rules of {@link FirstPrimary}. Until it is found, nobody is
 * opened or closed, neither by SQL nor by a Service. Pure; any thread.
 */
final class Bootstrap implements Step {

    private final Seeding seeding;

    Bootstrap(Seeding seeding) {
        this.seeding = seeding;
    }

    @Override
    public Next decide(Observation seen, Draft draft) {
        if (seen.memory().begin().primary() == null) {
            draft.phase(ClusterReasons.BOOTSTRAPPING);
        }
        if (seen.progress().primary() != null) {
            return Next.GO_ON;
        }
        FirstPrimary found = FirstPrimary.among(seen.members(), member -> hadData(seen, member));
        if (found instanceof FirstPrimary.Serving serving) {
            String name = serving.member().name();
            begin(draft, serving.member(), "PrimaryFound", name + " takes writes already, and is the primary");
        } else if (found instanceof FirstPrimary.ToOpen first) {
            open(seen, draft, first.member());
        } else {
            explain(draft, found);
        }
        return Next.END_TURN;
    }

    /**
     * The status may be lost, and the volume of the first member with it. A cluster that had a primary has this
     * annotation.
     */
    private static boolean hadData(Observation seen, Member unseen) {
        return ClusterKeys.DISABLED_EVENTS.of(seen.cluster()).isPresent()
                || seen.cluster().told().members().stream()
                        .anyMatch(status -> status.name().equals(unseen.name()) && status.gtid() != null);
    }

    private void open(Observation seen, Draft draft, Member first) {
        if (!seeding.isSeeded(seen, first, draft) || !isComplete(draft, first)) {
            return;
        }
        Optional<String> failure = seen.memory().failure(Action.Open.class, first);
        if (failure.isPresent()) {
            draft.note(ClusterReasons.BOOTSTRAP_FAILED, failure.get());
            return;
        }
        Acknowledgements.expectNoMoreThanRequired(seen, draft);
        draft.act(new Action.Open(first, seen.spec().replication().acknowledgementsRequired()));
        begin(draft, first, "PrimaryElected", first.name() + " is the first primary");
    }

    private static void begin(Draft draft, Member primary, String event, String message) {
        draft.save(progress -> progress.withPrimary(primary.name()));
        draft.tell(event, "Bootstrap", message);
    }

    /** Volumes may have outlived their cluster in the middle of a copy. */
    private static boolean isComplete(Draft draft, Member first) {
        if (!first.isIncomplete()) {
            return true;
        }
        draft.trouble(
                ClusterReasons.BOOTSTRAP_FAILED,
                "BootstrapFailed",
                "Bootstrap",
                first.name()
                        + " had been given only part of another member's data before the cluster, and no member has more;"
                        + " delete its PersistentVolumeClaim and its Pod, or, to go on with what it has, "
                        + LastSeen.acceptance(first));
        return false;
    }

    private static void explain(Draft draft, FirstPrimary nobody) {
        if (nobody instanceof FirstPrimary.Waiting waiting) {
            draft.note(ClusterReasons.FIRST_MEMBER_MISSING, waiting.message());
        }
        if (nobody instanceof FirstPrimary.Incomparable incomparable) {
            draft.trouble(
                    ClusterReasons.INCOMPARABLE_DATA,
                    "BootstrapFailed",
                    "Bootstrap",
                    "the status names no primary, the members have data, and none has all of it: "
                            + incomparable.both().reason()
                            + "; delete the PersistentVolumeClaim and the Pod of each whose data is to be given up");
        }
        if (nobody instanceof FirstPrimary.SeveralServe several) {
            List<String> names = several.names();
            draft.trouble(
                    ClusterReasons.PRIMARY_UNKNOWN,
                    "PrimaryUnknown",
                    "Bootstrap",
                    "the status names no primary, and " + String.join(" and ", names)
                            + " take writes; find out which one clients are to write to, and make each other one"
                            + " read-only: SET GLOBAL super_read_only = ON with MySQL, read_only with MariaDB");
        }
    }
}
