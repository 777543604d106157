/**
 * Blueprints that are objects of a cluster, and the operator that runs them.
 *
 * <pre>
 *   Blueprint ──BlueprintRules──▶ CheckedBlueprint ──BlueprintReconciler──┬─▶ definition of its kind
 *       ▲            ▲                                                    ├─▶ Revisions: what was fit, to go back to
 *    webhook    ClusterTypes                                              ├─▶ RunningBlueprints ──▶ a guest for each
 *                                                                         └─▶ UnservedNotices, where there is none
 * </pre>
 *
 * {@link io.busbar.blueprint.operator.BlueprintsBundle} is all of it, for an operator to run.
 */
@NullMarked
package io.busbar.blueprint.operator;

import org.jspecify.annotations.NullMarked;
