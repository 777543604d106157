/**
 * Expressions in the Common Expression Language: the rules of schemas, the match conditions of webhooks, and policies.
 *
 * <pre>
 *   schema ──▶ SchemaTypes ──types──▶ Environment ──▶ Expression ──▶ SchemaRuleCheck (may this definition be made?)
 *   object ──▶ SchemaValues ──values──────────────────────▲   └────▶ RuleSet ──causes──▶ is this object valid?
 *   a write ──▶ AdmissionInput ───────────values──────────────────────▶ AdmissionExpression ──▶ MatchConditions, policies
 * </pre>
 *
 * Types are checked as the API server checks them. Beside CEL itself, its strings, sets, optional values, bindings and two-variable
 * macros there are Kubernetes' functions for lists, regular expressions, URLs, quantities, IP addresses, CIDRs and named formats, and
 * {@code format} of strings.
 *
 * <p>It does not imitate: estimates of cost when a definition is made (at run time an expression may take a number of steps, not of
 * the API server's units of cost); {@code semver}; equality of lists that are sets or maps
 * whatever their order; the refusal of
 * literals of several types in one list or map.
 */
@NullMarked
package io.busbar.sandbox.cel;

import org.jspecify.annotations.NullMarked;
