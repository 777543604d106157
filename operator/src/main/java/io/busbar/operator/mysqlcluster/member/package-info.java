/**
 * The servers of a cluster as they are at one moment, and the way to them.
 *
 * <pre>
 *   Pods ─▶ Fleet ──(SQL, all at once; the primary last)──▶ Members ─▶ Member: its Pod, its ServerState or why there is none
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.member;

import org.jspecify.annotations.NullMarked;
