/**
 * How fast webhooks answer, beside a bare Vert.x HTTPS server.
 *
 * <pre>
 *   WebhookComparison ─starts─▶ ChildServer (EchoServer | PodWebhookServer | …), in turn
 *                     ─drives─▶ HttpsLoad, 32 connections ─▶ LoadResult ─▶ a table of ratios
 * </pre>
 */
@NullMarked
package io.busbar.admission.bench;

import org.jspecify.annotations.NullMarked;
