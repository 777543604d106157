/**
 * The HTTPS server for webhooks.
 *
 * <pre>
 *   AdmissionServer ─deploys─▶ CertificateWatch (worker), AdmissionVerticle × event loops
 *   connection ─▶ OpenConnections (limits) ─▶ Exchange (deadlines) ─▶ Webhook ─▶ Answer
 *                                                └▶ ArrivingBodies ─▶ Body within BodyBudget
 *   Webhook ─▶ AdmissionReviewer (read, decide, write) or ConversionReviewer
 * </pre>
 */
@NullMarked
package io.busbar.admission.server;

import org.jspecify.annotations.NullMarked;
