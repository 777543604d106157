/**
 * The fat jar: the bundled operators, under one name.
 *
 * <pre>
 *   Main ▶ bundled           the list of the bundled operators, which the runtime runs
 *        ▶ command           what is asked of one of them alone
 *          ▶ explain         what injection would do to a Pod
 *        ▶ demo              a user, played
 *   sidecarset, …            the bundled operators: types, reconciler, webhooks of each side by side
 * </pre>
 */
@NullMarked
package io.busbar.operator;

import org.jspecify.annotations.NullMarked;
