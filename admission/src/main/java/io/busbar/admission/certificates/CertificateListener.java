package io.busbar.admission.certificates;

/** Is told what certificate there is. */
@FunctionalInterface
public interface CertificateListener {

    /**
     * Called after each good read, whether the certificate has changed or not, so that what was missed or undone by
     * others is done again. On a worker: may block.
     *
     * @throws RuntimeException is logged; the next read calls again
     */
    void certificateRead(ServingCertificate certificate);
}
