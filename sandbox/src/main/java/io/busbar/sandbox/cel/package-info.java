/**
 * Expressions in the Common Expression Language: the rules of schemas, the match conditions of webhooks, and policies.
 *
 * <pre>
 *   schema ──▶ SchemaTypes ──types──▶ Environment ──▶ Expression ──▶ SchemaRuleCheck (may this definition be made?)
 *      └─────▶ SchemaSizes ──────────────────▶ CostEstimate ──costs──────▲
 *   object ──▶ SchemaValues ──values──────────────────────▲   └────▶ RuleSet ──causes──▶ is this object valid?
 *   a write ──▶ AdmissionInput ───────────values──────────────────────▶ AdmissionExpression ──▶ MatchConditions, policies
 * </pre>
 *
 * Types are checked as the API server checks them. Beside CEL itself, its strings, sets, optional values, bindings and
 * two-variable macros there are Kubernetes' functions for lists, regular expressions, URLs, quantities, IP addresses,
 * CIDRs and named formats, and {@code format} of strings.
 *
 * <p>It does not imitate: units of cost at run time, when an expression may take a number of steps in their place;
 * {@code semver}; equality of lists that are sets or maps whatever their order; the refusal of literals of several
 * types in one list or map.
 */
@NullMarked
package io.busbar.sandbox.cel;

import org.jspecify.annotations.NullMarked;
