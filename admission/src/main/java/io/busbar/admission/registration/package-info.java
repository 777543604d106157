/**
 * Tells the API server of the webhooks, and which CA to trust.
 *
 * <pre>
 *   certificate ─▶ WebhookRegistrar ─▶ the operator's own Mutating- and ValidatingWebhookConfiguration
 *               └▶ CaBundleInjector ─▶ configurations and CRDs that others have written
 * </pre>
 */
@NullMarked
package io.busbar.admission.registration;

import org.jspecify.annotations.NullMarked;
