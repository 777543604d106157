package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * Which database is to be in a cluster.
 *
 * <p>Immutable; the policy is never null.
 *
 * @param clusterRef the cluster; cannot be changed
 * @param name its name on the servers; that of this object if left out; cannot be changed
 * @param characterSet what texts of new tables are kept in, such as utf8mb4; as the servers choose if left out
 * @param collate by which texts of new tables are compared, such as utf8mb4_bin; as the servers choose if left out
 * @param deletionPolicy what becomes of the database, and all that is in it, when this object is deleted
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLDatabaseSpec(
        @Required ClusterRef clusterRef,
        @Nullable @Size(min = 1, max = 64) String name,
        @Nullable @Pattern("^[A-Za-z0-9_]{1,64}$") String characterSet,
        @Nullable @Pattern("^[A-Za-z0-9_]{1,64}$") String collate,
        @Default("Retain") DeletionPolicy deletionPolicy) {

    public MySQLDatabaseSpec {
        deletionPolicy = deletionPolicy == null ? DeletionPolicy.Retain : deletionPolicy;
    }
}
