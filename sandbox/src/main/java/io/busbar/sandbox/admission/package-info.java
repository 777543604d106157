/**
 * Webhooks, called as the real API server calls them.
 *
 * <pre>
 *   a write ──AdmissionAttributes──▶ WebhookRegistry (who has a say?) ──▶ MatchConditions ──AdmissionReview──▶ WebhookClient
 *   the object ◀──JSON patches, in order── mutating         refused or not ◀── validating, all at once
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.admission;

import org.jspecify.annotations.NullMarked;
