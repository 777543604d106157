package io.busbar.operator.mysqlcluster.observe;

import io.busbar.operator.mysqlcluster.v1alpha1.ArchiveStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverPhase;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.LastBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import org.jspecify.annotations.Nullable;

/**
 * What was decided by now, and must be known to the next operator: all of it is kept in the status.
 *
 * <p>Immutable.
 *
 * @param primary the Pod that is written to; null before the first one is found
 * @param primaryFailingSince in RFC 3339; null while the primary is there
 * @param targetSize how many members there should be; 0 before that was decided first
 * @param acknowledgements how many replicas have each write that was acknowledged; 0 while none has to
 * @param currentRevision what all members ran last
 * @param archive how far the archive of binary logs has come; null without one
 */
public record Progress(
        @Nullable String primary,
        @Nullable String primaryFailingSince,
        FailoverStatus failover,
        int targetSize,
        int acknowledgements,
        @Nullable LastBackup lastBackup,
        @Nullable String nextBackupTime,
        @Nullable String currentRevision,
        @Nullable ArchiveStatus archive) {

    public static Progress of(MySQLClusterStatus status) {
        return new Progress(
                status.currentPrimary(),
                status.primaryFailingSince(),
                status.failover(),
                status.targetSize(),
                status.acknowledgements(),
                status.lastBackup(),
                status.nextBackupTime(),
                status.currentRevision(),
                status.archive());
    }

    public Progress withPrimary(@Nullable String name) {
        return new Progress(
                name,
                primaryFailingSince,
                failover,
                targetSize,
                acknowledgements,
                lastBackup,
                nextBackupTime,
                currentRevision,
                archive);
    }

    public Progress withPrimaryFailingSince(@Nullable String time) {
        return new Progress(
                primary,
                time,
                failover,
                targetSize,
                acknowledgements,
                lastBackup,
                nextBackupTime,
                currentRevision,
                archive);
    }

    public Progress withFailover(FailoverStatus next) {
        return new Progress(
                primary,
                primaryFailingSince,
                next,
                targetSize,
                acknowledgements,
                lastBackup,
                nextBackupTime,
                currentRevision,
                archive);
    }

    /** The same change of the primary, in another phase. */
    public Progress at(FailoverPhase phase) {
        return withFailover(failover.at(phase));
    }

    public Progress withTargetSize(int size) {
        return new Progress(
                primary,
                primaryFailingSince,
                failover,
                size,
                acknowledgements,
                lastBackup,
                nextBackupTime,
                currentRevision,
                archive);
    }

    public Progress withAcknowledgements(int replicas) {
        return new Progress(
                primary,
                primaryFailingSince,
                failover,
                targetSize,
                replicas,
                lastBackup,
                nextBackupTime,
                currentRevision,
                archive);
    }

    public Progress withLastBackup(@Nullable LastBackup last) {
        return new Progress(
                primary,
                primaryFailingSince,
                failover,
                targetSize,
                acknowledgements,
                last,
                nextBackupTime,
                currentRevision,
                archive);
    }

    public Progress withNextBackupTime(@Nullable String time) {
        return new Progress(
                primary,
                primaryFailingSince,
                failover,
                targetSize,
                acknowledgements,
                lastBackup,
                time,
                currentRevision,
                archive);
    }

    public Progress withCurrentRevision(String revision) {
        return new Progress(
                primary,
                primaryFailingSince,
                failover,
                targetSize,
                acknowledgements,
                lastBackup,
                nextBackupTime,
                revision,
                archive);
    }

    public Progress withArchive(@Nullable ArchiveStatus next) {
        return new Progress(
                primary,
                primaryFailingSince,
                failover,
                targetSize,
                acknowledgements,
                lastBackup,
                nextBackupTime,
                currentRevision,
                next);
    }
}
