/**
 * Copies of the data of clusters, and the way back.
 *
 * <pre>
 *   MySQLCluster.spec.backup ─▶ Schedule (Timetable) ─▶ MySQLBackup
 *   MySQLBackup ─▶ BackupReconciler ─▶ Source ─▶ a Job (backup.sh) ─▶ file ─▶ status
 *   bootstrapFrom ─▶ RestoredSeeding ─┐
 *   MySQLRestore  ─▶ Restoring ───────┴▶ StoredBackup ─▶ Jobs (verify.sh, load.sh) ─▶ the primary
 *                                         the others are given copies of that
 * </pre>
 *
 * Backups do not belong to their cluster: they are there when it is not any more. What runs at the same time as the
 * cluster's own controller would be in its way, so restores are steps of its turns.
 */
@NullMarked
package io.busbar.operator.mysqlcluster.backup;

import org.jspecify.annotations.NullMarked;
