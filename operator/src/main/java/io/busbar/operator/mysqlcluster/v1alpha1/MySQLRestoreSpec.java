package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * Which copy is to be put back into which cluster, in place of what that one has, and how much of what came after it.
 *
 * <p>Immutable.
 *
 * @param clusterName a MySQLCluster of the same namespace, whose data is replaced
 * @param backupName a complete MySQLBackup of the same namespace; may be left out with pointInTime or gtid: the last one
 *     of the cluster before that
 * @param pointInTime in RFC 3339: all that was committed up to the end of this second is there afterwards, and nothing
 *     that was committed later. From the binary logs that are archived beside the backup. Not with gtid
 * @param gtid a GTID set of MySQL, or a position of MariaDB: all of that is there afterwards, and nothing else. From the
 *     binary logs that are archived beside the backup. Not with pointInTime
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLRestoreSpec(
        @Required @Size(min = 1) String clusterName,
        @Nullable @Size(min = 1) String backupName,
        @Nullable String pointInTime,
        @Nullable String gtid) {}
