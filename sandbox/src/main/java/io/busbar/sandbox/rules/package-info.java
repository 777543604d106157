/**
 * What holds for built-in kinds, said by data: what a field of a published type is when nothing is said, and what it
 * may be, wherever such a type stands; and the columns of a kind.
 *
 * <pre>
 *   rules.txt of each room ──▶ TypeRules ──fills──▶ Filling (defaults, in place)
 *                                  └──────checks──▶ Place (value, path, what it was) ──▶ Constraint ──▶ Causes
 *   BuiltInRules (all kinds) ◀── a room's own rules
 * </pre>
 *
 * A room says in its {@code rules.txt} what holds for one field in the words of Kubernetes' declarative validation
 * (required, enum, minimum, formats, unions, immutable) and defaults. What speaks of several fields at once, or of the
 * cluster, is a {@link io.busbar.sandbox.rules.Check} in Java that the text names. Written so, because the same types
 * stand below many kinds, and because a line is what a rule is.
 */
@NullMarked
package io.busbar.sandbox.rules;

import org.jspecify.annotations.NullMarked;
