/**
 * Whether a Blueprint can work: its expressions, where they go, and what depends on what.
 *
 * <pre>
 *   Blueprint ──BlueprintCheck──▶ each text ──TextParts──▶ Formula (typed, CEL) ──▶ does it fit the field?
 *                      └──▶ ResourceOrder ──▶ CheckedBlueprint, or Problems
 * </pre>
 */
@NullMarked
package io.busbar.blueprint.check;

import org.jspecify.annotations.NullMarked;
