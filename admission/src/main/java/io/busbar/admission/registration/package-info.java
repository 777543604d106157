/**
 * Tells the API server of the webhooks, and which CA to trust.
 *
 * <pre>
 *   certificate ─▶ WebhookRegistrar ─▶ the operator's own Mutating- and ValidatingWebhookConfiguration
 *               └▶ ConversionRegistrar ─▶ CRDs of kinds that the operator converts
 * </pre>
 */
@NullMarked
package io.busbar.admission.registration;

import org.jspecify.annotations.NullMarked;
