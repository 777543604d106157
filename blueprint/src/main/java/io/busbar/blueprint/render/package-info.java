/**
 * The objects that an instance of a Blueprint is made of.
 *
 * <pre>
 *   instance ──defaults──┐
 *   what is live ────────┴▶ Renderer ──Evaluation──▶ each resource in order ──▶ Rendering: steps, status
 * </pre>
 */
@NullMarked
package io.busbar.blueprint.render;

import org.jspecify.annotations.NullMarked;
