/**
 * Texts with Blueprints, read and checked together: those of files, and those that a jar is packed with.
 *
 * <pre>
 *   Text ──▶ SourceReader ──▶ Blueprint ──▶ BlueprintCheck, which knows the DeclaredKinds of all ──▶ CheckedBlueprint
 * </pre>
 */
@NullMarked
package io.busbar.blueprint.read;

import org.jspecify.annotations.NullMarked;
