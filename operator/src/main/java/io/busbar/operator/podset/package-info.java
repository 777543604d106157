/**
 * PodSet: a number of equal Pods.
 *
 * <pre>
 *   v1alpha1            the kind
 *   PodSetController    what is watched
 *   PodSetReconciler    the steps:
 *     owned Pods ──▶ OwnedPods: the active and the ended ones
 *       ├── too few  ──▶ DesiredPod, so many times
 *       ├── too many ──▶ those missed least are deleted
 *       └── Observation: what is there then, written as the status
 * </pre>
 *
 * {@link io.busbar.operator.podset.PodSetBundle} puts all of it together.
 */
@NullMarked
package io.busbar.operator.podset;

import org.jspecify.annotations.NullMarked;
