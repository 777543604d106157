/**
 * Tells how many Pods may be evicted.
 *
 * <pre>
 *   PodDisruptionBudget or its Pods ──▶ Budgets ▶ Scales (how many are meant to be there) ▶ Budget (pure) ──▶ status
 *   eviction ──▶ verbs ──▶ the budget's status, which it lowers
 * </pre>
 *
 * Not imitated: the scale of custom resources is not asked, so a budget of their Pods needs a plain number in
 * {@code minAvailable}.
 */
@NullMarked
package io.busbar.sandbox.kinds.disruption;

import org.jspecify.annotations.NullMarked;
