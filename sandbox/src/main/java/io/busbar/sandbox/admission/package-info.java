/**
 * Who has a say in a write: the server's own plugins, policies (see {@code policy}), and webhooks, which are called as
 * the real API server calls them.
 *
 * <pre>
 *   a write ──▶ Plugins: Plugin, Mutator, ..., Plugin ──rounds of Turns──▶ validated in the same order
 *   a write ──AdmissionAttributes──▶ WebhookRegistry (who has a say?) ──▶ MatchConditions ──AdmissionReview──▶ WebhookClient
 *   the object ◀──JSON patches, in order── mutating         refused or not ◀── validating, all at once
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.admission;

import org.jspecify.annotations.NullMarked;
