package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.ObjectKey;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The restores of a cluster, read and told about in its turn. Any thread. */
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

    static Optional<MySQLRestore> named(Turn turn, String name) {
        return turn.context()
                .lister(MySQLRestore.class)
                .get(ObjectKey.of(turn.context().key().namespace(), name));
    }

    /** The oldest that is not finished. */
    static Optional<MySQLRestore> next(Turn turn) {
        return turn
                .context()
                .lister(MySQLRestore.class)
                .by(Backups.RESTORES_BY_CLUSTER, turn.context().key().toString())
                .stream()
                .filter(restore -> !isFinished(restore) && !restore.isMarkedForDeletion())
                .min(OLDEST);
    }

    /** Writes the status, if it is another one; fails when somebody else has written meanwhile. @return as it is now */
    static MySQLRestore tell(Turn turn, MySQLRestore before, MySQLRestore after) {
        if (before.told().equals(after.told())) {
            return before;
        }
        String patch = turn.context()
                .client()
                .getKubernetesSerialization()
                .asJson(Map.of(
                        "metadata",
                        Map.of("resourceVersion", before.getMetadata().getResourceVersion()),
                        "status",
                        after.told()));
        return turn.context()
                .remember(turn.context()
                        .client()
                        .resources(MySQLRestore.class)
                        .inNamespace(before.getMetadata().getNamespace())
                        .withName(before.getMetadata().getName())
                        .subresource("status")
                        .patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }
}
