/**
 * The certificate that webhooks are served with, and the CA that API servers trust it by.
 *
 * <pre>
 *   a mounted folder ─▶ MountedCertificates ─┐
 *                                            ├─▶ CertificateWatch (worker) ─▶ CertificateListeners: HTTPS server, caBundle
 *   a Secret ◀──▶ OwnCertificates ───────────┘
 *                  └ CertificateRenewal: what is due ─▶ CertificateIssuer
 *   ClientCaFile: one of these, with the CAs of a file by which clients are verified
 * </pre>
 */
@NullMarked
package io.busbar.admission.certificates;

import org.jspecify.annotations.NullMarked;
