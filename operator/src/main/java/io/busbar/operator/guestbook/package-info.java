/**
 * Guestbook: the classic example of a web application in three tiers, brought up tier by tier.
 *
 * <pre>
 *   Guestbook ─▶ GuestbookReconciler ─▶ GuestbookObjects (*.yaml) ─▶ leader ▶ followers ▶ frontends, each when those before are ready
 *   frontend Pods ─▶ Frontends ─▶ active, standby ─▶ status
 * </pre>
 *
 * {@link io.busbar.operator.guestbook.GuestbookBundle} puts all of it together.
 */
@NullMarked
package io.busbar.operator.guestbook;

import org.jspecify.annotations.NullMarked;
