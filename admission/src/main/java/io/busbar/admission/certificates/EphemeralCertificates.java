package io.busbar.admission.certificates;

import io.busbar.common.internal.certificate.CertificateIssuer;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A CA and a serving certificate that live in memory alone: for one process that nobody else shares webhooks with, such
 * as a test.
 *
 * <p>One worker.
 */
public final class EphemeralCertificates implements CertificateSource {

    private final CertificateRenewal renewal;
    private final Clock clock = Clock.systemUTC();
    private @Nullable StoredCertificates current;

    /**
     * @param names DNS names and IP addresses that the server is reached by
     */
    public EphemeralCertificates(Collection<String> names) {
        this.renewal = new CertificateRenewal(new CertificateIssuer("busbar webhook"), names);
    }

    @Override
    public Duration interval() {
        return Duration.ofMinutes(1);
    }

    @Override
    public ServingCertificate read() {
        StoredCertificates next = renewal.next(current, clock.instant());
        current = next;
        return next.toServe();
    }
}
