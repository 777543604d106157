package io.busbar.admission.certificates;

import java.time.Duration;

/**
 * Where the serving certificate comes from.
 *
 * <p>One worker at a time: {@link #read} blocks.
 */
public interface CertificateSource {

    /**
     * The certificate as it is now.
     *
     * @throws CertificateUnavailableException when there is none that could be served
     */
    ServingCertificate read() throws CertificateUnavailableException;

    /** How long to wait between reads. */
    Duration interval();
}
