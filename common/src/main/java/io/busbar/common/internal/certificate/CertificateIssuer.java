package io.busbar.common.internal.certificate;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.security.auth.x500.X500Principal;

/**
 * Makes keys (ECDSA P-256) and certificates (RFC 5280) with nothing but the JDK: BouncyCastle would do it too, but if
 * it is on the class path Netty loads its whole provider on the event loop of the first handshake, which costs each
 * start half a second.
 *
 * <p>Any thread. Certificates begin a little before they are issued, since clocks differ; {@link #issuedAt} takes that
 * into account.
 */
public final class CertificateIssuer {

    private static final Duration BACKDATED = Duration.ofMinutes(5);
    private static final int VERSION_3 = 2;
    private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));

    private final SecureRandom random = new SecureRandom();
    private final String name;

    /**
     * @param name of what the certificates are for, in the common names of CA and server
     */
    public CertificateIssuer(String name) {
        this.name = name;
    }

    /** When a certificate of this class was issued. */
    public static Instant issuedAt(X509Certificate certificate) {
        return certificate.getNotBefore().toInstant().plus(BACKDATED);
    }

    /** The names and addresses that a certificate holds for, in one spelling; none where they cannot be read. */
    public static Set<String> names(X509Certificate certificate) {
        try {
            Set<String> result = new TreeSet<>();
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                alternatives.forEach(name -> result.add(IpAddresses.canonical(String.valueOf(name.get(1)))));
            }
            return result;
        } catch (CertificateParsingException e) {
            return Set.of();
        }
    }

    public KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no P-256", e);
        }
    }

    /** A CA that signs itself, and may sign servers only. */
    public X509Certificate authority(KeyPair keys, Instant now, Duration life) {
        X500Principal subject =
                new X500Principal("CN=" + name + " CA " + HexFormat.of().toHexDigits(random.nextLong()));
        byte[] content = content(
                subject,
                subject,
                keys.getPublic(),
                now,
                life,
                Extensions.authority(),
                Extensions.signsCertificates(),
                Extensions.keyId(keys.getPublic()));
        return sign(content, keys.getPrivate());
    }

    /**
     * A server's certificate.
     *
     * @param names DNS names and IP addresses
     */
    public X509Certificate serving(
            Collection<String> names,
            PublicKey key,
            X509Certificate authority,
            PrivateKey authorityKey,
            Instant now,
            Duration life) {
        byte[] content = content(
                authority.getSubjectX500Principal(),
                new X500Principal("CN=" + name + " server"),
                key,
                now,
                life,
                Extensions.notAnAuthority(),
                Extensions.signsHandshakes(),
                Extensions.servesTls(),
                Extensions.authorityKeyId(authority.getPublicKey()),
                Extensions.names(names));
        return sign(content, authorityKey);
    }

    /** RFC 5280, section 4.1: what is certified, how it is signed, the signature. */
    private static X509Certificate sign(byte[] content, PrivateKey key) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(key);
            signature.update(content);
            byte[] encoded = Der.sequence(content, ECDSA_WITH_SHA256, Der.bits(0, signature.sign()));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot issue a certificate", e);
        }
    }

    private byte[] content(
            X500Principal issuer,
            X500Principal subject,
            PublicKey key,
            Instant now,
            Duration life,
            byte[]... extensions) {
        return Der.sequence(
                Der.tagged(0xa0, Der.integer(VERSION_3)),
                Der.integer(new BigInteger(127, random).add(BigInteger.ONE)),
                ECDSA_WITH_SHA256,
                issuer.getEncoded(),
                Der.sequence(Der.time(now.minus(BACKDATED)), Der.time(now.plus(life))),
                subject.getEncoded(),
                key.getEncoded(),
                Der.tagged(0xa3, Der.sequence(extensions)));
    }
}
