/**
 * The way to webhooks, by URL or by a Service.
 *
 * <pre>
 *   admission, crd ──review──▶ WebhookClient ──HTTPS──▶ a webhook
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.webhook;

import org.jspecify.annotations.NullMarked;
