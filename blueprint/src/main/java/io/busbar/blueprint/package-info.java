/**
 * Operators without code: what a Blueprint says, checked and rendered without a cluster.
 *
 * <pre>
 *   YAML ──source──▶ Blueprint ──check──▶ CheckedBlueprint ──┬─definition──▶ CustomResourceDefinition, Role
 *                      └─schema──▶ InstanceSchema   ▲        └─render──▶ the objects of one instance, in order
 *                                    types ─────────┘
 * </pre>
 *
 * A Blueprint declares a kind, and templates of the objects that each instance of it is made of, with expressions in
 * {@code ${…}}. Its fields are those of kro's ResourceGraphDefinition.
 */
@NullMarked
package io.busbar.blueprint;

import org.jspecify.annotations.NullMarked;
