/**
 * The commands of Blueprints: {@code blueprint check}, {@code crd}, {@code role}, {@code render}.
 *
 * <pre>
 *   BlueprintCommands ──▶ CheckCommand, CrdCommand, RoleCommand, RenderCommand
 *                              └─ BlueprintFiles ──▶ CheckedBlueprint ──▶ what is printed
 * </pre>
 */
@NullMarked
package io.busbar.blueprint.command;

import org.jspecify.annotations.NullMarked;
