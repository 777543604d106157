/**
 * The built-in kinds, a room for each: all that the server knows of a kind stands together, its defaults, what is
 * valid, what an update may change, its columns, and the controller that brings it to its state.
 *
 * <pre>
 *   verbs ──KindRules──▶ BuiltInRules ◀── a room's own ── pod, service, config, volume, ...
 *                             │
 *                             └──▶ rules.txt of the room: types (defaults, what is valid), columns
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.kinds;

import org.jspecify.annotations.NullMarked;
