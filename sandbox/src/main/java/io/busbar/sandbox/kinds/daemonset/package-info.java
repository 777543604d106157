/**
 * Runs a Pod on each node that suits.
 *
 * <pre>
 *   DaemonSet, its Pods, or a node ──▶ DaemonSets ▶ RevisionHistory
 *        ├─ DaemonPlan (pure), NodeFit ──▶ nodes that lack a Pod, Pods that are too many ──▶ DaemonPods
 *        └─ DaemonStatus (pure) ──▶ status
 * </pre>
 *
 * Not imitated: a surge of Pods during an update, and waiting before a failed Pod is replaced.
 */
@NullMarked
package io.busbar.sandbox.kinds.daemonset;

import org.jspecify.annotations.NullMarked;
