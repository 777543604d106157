/**
 * Does what was decided about a cluster, and nothing else does.
 *
 * <pre>
 *   Turn:  Observer ─▶ Observation ─▶ Decision ─▶ Plan ─▶ Executor ─▶ servers, Pods, Jobs, the status
 *             ▲                                                │
 *             └────────────── what was done ───────────────────┘
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.act;

import org.jspecify.annotations.NullMarked;
