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
 * {@link io.busbar.reconciler.work.Controllers} is the way in; the rest is its own affair.
 */
@NullMarked
package io.busbar.reconciler.work;

import org.jspecify.annotations.NullMarked;
