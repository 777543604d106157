/**
 * The time of a cluster: what its timestamps say, and when what waits goes on.
 *
 * <pre>
 *   KeyedLoop ──after──▶ ClusterClock ── the system's, by Vert.x timers
 *                             └──────── ManualClock: ManualTimers, one of each sandbox; a test advances it
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.clock;

import org.jspecify.annotations.NullMarked;
