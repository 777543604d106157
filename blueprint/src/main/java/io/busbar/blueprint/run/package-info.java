/**
 * Instances of Blueprints, reconciled.
 *
 * <pre>
 *   CheckedBlueprint ──KindClasses──▶ BlueprintBundle ──▶ Controller of its kind, which owns the kinds of its resources
 *                                                           └──▶ InstanceReconciler ──Renderer──▶ apply, prune, status
 *   BlueprintOperator: an Operator for each Blueprint, with the rights of its ServiceAccount
 * </pre>
 */
@NullMarked
package io.busbar.blueprint.run;

import org.jspecify.annotations.NullMarked;
