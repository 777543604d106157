package io.busbar.sandbox.tls;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority that lives as long as this object: its key is never written.
 *
 * <p>Any thread. Keys are ECDSA P-256; certificates hold for ten years.
 */
public final class CertificateAuthority {

    private static final Duration LIFETIME = Duration.ofDays(3650);
    private static final Duration SKEW = Duration.ofMinutes(5);
    private static final String ALGORITHM = "SHA256withECDSA";

    private final SecureRandom random = new SecureRandom();
    private final X500Name subject = new X500Name("CN=busbar-sandbox");
    private final KeyPair keys;
    private final String certificate;
    private final Instant now;

    public CertificateAuthority(Instant now) {
        this.now = now;
        try {
            this.keys = newKeys();
            JcaX509v3CertificateBuilder builder = builder(subject, keys);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            builder.addExtension(
                    Extension.keyUsage,
                    true,
                    new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature));
            this.certificate = pem(sign(builder));
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("no certificate authority could be made", e);
        }
    }

    /** Its own certificate, in PEM. */
    public String certificate() {
        return certificate;
    }

    /** Signs a certificate for a server. */
    public Identity server(List<String> names, List<String> addresses) {
        try {
            KeyPair own = newKeys();
            JcaX509v3CertificateBuilder builder = builder(new X500Name("CN=" + names.get(0)), own);
            GeneralName[] alternatives = Stream.concat(
                            names.stream().map(name -> new GeneralName(GeneralName.dNSName, name)),
                            addresses.stream().map(address -> new GeneralName(GeneralName.iPAddress, address)))
                    .toArray(GeneralName[]::new);
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(alternatives));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(
                    Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
            return new Identity(pem(sign(builder)), pem(new JcaPKCS8Generator(own.getPrivate(), null)));
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("no certificate could be made for " + names, e);
        }
    }

    private KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }

    private JcaX509v3CertificateBuilder builder(X500Name name, KeyPair of) {
        return new JcaX509v3CertificateBuilder(
                subject,
                new BigInteger(120, random).add(BigInteger.ONE),
                Date.from(now.minus(SKEW)),
                Date.from(now.plus(LIFETIME)),
                name,
                of.getPublic());
    }

    private X509CertificateHolder sign(X509v3CertificateBuilder builder) throws OperatorCreationException {
        return builder.build(new JcaContentSignerBuilder(ALGORITHM).build(keys.getPrivate()));
    }

    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        }
        return text.toString();
    }
}
