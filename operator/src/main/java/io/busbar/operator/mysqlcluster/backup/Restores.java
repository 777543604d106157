package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/** The restores of a cluster. Pure; any thread. */
final class Restores {

    private static final Comparator<MySQLRestore> OLDEST = Comparator.comparing((MySQLRestore restore) ->
                    Objects.requireNonNullElse(restore.getMetadata().getCreationTimestamp(), ""))
            .thenComparing(restore -> restore.getMetadata().getName());

    private Restores() {}

    static boolean isComplete(MySQLRestore restore) {
        return Conditions.isTrue(restore.told().conditions(), MySQLBackupStatus.COMPLETE);
    }

    static boolean isFinished(MySQLRestore restore) {
        return isComplete(restore) || Conditions.isTrue(restore.told().conditions(), MySQLBackupStatus.FAILED);
    }

    /** The oldest that is not finished. */
    static Optional<MySQLRestore> next(Observation seen) {
        return seen.catalog().restores().stream()
                .filter(restore -> !isFinished(restore) && !restore.isMarkedForDeletion())
                .min(OLDEST);
    }

    /** Has the status written, if it is another one. */
    static void tell(Draft draft, MySQLRestore before, MySQLRestore after) {
        if (!before.told().equals(after.told())) {
            draft.act(new Action.TellRestore(before, after.told()));
        }
    }

    /** Says that nothing will come of it. */
    static void fail(Observation seen, Draft draft, MySQLRestore restore, ConditionReason reason, String message) {
        tell(draft, restore, RestoreProgress.failed(restore, reason, message, seen.now()));
        draft.warn("RestoreFailed", "Restore", restore.getMetadata().getName() + ": " + message);
        draft.act(new Action.Tell(restore, true, "RestoreFailed", "Restore", message));
    }
}
