/**
 * What has primaries reconciled beside changes in the cluster: event sources, one line each in a
 * {@link io.busbar.reconciler.Controller}.
 *
 * <pre>
 *   CallSource     any thread ──enqueue(key)──────────────┐
 *   MessageSource  bus, or POST ──ExternalChange──────────┤
 *   TimerSource    clock ──every primary──────────────────┼──▶ queue (trigger: source, its name) ──▶ Reconciler
 *   PollingSource  clock ──▶ a question for each primary ─┘                                        │
 *                            └── answer, when it differs         context.polled(source) ◀──────────┘
 * </pre>
 */
@NullMarked
package io.busbar.reconciler.source;

import org.jspecify.annotations.NullMarked;
