/**
 * Lets Events expire.
 *
 * <pre>
 *   Event that is written ──▶ EventExpiry (in the order of their ends) ──an hour later──▶ gone, without asking anybody
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.controller.expiry;

import org.jspecify.annotations.NullMarked;
