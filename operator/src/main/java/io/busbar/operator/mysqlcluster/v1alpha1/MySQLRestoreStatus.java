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
 * @param conditions Complete and Failed
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLRestoreStatus(@Nullable String phase, List<Condition> conditions) implements HasConditions {

    /** Before anything was done. */
    public static final MySQLRestoreStatus NONE = new MySQLRestoreStatus(null, List.of());

    public MySQLRestoreStatus {
        conditions = Present.list(conditions);
    }
}
