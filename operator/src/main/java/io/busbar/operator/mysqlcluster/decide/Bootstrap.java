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

    /** A cluster whose status was lost still has this annotation. */
    private static boolean hadPrimary(Observation seen) {
        return ClusterKeys.DISABLED_EVENTS.of(seen.cluster()).isPresent();
    }

    /** The volume of the first member may be lost together with the status. */
    private static boolean hadData(Observation seen, Member unseen) {
        return hadPrimary(seen)
                || seen.cluster().told().members().stream()
                        .anyMatch(status -> status.name().equals(unseen.name()) && status.gtid() != null);
    }

    private void open(Observation seen, Draft draft, Member first) {
        Optional<Member> partial = first.isBlank() ? partlyCopied(seen, first) : Optional.empty();
        if (partial.isPresent()) {
            waitForData(draft, partial.get());
            return;
        }
        if (hasLostAll(seen, first)) {
            draft.trouble(
                    ClusterReasons.BOOTSTRAP_FAILED,
                    "BootstrapFailed",
                    "Bootstrap",
                    "the status names no primary, but the cluster had one, and no member has any data; bring back a"
                            + " volume that has it, or set spec.bootstrapFrom, or, to begin with nothing, "
                            + LastSeen.acceptance(first));
            return;
        }
        if (!seeding.isSeeded(seen, first, draft)) {
            return;
        }
        if (first.isIncomplete()) {
            waitForData(draft, first);
            return;
        }
        if (seen.isMigrating()) {
            begin(draft, first, "PrimaryElected", first.name() + " is the first to follow the server outside");
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

    /** Whether there was data, nobody has any, and nobody has decided what is to be in its place. */
    private static boolean hasLostAll(Observation seen, Member first) {
        return first.isBlank()
                && hadPrimary(seen)
                && seen.spec().bootstrapFrom() == null
                && !LastSeen.isAccepted(seen, first);
    }

    /** Who has got part of a copy: whoever it was copied from had data, and has lost it. */
    private static Optional<Member> partlyCopied(Observation seen, Member first) {
        return seen.members().except(first).stream()
                .filter(Member::isIncomplete)
                .findFirst();
    }

    /**
     * Volumes may have outlived their cluster, or its status, in the middle of a copy.
     *
     * @param partial who has only part of it
     */
    private static void waitForData(Draft draft, Member partial) {
        draft.trouble(
                ClusterReasons.BOOTSTRAP_FAILED,
                "BootstrapFailed",
                "Bootstrap",
                partial.name()
                        + " has only part of another member's data, and no member has more;"
                        + " delete its PersistentVolumeClaim and its Pod, or, to go on with what it has, "
                        + LastSeen.acceptance(partial));
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
