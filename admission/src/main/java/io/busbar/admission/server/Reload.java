package io.busbar.admission.server;

import io.busbar.admission.certificates.CertificateListener;
import io.busbar.admission.certificates.ServingCertificate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the server take over a certificate that has changed.
 *
 * <p>One worker at a time; the server may refuse a certificate, then it is offered again at the next read.
 */
final class Reload implements CertificateListener {

    private static final Logger log = LoggerFactory.getLogger(Reload.class);

    private final AdmissionVerticle verticle;
    private volatile ServingCertificate served;

    Reload(AdmissionVerticle verticle, ServingCertificate served) {
        this.verticle = verticle;
        this.served = served;
    }

    @Override
    public void certificateRead(ServingCertificate certificate) {
        if (certificate.servesAs(served)) {
            return;
        }
        // One instance speaks for all: they share the listening socket and what is shown on it.
        verticle.serve(certificate)
                .onSuccess(updated -> served = certificate)
                .onFailure(failure -> log.atWarn()
                        .addKeyValue("reason", failure.getMessage())
                        .log("New webhook certificate refused, keeping the last good one"));
    }
}
