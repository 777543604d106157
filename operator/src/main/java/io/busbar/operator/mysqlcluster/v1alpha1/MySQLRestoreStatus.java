package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has come of a restore.
 *
 * <p>Immutable, but for the conditions; lists are never null.
 *
 * @param phase Pending, Running, Complete or Failed
 * @param backupName the MySQLBackup that is put back
 * @param gtid what the cluster was given by all of it, as its servers write it; it goes on counting far beyond that
 * @param conditions Complete and Failed
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLRestoreStatus(
        @Nullable String phase,
        @Nullable String backupName,
        @Nullable String gtid,
        List<Condition> conditions) implements HasConditions {

    /** Before anything was done. */
    public static final MySQLRestoreStatus NONE = new MySQLRestoreStatus(null, null, null, List.of());

    public MySQLRestoreStatus {
        conditions = Present.list(conditions);
    }
}
