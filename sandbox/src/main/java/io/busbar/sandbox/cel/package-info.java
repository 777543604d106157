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
 * The language is that of {@code io.busbar.cel}; {@code ServerFunctions} adds what only a server has: functions for
 * named formats and the authorizer.
 */
@NullMarked
package io.busbar.sandbox.cel;

import org.jspecify.annotations.NullMarked;
