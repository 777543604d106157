/**
 * What a team writes a controller with: {@link Reconciler} is the logic, {@link Controller} declares it, and
 * {@link ReconcileContext} is what it reads from and writes with.
 *
 * <pre>
 *   ReconcileRequest ──bus──▶ queue ──ReconcileTask──▶ work ──▶ Reconciler ──▶ write ──▶ API server
 *                               ▲                       │                  └─▶ event ──▶ API server
 *                               └───ReconcileOutcome────┘
 * </pre>
 *
 * {@code dependent} has what reconcilers of dependents share. This package is the contract alone;
 * {@code work.Controllers} runs it.
 */
@NullMarked
package io.busbar.reconciler;

import org.jspecify.annotations.NullMarked;
