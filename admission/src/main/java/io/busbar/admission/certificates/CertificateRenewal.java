package io.busbar.admission.certificates;

import io.busbar.common.internal.certificate.CertificateIssuer;
import io.busbar.common.internal.certificate.IpAddresses;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides which certificates are due, and has them made.
 *
 * <p>A certificate is due at two thirds of its life. An authority is replaced in three steps, so that no API server
 * meets a certificate that it does not trust yet: the new one is published beside the old; after {@link #SETTLED}, or
 * the overlap that was asked for, it signs the serving certificate; after as long again the old one goes.
 *
 * <p>Any thread; the decision depends on the arguments alone.
 */
final class CertificateRenewal {

    static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
    static final Duration SERVING_LIFE = Duration.ofDays(365);

    /** By when all replicas have read the Secret again, and API servers know the caBundle. */
    static final Duration SETTLED = Duration.ofMinutes(15);

    private final CertificateIssuer issuer;
    private final Set<String> names;
    private final Duration overlap;

    /**
     * @param names DNS names and IP addresses that the server is reached by; at least one
     */
    CertificateRenewal(CertificateIssuer issuer, Collection<String> names) {
        this(issuer, names, SETTLED);
    }

    /**
     * @param overlap for how long a new authority is published before it signs: by when all who verify know it
     */
    CertificateRenewal(CertificateIssuer issuer, Collection<String> names, Duration overlap) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("a serving certificate needs a name");
        }
        this.issuer = issuer;
        this.names = Set.copyOf(names);
        this.overlap = overlap;
    }

    /** What should be stored now: the same when nothing is due. */
    StoredCertificates next(@Nullable StoredCertificates current, Instant now) {
        if (current == null || expired(current.authority(), now)) {
            return fresh(now);
        }
        StoredCertificates next = current;
        if (due(next.authority(), now)) {
            next = withNewAuthority(next, now);
        }
        if (due(next.serving(), now)
                || !CertificateIssuer.names(next.serving()).equals(normalized())
                || awaitsItsAuthority(next, now)) {
            next = withNewServing(next, now);
        }
        return withoutFormerAuthorities(next, now);
    }

    private StoredCertificates fresh(Instant now) {
        KeyPair keys = issuer.newKeys();
        X509Certificate authority = issuer.authority(keys, now, AUTHORITY_LIFE);
        KeyPair serving = issuer.newKeys();
        return new StoredCertificates(
                List.of(authority),
                keys.getPrivate(),
                issuer.serving(names, serving.getPublic(), authority, keys.getPrivate(), now, SERVING_LIFE),
                serving.getPrivate());
    }

    private StoredCertificates withNewAuthority(StoredCertificates current, Instant now) {
        KeyPair keys = issuer.newKeys();
        List<X509Certificate> authorities = new ArrayList<>();
        authorities.add(issuer.authority(keys, now, AUTHORITY_LIFE));
        authorities.addAll(current.authorities());
        return new StoredCertificates(authorities, keys.getPrivate(), current.serving(), current.servingKey());
    }

    private StoredCertificates withNewServing(StoredCertificates current, Instant now) {
        KeyPair keys = issuer.newKeys();
        X509Certificate serving =
                issuer.serving(names, keys.getPublic(), current.authority(), current.authorityKey(), now, SERVING_LIFE);
        return new StoredCertificates(current.authorities(), current.authorityKey(), serving, keys.getPrivate());
    }

    /** The newest authority is known everywhere by now, and has not signed yet. */
    private boolean awaitsItsAuthority(StoredCertificates current, Instant now) {
        return !signedBy(current.serving(), current.authority()) && settled(current.authority(), now);
    }

    private StoredCertificates withoutFormerAuthorities(StoredCertificates current, Instant now) {
        boolean needed = !signedBy(current.serving(), current.authority()) || !settled(current.serving(), now);
        return needed || current.authorities().size() == 1
                ? current
                : new StoredCertificates(
                        List.of(current.authority()), current.authorityKey(), current.serving(), current.servingKey());
    }

    private boolean settled(X509Certificate certificate, Instant now) {
        return !now.isBefore(CertificateIssuer.issuedAt(certificate).plus(overlap));
    }

    private static boolean due(X509Certificate certificate, Instant now) {
        Instant from = CertificateIssuer.issuedAt(certificate);
        Duration life = Duration.between(from, certificate.getNotAfter().toInstant());
        return !now.isBefore(from.plus(life.multipliedBy(2).dividedBy(3)));
    }

    private static boolean expired(X509Certificate certificate, Instant now) {
        return !now.isBefore(certificate.getNotAfter().toInstant());
    }

    private static boolean signedBy(X509Certificate certificate, X509Certificate authority) {
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private Set<String> normalized() {
        Set<String> result = new TreeSet<>();
        names.forEach(name -> result.add(IpAddresses.canonical(name)));
        return result;
    }
}
