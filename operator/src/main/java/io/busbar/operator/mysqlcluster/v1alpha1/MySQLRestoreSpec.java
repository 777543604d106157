package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/**
 * Which copy is to be put back into which cluster, in place of what that one has.
 *
 * <p>Immutable.
 *
 * @param clusterName a MySQLCluster of the same namespace, whose data is replaced
 * @param backupName a complete MySQLBackup of the same namespace
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLRestoreSpec(
        @Required @Size(min = 1) String clusterName,
        @Required @Size(min = 1) String backupName) {}
