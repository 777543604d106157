/**
 * Runs declared controllers.
 *
 * <pre>
 *   bus ──ReconcileRequest──▶ ControllerVerticle (WorkQueue) ──ReconcileTask──▶ WorkerVerticle
 *                                     ▲                                              │
 *                                     └───────────── ReconcileOutcome ───────────────┤
 *                                                                                    ▼
 *                        Supervisor (time limit, panics, log, metrics) ──▶ Reconciliation ──▶ Reconciler
 * </pre>
 *
 * Traced, a key's wait is a span (QueueTrace), whose child is its reconcile (ReconcileTrace), whose children are
 * requests.
 *
 * <p>{@link io.busbar.reconciler.work.Controllers} is the way in; the rest is its own affair.
 */
@NullMarked
package io.busbar.reconciler.work;

import org.jspecify.annotations.NullMarked;
