/**
 * The Common Expression Language as Kubernetes has it, for whoever evaluates expressions.
 *
 * <pre>
 *   schema ──▶ SchemaTypes ──types──▶ Environment (of a Dialect) ──▶ Expression ──▶ Outcome ──▶ JsonValues
 *   object ──▶ SchemaValues ──values─────────────────────────────────────▲ StepBudget
 * </pre>
 *
 * Types are checked as the API server checks them. Beside CEL itself, its strings, sets, optional values, bindings and
 * two-variable macros there are Kubernetes' functions for lists, regular expressions, URLs, quantities, IP addresses,
 * their ranges and versions, and {@code format} of strings; a {@link io.busbar.cel.Dialect} adds others.
 *
 * <p>It does not imitate: units of cost at run time, when an expression may take a number of steps in their place;
 * equality of lists that are sets or maps whatever their order; the refusal of literals of several
 * types in one list or map.
 */
@NullMarked
package io.busbar.cel;

import org.jspecify.annotations.NullMarked;
