/**
 * The commands of Blueprints: {@code blueprint check}, {@code crd}, {@code role}, {@code render},
 * {@code run}, {@code pack}.
 *
 * <pre>
 *   BlueprintCommands ──▶ CheckCommand, CrdCommand, RoleCommand, RenderCommand, RunCommand, PackCommand
 *                              └─ BlueprintFiles ──▶ CheckedBlueprint ──▶ what is printed, run, or packed
 * </pre>
 */
@NullMarked
package io.busbar.blueprint.command;

import org.jspecify.annotations.NullMarked;
