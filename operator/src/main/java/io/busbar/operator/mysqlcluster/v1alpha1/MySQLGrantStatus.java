package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * What has come of a grant.
 *
 * <p>Immutable, but for the conditions; lists are never null.
 *
 * @param privileges what this object gives, and takes away when it goes
 * @param grantOption whether this object gives that, too
 * @param conditions Ready
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLGrantStatus(List<String> privileges, boolean grantOption, List<Condition> conditions)
        implements HasConditions {

    /** Before anything was done. */
    public static final MySQLGrantStatus NONE = new MySQLGrantStatus(List.of(), false, List.of());

    public MySQLGrantStatus {
        privileges = Present.list(privileges);
        conditions = Present.list(conditions);
    }

    /** The same with other conditions. */
    public MySQLGrantStatus with(List<Condition> all) {
        return new MySQLGrantStatus(privileges, grantOption, all);
    }
}
