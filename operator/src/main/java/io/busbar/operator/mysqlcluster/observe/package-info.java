/**
 * All that is known of a cluster at one moment, and the way to its servers.
 *
 * <pre>
 *   Pods ─▶ Fleet ──(SQL, all at once; the primary last)──▶ Members ─▶ Member: its Pod, its ServerState or why there is none
 *   Observer ─▶ Observation: the Members, the StatefulSet, Jobs, the Catalog of backups and restores,
 *                            the Progress that the status tells, and the Memory of what was done just now
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.observe;

import org.jspecify.annotations.NullMarked;
