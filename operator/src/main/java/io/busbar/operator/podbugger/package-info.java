/**
 * PodBuggerTool: containers to debug with, put into running Pods.
 *
 * <pre>
 *   Pod, Podbuggertool ─watch─▶ PodbuggertoolReconciler ─▶ MatchingPods: who has the label, is ready, has the container
 *                                        │                 DebugContainer: what it is to be
 *                                        ▼
 *                               EphemeralContainers ─PATCH, in the shape that the cluster serves─▶ pods/ephemeralcontainers
 * </pre>
 *
 * {@link io.busbar.operator.podbugger.PodbuggertoolBundle} puts all of it together.
 */
@NullMarked
package io.busbar.operator.podbugger;

import org.jspecify.annotations.NullMarked;
