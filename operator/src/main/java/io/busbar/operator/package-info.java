/**
 * The fat jar: where the modules meet.
 *
 * <pre>
 *   Main ▶ command       flags, environment, exit codes
 *          ▶ runtime     watches + controllers + webhooks, in the order in which they start and stop
 *            ▶ management  /healthz, /readyz, /metrics
 *   sidecarset, …        the bundled operators: types, reconciler, webhooks of each side by side
 * </pre>
 */
@NullMarked
package io.busbar.operator;

import org.jspecify.annotations.NullMarked;
