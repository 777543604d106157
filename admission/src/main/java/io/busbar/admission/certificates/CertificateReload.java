package io.busbar.admission.certificates;

import io.busbar.common.guard.Thrown;
import io.vertx.core.Future;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a server take over a certificate that has changed.
 *
 * <p>One worker at a time; the server may refuse a certificate, then it is offered again at the next read.
 */
public final class CertificateReload implements CertificateListener {

    private static final Logger log = LoggerFactory.getLogger(CertificateReload.class);

    private final Function<ServingCertificate, Future<Boolean>> server;
    private volatile ServingCertificate served;

    /**
     * @param server serves a certificate from when the future completes on
     * @param served what it serves by now
     */
    public CertificateReload(Function<ServingCertificate, Future<Boolean>> server, ServingCertificate served) {
        this.server = server;
        this.served = served;
    }

    @Override
    public void certificateRead(ServingCertificate certificate) {
        if (certificate.servesAs(served)) {
            return;
        }
        server.apply(certificate)
                .onSuccess(updated -> served = certificate)
                .onFailure(failure -> log.atWarn()
                        .addKeyValue("reason", Thrown.text(failure))
                        .log("New certificate refused, keeping the last good one"));
    }
}
