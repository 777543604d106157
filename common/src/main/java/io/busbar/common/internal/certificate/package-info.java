/**
 * Keys and certificates, made and read with nothing but the JDK.
 *
 * <pre>
 *   CertificateIssuer ─Extensions─▶ Der ─▶ X509Certificate ─▶ Pem ─▶ text
 *   text ─▶ Pem ─▶ X509Certificate | PrivateKeys ─DerReader─▶ PrivateKey
 *   both ─▶ KeyManagers ─▶ X509KeyManager, for a server
 * </pre>
 */
@NullMarked
package io.busbar.common.internal.certificate;

import org.jspecify.annotations.NullMarked;
