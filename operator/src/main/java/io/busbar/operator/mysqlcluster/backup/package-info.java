/**
 * Copies of the data of clusters, and the way back.
 *
 * <pre>
 *   MySQLCluster.spec.backup ─▶ Schedule (Timetable) ─▶ MySQLBackup
 *   MySQLBackup ─▶ BackupReconciler ─▶ Source ─▶ a Job (backup.sh) ─▶ file, object ─▶ status
 *   BackupSpec.verification ─▶ VerificationSchedule ─▶ its annotation ─▶ Trial ─▶ a Job (trial.sh) ─▶ status
 *   BackupSpec.archive ─▶ Archiving ─▶ a Job (archive.sh) ─▶ binary logs in S3 ─▶ status
 *   bootstrapFrom ─▶ RestoredSeeding ─┐   (FoundSeeding: what the bucket alone has)
 *   MySQLRestore  ─▶ Restoring ───────┴▶ StoredBackup, Until ─▶ Jobs (load.sh) ─▶ the primary
 *                                         the others are given copies of that
 *   a Job reaches files by file.sh, objects of S3 by pipe.sh and S3Containers
 * </pre>
 *
 * Backups do not belong to their cluster: they are there when it is not any more. What runs at the same time as the
 * cluster's own controller would be in its way, so restores are steps of its turns.
 */
@NullMarked
package io.busbar.operator.mysqlcluster.backup;

import org.jspecify.annotations.NullMarked;
