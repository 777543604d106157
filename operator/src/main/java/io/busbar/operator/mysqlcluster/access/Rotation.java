package io.busbar.operator.mysqlcluster.access;

import io.busbar.operator.mysqlcluster.backup.Backups;
import io.busbar.operator.mysqlcluster.backup.Timetable;
import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Roles;
import io.busbar.operator.mysqlcluster.decide.Step;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.Remembered.PasswordsKnown;
import io.busbar.operator.mysqlcluster.observe.RotationProgress;
import io.busbar.operator.mysqlcluster.observe.RotationProgress.Stage;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.RotationSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Changes the passwords that the operator made up, when somebody asks for it or by schedule, so that nobody who reads
 * the Secret is ever refused: an account lets in with two passwords for a while, which both products can do.
 *
 * <p>All that must not be forgotten stands in the Secret, as {@link SecretStages} says; each stage may be begun again by
 * another operator, and ends by one write:
 *
 * <ol>
 *   <li>Announced: each member is told both passwords. All log in with the old one.
 *   <li>Turned: each member knows both, so the next primary does as well, whoever that is. Each replica is told to log in
 *       at its source with the new one, one after the other, as it stops to receive for a moment. Programs, and Jobs that
 *       began before, may go on with the old one.
 *   <li>Ending: those have had their time. Each member is told to let in with the new one alone.
 * </ol>
 *
 * <p>It waits for each member, as that is never urgent, and does nothing while another copies data. A member that comes
 * later lets in whom it knew; the operator still knows that, and corrects it. Accounts are no part of the binary log, and
 * a copy does not bring those of the operator, so nothing else changes them. Pure; any thread.
 */
public final class Rotation implements Step {

    /** For what a replica has received to be applied. */
    private static final Duration DRAIN = Duration.ofSeconds(5);

    @Override
    public Next decide(Observation seen, Draft draft) {
        switch (seen.rotation().stage()) {
            case SETTLED -> begin(seen, draft);
            case ANNOUNCED, ENDING -> tellMembers(seen, draft);
            case TURNED -> letGoOn(seen, draft);
        }
        return Next.GO_ON;
    }

    /**
     * When {@code spec.auth.rotation.schedule} is due next; one that was missed is due at once. Empty without, or where
     * it is not known how old the passwords are.
     */
    public static Optional<Instant> due(MySQLCluster cluster, RotationProgress rotation) {
        RotationSpec spec = cluster.wanted().auth().rotation();
        if (spec.schedule() == null) {
            return Optional.empty();
        }
        try {
            Timetable timetable = Timetable.of(spec.schedule(), spec.timeZone());
            return rotation.changedAt().flatMap(timetable::next);
        } catch (IllegalArgumentException letThrough) {
            return Optional.empty(); // by a cluster without webhooks
        }
    }

    private static void begin(Observation seen, Draft draft) {
        RotationProgress rotation = seen.rotation();
        String asked = ClusterKeys.ROTATE_PASSWORDS.of(seen.cluster()).orElse("");
        boolean isAsked = !asked.isBlank() && !asked.equals(rotation.answered());
        boolean isDue = due(seen.cluster(), rotation)
                .filter(time -> !seen.now().isBefore(time))
                .isPresent();
        if (isAsked || isDue) {
            draft.note(ClusterReasons.PASSWORDS_ROTATING, "new passwords are made up");
            advance(seen, draft, asked);
        }
    }

    /** Each of what the Secret has now. */
    private static void tellMembers(Observation seen, Draft draft) {
        Optional<String> obstacle = seen.members().all().stream()
                .flatMap(member -> absence(member).stream())
                .findFirst()
                .or(() -> busy(seen));
        if (obstacle.isPresent()) {
            draft.note(ClusterReasons.PASSWORDS_ROTATING, obstacle.get());
            return;
        }
        Set<String> known = known(seen, Action.SetPasswords.class, draft);
        if (draft.hasActions()) {
            return;
        }
        List<Member> strangers = seen.members().all().stream()
                .filter(member -> !known.contains(member.uid()))
                .toList();
        List<Action> telling = strangers.stream()
                .filter(member -> !seen.memory().hasTried(Action.SetPasswords.class, member))
                .<Action>map(Action.SetPasswords::new)
                .toList();
        if (!telling.isEmpty()) {
            draft.note(ClusterReasons.PASSWORDS_ROTATING, "the members are told");
            draft.act(new Action.AtOnce(telling));
        } else if (strangers.isEmpty()) {
            boolean isEnd = seen.rotation().stage() == Stage.ENDING;
            advance(seen, draft, seen.rotation().answered());
            if (isEnd) {
                draft.tell("PasswordsRotated", "Rotate", "the old passwords let nobody in any more");
            }
        } else {
            noteFailure(seen, draft, Action.SetPasswords.class, strangers.get(0));
        }
    }

    private static void letGoOn(Observation seen, Draft draft) {
        Set<String> known = known(seen, Action.Reconnect.class, draft);
        if (draft.hasActions()) {
            return;
        }
        Member primary = seen.servingPrimary().orElseThrow();
        List<Member> replicas = seen.members().except(primary);
        Optional<String> obstacle = replicas.stream()
                .filter(member -> !Roles.keepsUp(seen, member))
                .map(member -> absence(member).orElse("waits for " + member.name() + ", which does not keep up"))
                .findFirst();
        if (obstacle.isPresent()) {
            draft.note(ClusterReasons.PASSWORDS_ROTATING, obstacle.get());
            return;
        }
        Optional<Member> next = replicas.stream()
                .filter(member -> !known.contains(member.uid()))
                .findFirst();
        if (next.isPresent()) {
            reconnect(seen, draft, next.get(), primary);
        } else {
            end(seen, draft);
        }
    }

    /** Once programs, and Jobs that began with the old password, have had their time. */
    private static void end(Observation seen, Draft draft) {
        Instant until = seen.rotation()
                .changedAt()
                .orElse(seen.now())
                .plusSeconds(seen.spec().auth().rotation().passwordRetentionSeconds());
        Optional<String> busy = busy(seen).or(() -> backup(seen));
        if (seen.now().isBefore(until)) {
            draft.note(ClusterReasons.OLD_PASSWORDS_LET_IN, "the passwords before let in, too, until " + until);
        } else if (busy.isPresent()) {
            draft.note(ClusterReasons.PASSWORDS_ROTATING, busy.get());
        } else {
            advance(seen, draft, seen.rotation().answered());
        }
    }

    private static void reconnect(Observation seen, Draft draft, Member replica, Member primary) {
        if (seen.memory().hasTried(Action.Drain.class, replica)) {
            noteFailure(seen, draft, Action.Drain.class, replica);
            noteFailure(seen, draft, Action.Reconnect.class, replica);
            return;
        }
        draft.note(ClusterReasons.PASSWORDS_ROTATING, replica.name() + " follows on with the new password");
        draft.act(new Action.InOrder(
                new Action.Drain(replica, DRAIN),
                new Action.Reconnect(
                        replica,
                        replica.replicationFrom(primary)
                                .map(Replication::source)
                                .orElseThrow())));
    }

    /** What was read of the Secret counts no more, so the turn ends. */
    private static void advance(Observation seen, Draft draft, String request) {
        RotationSpec spec = seen.spec().auth().rotation();
        draft.act(new Action.Rotate(seen.rotation().stage().next(), request, spec.application()));
        draft.endTurn();
    }

    /** By their UIDs, the Pods of which that is known to be done at this stage; remembered if there is more to it. */
    private static Set<String> known(Observation seen, Class<? extends Action> kind, Draft draft) {
        Set<String> before = seen.memory()
                .remembered()
                .passwords()
                .filter(one -> one.rotation().equals(seen.rotation()))
                .map(PasswordsKnown::pods)
                .orElse(Set.of());
        Set<String> now = new HashSet<>(before);
        seen.members().all().stream()
                .filter(member -> seen.memory().hasDone(kind, member))
                .forEach(member -> now.add(member.uid()));
        if (!now.equals(before)) {
            draft.act(new Action.Remember(
                    seen.memory().remembered().withPasswords(new PasswordsKnown(seen.rotation(), now))));
        }
        return now;
    }

    private static Optional<String> absence(Member member) {
        if (!member.reachable()) {
            return Optional.of("waits for " + member.name() + ", which does not answer");
        }
        return member.isIncomplete()
                ? Optional.of("waits for " + member.name() + ", which is given a copy")
                : Optional.empty();
    }

    /** A Job logs in with what it has read when it began, and may change accounts. */
    private static Optional<String> busy(Observation seen) {
        return seen.jobs().stream()
                .filter(job -> !JobReport.hasEnded(job))
                .findFirst()
                .map(job -> "waits for the Job " + job.getMetadata().getName());
    }

    private static Optional<String> backup(Observation seen) {
        return Stream.of(seen.catalog().backups())
                .flatMap(List::stream)
                .filter(Backups::isRunning)
                .findFirst()
                .map(backup ->
                        "waits for the MySQLBackup " + backup.getMetadata().getName());
    }

    private static void noteFailure(Observation seen, Draft draft, Class<? extends Action> kind, Member member) {
        seen.memory()
                .failure(kind, member)
                .ifPresent(why -> draft.note(ClusterReasons.PASSWORDS_ROTATING, member.name() + ": " + why));
    }
}
