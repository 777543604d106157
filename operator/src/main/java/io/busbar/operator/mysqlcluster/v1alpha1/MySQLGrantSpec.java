package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/**
 * What an account may do in a database of a cluster, or in a table of it.
 *
 * <p>Immutable; lists and the table are never null.
 *
 * @param clusterRef the cluster; cannot be changed
 * @param user who may do it; cannot be changed
 * @param database the database, by its name, which is no pattern; cannot be changed
 * @param table the table, by its name; * for all of the database; cannot be changed
 * @param privileges what it may do, in the words of GRANT, such as SELECT, or ALL
 * @param grantOption whether it may let others do it, too
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLGrantSpec(
        @Required ClusterRef clusterRef,
        @Required GrantedUser user,
        @Required @Size(min = 1, max = 64) String database,
        @Default("\"*\"") @Size(max = 64) String table,
        @Required List<String> privileges,
        @Default("false") boolean grantOption) {

    public MySQLGrantSpec {
        table = table == null || table.isEmpty() ? "*" : table;
        privileges = Present.list(privileges);
    }
}
