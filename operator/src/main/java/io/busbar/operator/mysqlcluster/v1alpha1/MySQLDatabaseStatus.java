package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has come of a database.
 *
 * <p>Immutable, but for the conditions; lists are never null.
 *
 * @param database its name on the servers, once it is there
 * @param characterSet as it is on the servers
 * @param collate as it is on the servers
 * @param conditions Ready
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLDatabaseStatus(
        @Nullable String database,
        @Nullable String characterSet,
        @Nullable String collate,
        List<Condition> conditions) implements HasConditions {

    /** Before anything was done. */
    public static final MySQLDatabaseStatus NONE = new MySQLDatabaseStatus(null, null, null, List.of());

    public MySQLDatabaseStatus {
        conditions = Present.list(conditions);
    }

    /** The same with other conditions. */
    public MySQLDatabaseStatus with(List<Condition> all) {
        return new MySQLDatabaseStatus(database, characterSet, collate, all);
    }
}
