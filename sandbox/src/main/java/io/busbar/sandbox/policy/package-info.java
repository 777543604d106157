/**
 * ValidatingAdmissionPolicies and MutatingAdmissionPolicies: rules in CEL that change writes, or refuse them.
 *
 * <pre>
 *   policy ──▶ PolicyRules (may it be made?)        policy, bindings ──▶ Registry ──▶ Policy
 *                                                                           │
 *   a write ──▶ PolicyChain ──Matching: who is asked?──Parameters: about what?──▶ Mutation: changed
 *                                                                            └──▶ Validation: refused, or warned of
 * </pre>
 *
 * Policies that change come before webhooks that do, and those that refuse before webhooks that refuse.
 *
 * <p>It does not imitate: audit annotations, beyond the refusal of one that fails; the right to read parameters that
 * who makes a policy needs.
 */
@NullMarked
package io.busbar.sandbox.policy;

import org.jspecify.annotations.NullMarked;
