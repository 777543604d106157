/**
 * Runs any operator: {@link io.busbar.runtime.BusbarOperator} is the program, and knows none.
 *
 * <pre>
 *   BusbarOperator ▶ command        run, dev, sandbox, manifests, scorecard, version
 *                     ▶ flags       what they can be told ▶ options
 *                     ▶ process     the virtual machine, logs, signals
 *                     ▶ assembly    watches + controllers + webhooks, in the order in which they start and stop
 *                        ▶ management   /healthz, /readyz, /metrics
 *                        ▶ client       of the API server
 *                        ▶ telemetry    metrics and traces
 *                        ▶ bundle       what authors of an operator write
 * </pre>
 */
@NullMarked
package io.busbar.runtime;

import org.jspecify.annotations.NullMarked;
