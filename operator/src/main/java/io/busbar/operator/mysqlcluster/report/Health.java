package io.busbar.operator.mysqlcluster.report;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Step;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.RotationProgress.Stage;
import io.busbar.operator.mysqlcluster.sql.Disk;
import io.busbar.operator.mysqlcluster.sql.Replication;
import java.util.Optional;
import java.util.Set;

/**
 * Notes what is wrong with members, and what helps: a disk that is full, a replica that cannot go on, a server that
 * does not answer. Pure; any thread.
 */
public final class Health implements Step {

    /** A server cannot even say that it ends. */
    private static final long LEAST_BYTES = 4L * 1024 * 1024;

    private static final int LEAST_PERCENT = 2;

    /** Disk full; table full; the relay log cannot be written. */
    private static final Set<Integer> FULL = Set.of(1021, 1114, 1595);

    @Override
    public Next decide(Observation seen, Draft draft) {
        noteDisks(seen, draft);
        seen.primary()
                .ifPresent(primary -> seen.members().except(primary).forEach(member -> noteReplica(draft, member)));
        if (seen.rotation().stage() != Stage.SETTLED) {
            draft.note(ClusterReasons.PASSWORDS_ROTATING, "the change of passwords waits until all members serve");
        }
        seen.members().all().stream()
                .filter(Member::isDenied)
                .findFirst()
                .ifPresent(denied -> noteDenied(seen, draft, denied));
        return Next.GO_ON;
    }

    private static void noteDisks(Observation seen, Draft draft) {
        for (Member member : seen.members().reachable()) {
            member.disk().filter(Health::isFull).ifPresent(disk -> noteFull(draft, member, disk.words()));
        }
    }

    private static boolean isFull(Disk disk) {
        return disk.availableBytes() < LEAST_BYTES || disk.hasLessThan(LEAST_PERCENT);
    }

    private static void noteReplica(Draft draft, Member member) {
        Optional<Replication> broken =
                member.replication().filter(one -> one.sqlErrno() != 0 || one.io() == Replication.Io.NO);
        if (broken.filter(one -> FULL.contains(one.sqlErrno()) || FULL.contains(one.ioErrno()))
                .isPresent()) {
            noteFull(draft, member, member.error().orElse(""));
        } else if (broken.isPresent() && member.error().isPresent() && !member.isRefusedBySource()) {
            trouble(
                    draft,
                    ClusterReasons.REPLICA_STOPPED,
                    member.name() + " does not follow: " + member.error().get()
                            + "; mend what it says, or delete the claim data-" + member.name()
                            + " and its Pod for a new copy");
        } else if (!member.reachable()) {
            trouble(
                    draft,
                    ClusterReasons.MEMBER_UNREACHABLE,
                    member.name() + ": " + member.error().orElse("it has no address")
                            + "; it is asked again and again: see what its Pod and its server's log say");
        }
    }

    private static void noteFull(Draft draft, Member member, String detail) {
        trouble(
                draft,
                ClusterReasons.DISK_FULL,
                "the disk of " + member.name() + " is full: " + detail
                        + "; raise spec.storage.size, by which the claim data-" + member.name()
                        + " grows, or make room");
    }

    private static void noteDenied(Observation seen, Draft draft, Member denied) {
        draft.trouble(
                ClusterReasons.ACCESS_DENIED,
                "AccessDenied",
                "Observe",
                denied.error().orElse("") + "; put the password that the server knows into Secret "
                        + new ClusterObjects(seen.cluster()).rootSecret()
                        + (seen.spec().tls().encrypts()
                                ? ""
                                : "; servers say the same where accounts ask for TLS, as those of a cluster with"
                                        + " spec.tls whose volumes this one has: then set spec.tls.mode to Preferred, and delete"
                                        + " the members' Pods"));
    }

    private static void trouble(Draft draft, ConditionReason reason, String message) {
        draft.trouble(reason, reason.reason(), "Observe", message);
    }
}
