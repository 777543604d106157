package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Progress;
import io.busbar.operator.mysqlcluster.observe.Remembered;
import io.busbar.operator.mysqlcluster.observe.RotationProgress.Stage;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.Upstream;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestoreStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Something that changes the cluster, or asks it more than a look does. Nothing else does: each is decided on by
 * looking alone, and done in one place, which checks right before whether what was decided on still holds. Each may be
 * done again.
 *
 * <p>Immutable, but for objects of the API server, which nobody changes.
 */
public sealed interface Action {

    /** Something that is done to, or asked of, one server. */
    sealed interface OnServer extends Action {

        /** As it was when this was decided. */
        Member member();
    }

    /** One after the other; what comes after one that fails is not done. */
    record InOrder(List<Action> actions) implements Action {

        public InOrder {
            actions = List.copyOf(actions);
        }

        public InOrder(Action... actions) {
            this(List.of(actions));
        }
    }

    /** All at once, each whatever becomes of the others; has failed when one has. */
    record AtOnce(List<? extends Action> actions) implements Action {

        public AtOnce {
            actions = List.copyOf(actions);
        }
    }

    /** Root, as the image made it, introduces the operator to a new server, and what the image wrote is forgotten. */
    record Introduce(Member member) implements OnServer {}

    /** Asked once more, before something grave is begun. */
    record AskAgain(Member member) implements OnServer {}

    /**
     * Makes it a primary: it follows nobody, waits for replicas where that is asked for, and takes writes. Only as long
     * as it has what it had.
     */
    record Open(Member member, int acknowledgements) implements OnServer {}

    /** It waits for so many replicas before it acknowledges a write. */
    record RequireAcknowledgements(Member member, int replicas) implements OnServer {}

    /** It takes no writes any more, and none is under way when this is done. */
    record Close(Member member) implements OnServer {}

    /** The same, of a primary that another one is to replace. */
    record Fence(Member member) implements OnServer {}

    /**
     * It takes no writes, has no clients, and follows nobody, so that it can be seen whether anything happens to it
     * from now on.
     */
    record StandStill(Member member) implements OnServer {}

    /** Read-only, and by the replication's account. Only one that nobody has opened since. */
    record Follow(Member member, Endpoint source) implements OnServer {}

    /** Replicas are let in at its port for administration. */
    record AdmitReplicas(Member member) implements OnServer {}

    /** Read-only, and from the server outside. Only one that has no writes of the cluster's own. */
    record FollowOutside(Member member, Upstream upstream) implements OnServer {}

    /** It goes on applying what it has, and acknowledges nothing more. */
    record StopReceiving(Member member) implements OnServer {}

    /** Before it is restarted: it acknowledges nothing more, and all that it has received is applied. */
    record Drain(Member member, Duration patience) implements OnServer {}

    /** Waits until all that was received is applied. */
    record AwaitReceived(Member member, Duration patience) implements OnServer {}

    /** Takes all that it has. Only while it is read-only, and has exactly what it had. */
    record Erase(Member member) implements OnServer {}

    /**
     * After another's data was loaded: the accounts, and where it stands. Of one that is complete there is nothing to
     * be done.
     */
    record Seed(Member member, String position) implements OnServer {}

    /**
     * Has it replace what it has by a copy of another's data files. Only while it is read-only, and has exactly what it
     * had.
     *
     * @param required what the donor must have at least
     */
    record Copy(Member member, Member donor, Position required) implements OnServer {}

    /** Takes a physical copy that is whole for its data. */
    record AcceptCopy(Member member) implements OnServer {}

    /** Lets programs log in there, if they cannot. */
    record LetProgramsIn(Member member) implements OnServer {}

    /** Has its account of the exporter be there, or be gone, as the accounts say. */
    record SetExporter(Member member) implements OnServer {}

    /** Has its accounts let in with the passwords that the Secret has, and no others. */
    record SetPasswords(Member member) implements OnServer {}

    /** Has a replica log in at its source with the password that the Secret has now. */
    record Reconnect(Member member, Endpoint source) implements OnServer {}

    /** Makes the programs' database. */
    record MakeDatabase(Member member, String name) implements OnServer {}

    /** Has it show the certificate that is in its files now. */
    record ReloadCertificate(Member member) implements OnServer {}

    /** It, and the accounts that the operator makes, ask for TLS, or not any more. */
    record RequireEncryption(Member member, boolean required) implements OnServer {}

    /** Runs the events that came by replication but for those that are disabled. */
    record EnableEvents(Member member, List<String> disabled) implements OnServer {

        public EnableEvents {
            disabled = List.copyOf(disabled);
        }
    }

    /**
     * Has another one take over under a lock of the primary, so that nothing is lost: in time, or not at all.
     *
     * @param member the primary
     * @param acknowledgements for how many replicas the next one waits
     * @param patience with all that has to be waited for
     * @param whenOpen done as soon as the next one takes writes, while the lock is held
     */
    record HandOver(Member member, Member next, int acknowledgements, Duration patience, InOrder whenOpen)
            implements OnServer {}

    /**
     * To which Services a member's Pod belongs.
     *
     * @param role empty for none
     */
    record Label(Member member, String role) implements Action {}

    /**
     * @param grace null for the Pod's own
     */
    record DeletePod(Member member, @Nullable Duration grace) implements Action {}

    record StartJob(Job job) implements Action {}

    /** With its Pods. */
    record DeleteJob(Job job) implements Action {}

    /**
     * Writes the status, so that the next operator knows it, whatever happens to this one.
     *
     * @param joining members that are about to be told to follow: their acknowledgements count from now on
     */
    record Save(Progress progress, Set<String> joining) implements Action {

        public Save {
            joining = Set.copyOf(joining);
        }

        public Save(Progress progress) {
            this(progress, Set.of());
        }
    }

    /**
     * Sets and removes annotations of the cluster.
     *
     * @param values null to remove one
     */
    record Annotate(Map<String, @Nullable String> values) implements Action {}

    /** Asks for so many members. */
    record Resize(int replicas) implements Action {}

    /** Makes a backup; one that is there already stays. */
    record MakeBackup(MySQLBackup backup) implements Action {}

    /**
     * Has a backup loaded into a server of its own.
     *
     * @param request what it is annotated with
     */
    record Verify(MySQLBackup backup, String request) implements Action {}

    /** Of a kind that is watched. */
    record Delete(HasMetadata object) implements Action {}

    /**
     * @param restore as it was read: not written when somebody has changed it since
     */
    record TellRestore(MySQLRestore restore, MySQLRestoreStatus status) implements Action {}

    /**
     * Takes the Secret with the passwords one stage on; one that is there already stays as it is.
     *
     * @param to the next stage
     * @param request what is answered by it
     * @param withApplication whether the password of programs is changed, too
     */
    record Rotate(Stage to, String request, boolean withApplication) implements Action {}

    /** Asks the autoscaler, which counts each time. */
    record AskAutoscaler() implements Action {}

    /** Kept until this operator ends. */
    record Remember(Remembered next) implements Action {}

    /**
     * An Event.
     *
     * @param about the cluster, or one of its restores
     */
    record Tell(HasMetadata about, boolean warning, String reason, String action, String note) implements Action {}
}
