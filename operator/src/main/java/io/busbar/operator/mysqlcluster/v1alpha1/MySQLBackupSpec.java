package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Of which cluster a copy is to be made, and where it goes.
 *
 * <p>Immutable; lists are never null.
 *
 * @param clusterName a MySQLCluster of the same namespace
 * @param databases which databases are copied; all if empty
 * @param storage where the copy goes; to the cluster's own storage if left out
 * @param deletionPolicy what becomes of the file when this object is deleted
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLBackupSpec(
        @Required @Size(min = 1) String clusterName,
        List<String> databases,
        @Nullable BackupStorage storage,
        @Default("Retain") DeletionPolicy deletionPolicy) {

    public MySQLBackupSpec {
        databases = Present.list(databases);
        deletionPolicy = deletionPolicy == null ? DeletionPolicy.Retain : deletionPolicy;
    }
}
