/**
 * Instances of Blueprints, reconciled.
 *
 * <pre>
 *   CheckedBlueprint ──KindClasses──▶ BlueprintBundle ──▶ Controller of its kind, which owns the kinds of its resources
 *                                          │                └──▶ InstanceReconciler ──Renderer──▶ OwnPlans, InstanceStatus
 *                                          │                          └──▶ InstanceObjects ──▶ apply, prune
 *                                          │                                 └──(ApplySet: kinds made no more)──▶ FormerKinds
 *                                          └──▶ RunReconciler: the runs of its plans ──▶ StepObjects, StepJobs
 *   BlueprintOperator: a BlueprintPart for each Blueprint, with the rights of its ServiceAccount
 * </pre>
 */
@NullMarked
package io.busbar.blueprint.run;

import org.jspecify.annotations.NullMarked;
