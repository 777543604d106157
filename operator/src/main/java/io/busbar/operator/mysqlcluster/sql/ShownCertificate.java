package io.busbar.operator.mysqlcluster.sql;

import io.busbar.common.internal.certificate.CertificateIssuer;
import io.busbar.common.internal.certificate.TrustManagers;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the certificate that a server shows, and keeps it. The name is not that of the host that is connected to,
 * which may be an address, but that of the member that should be there: so it is compared here.
 *
 * <p>For one connection; any thread.
 */
final class ShownCertificate implements X509TrustManager {

    private final Trust trust;
    private volatile @Nullable X509Certificate shown;

    ShownCertificate(Trust trust) {
        this.trust = trust;
    }

    /** Empty before it was verified. */
    Optional<X509Certificate> verified() {
        return Optional.ofNullable(shown);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        if (trust.check() != Trust.Check.NOTHING) {
            TrustManagers.of(trust.authorities()).checkServerTrusted(chain, authType);
        }
        Set<String> names = CertificateIssuer.names(chain[0]);
        if (trust.check() == Trust.Check.NAME_AND_AUTHORITY && !isAmong(names, trust.name())) {
            throw new CertificateException("the certificate is for " + names + ", not for " + trust.name());
        }
        shown = chain[0];
    }

    /** One with a star holds for all names of its domain. */
    private static boolean isAmong(Set<String> names, String name) {
        return names.contains(name) || (name.contains(".") && names.contains("*" + name.substring(name.indexOf('.'))));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("there are no clients here");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trust.authorities().toArray(X509Certificate[]::new);
    }
}
