package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * Whose data a new cluster begins with: a backup, to which binary logs may be added, or a server outside.
 *
 * <p>Immutable.
 *
 * @param backupName a complete MySQLBackup of the same namespace
 * @param storedBackup a backup, by where it is stored
 * @param pointInTime beyond the backup, all that was committed up to the end of this second, in RFC 3339: from the binary
 *     logs that are archived beside it. Not with gtid
 * @param gtid beyond the backup, all of this GTID set of MySQL, or up to this position of MariaDB: from the binary logs
 *     that are archived beside it. Not with pointInTime
 * @param externalPrimary a server outside, which the cluster then follows until it is told to take over
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BootstrapFrom(
        @Nullable @Size(min = 1) String backupName,
        @Nullable BackupInStorage storedBackup,
        @Nullable String pointInTime,
        @Nullable String gtid,
        @Nullable ExternalPrimary externalPrimary) {}
