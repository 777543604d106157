/**
 * JSON Patch (RFC 6902) between JSON trees.
 *
 * <pre>
 *   typed before ─┐
 *   typed after ──┼─▶ Overlay ─▶ raw after ─┐
 *   raw ──────────┴─────────────────────────┴─▶ JsonPatch ─▶ operations
 * </pre>
 */
@NullMarked
package io.busbar.admission.patch;

import org.jspecify.annotations.NullMarked;
