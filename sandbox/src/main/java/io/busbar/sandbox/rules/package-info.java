/**
 * What is valid of built-in kinds, said by data: constraints on the fields of published types, wherever such a type stands.
 *
 * <pre>
 *   rules.txt of each room ──▶ TypeRules ──walks──▶ Place (value, path, what it was) ──▶ Constraint ──▶ Causes
 * </pre>
 *
 * A room says in its {@code rules.txt} what holds for one field in the words of Kubernetes' declarative validation (required, enum,
 * minimum, formats, unions, immutable). What speaks of several fields at once, or of the cluster, is a {@link io.busbar.sandbox.rules.Check}
 * in Java that the text names. Written so, because the same types stand below many kinds, and because a line is what a rule is.
 */
@NullMarked
package io.busbar.sandbox.rules;

import org.jspecify.annotations.NullMarked;
