/**
 * TLS of a cluster's servers.
 *
 * <pre>
 *   Certificates   the Secrets: &lt;name&gt;-ca with the operator's own CA, or a Certificate of cert-manager's (CertificateRequests);
 *                  &lt;name&gt;-tls, which the members mount
 *   EncryptedPods  when Pods may get a certificate, and when they may be without
 *   Encrypting     a Step: members load a new certificate; once all have one, nobody gets in without, where that is asked for
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.tls;

import org.jspecify.annotations.NullMarked;
