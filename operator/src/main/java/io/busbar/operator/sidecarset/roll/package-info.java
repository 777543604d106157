/**
 * Counts the Pods that a SidecarSet was injected into, and brings a changed image to them in place.
 *
 * <pre>
 *   SidecarSetController   declares what is watched, and which changes count
 *   SidecarSetReconciler   the steps:
 *     RevisionHistory ──▶ Target (the set, compiled) ──▶ InjectedPod, one for each matched Pod
 *       ├──▶ Counts, Progress            written as the set's status
 *       ├──▶ HotReset                    ──▶ PodUpgrade: ends hot upgrades (HotSidecar)
 *       ├──▶ Batch (in UpgradeOrder, by Scatter) ──▶ PodUpgrade: one write for each Pod
 *       └──▶ UpgradableCondition         written to Pods whose answer has changed
 * </pre>
 *
 * All that is remembered stands in the Pods' annotations: a reconcile that follows a crash carries on where the last
 * one ended.
 */
@NullMarked
package io.busbar.operator.sidecarset.roll;

import org.jspecify.annotations.NullMarked;
