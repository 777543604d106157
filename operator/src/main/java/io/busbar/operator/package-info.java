/**
 * The fat jar: where the modules meet.
 *
 * <pre>
 *   Main ▶ command       flags, environment, exit codes
 *          ▶ runtime     watches + controllers + webhooks, in the order in which they start and stop
 *            ▶ management  /healthz, /readyz, /metrics
 *   bundled              the list of the bundled operators, and what a cluster needs for them
 *          ▶ explain     what injection would do to a Pod
 *   sidecarset, …        the bundled operators: types, reconciler, webhooks of each side by side
 * </pre>
 */
@NullMarked
package io.busbar.operator;

import org.jspecify.annotations.NullMarked;
