package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has come of an account.
 *
 * <p>Immutable, but for the conditions; lists and the password are never null.
 *
 * @param account its name and host on the servers, once it is there
 * @param password what is known of its password, which is not the password
 * @param conditions Ready
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLUserStatus(@Nullable String account, PasswordStatus password, List<Condition> conditions)
        implements HasConditions {

    /** Before anything was done. */
    public static final MySQLUserStatus NONE = new MySQLUserStatus(null, PasswordStatus.NONE, List.of());

    public MySQLUserStatus {
        password = password == null ? PasswordStatus.NONE : password;
        conditions = Present.list(conditions);
    }

    /** The same with other conditions. */
    public MySQLUserStatus with(List<Condition> all) {
        return new MySQLUserStatus(account, password, all);
    }

    /** The same with something else known of the password. */
    public MySQLUserStatus with(PasswordStatus other) {
        return new MySQLUserStatus(account, other, conditions);
    }
}
