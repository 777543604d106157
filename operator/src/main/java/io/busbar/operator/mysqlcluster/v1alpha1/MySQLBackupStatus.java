package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has come of a backup.
 *
 * <p>Immutable, but for the conditions; lists are never null.
 *
 * @param phase Pending, Running, Complete or Failed
 * @param startTime in RFC 3339
 * @param completionTime in RFC 3339
 * @param source the Pod that was copied
 * @param gtid what the copy holds
 * @param file its path in the storage
 * @param storage where it was put, whatever becomes of the cluster
 * @param message for people, when it failed
 * @param conditions {@value #COMPLETE} and {@value #FAILED}
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLBackupStatus(
        @Nullable String phase,
        @Nullable String startTime,
        @Nullable String completionTime,
        @Nullable String source,
        @Nullable String gtid,
        @Nullable String file,
        @Nullable Long sizeBytes,
        @Nullable String sha256,
        @Nullable String message,
        @Nullable BackupStorage storage,
        List<Condition> conditions)
        implements HasConditions {

    /** A condition's type. */
    public static final String COMPLETE = "Complete";

    /** A condition's type. */
    public static final String FAILED = "Failed";

    /** Before anything was done. */
    public static final MySQLBackupStatus NONE =
            new MySQLBackupStatus(null, null, null, null, null, null, null, null, null, null, List.of());

    public MySQLBackupStatus {
        conditions = Present.list(conditions);
    }
}
