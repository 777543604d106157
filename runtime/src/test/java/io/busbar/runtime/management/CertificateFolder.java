package io.busbar.runtime.management;

import io.busbar.common.internal.certificate.CertificateIssuer;
import io.busbar.common.internal.certificate.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A server's certificate in a folder, as a Secret of cert-manager is mounted. */
public final class CertificateFolder {

    private CertificateFolder() {}

    /** Issues one for 127.0.0.1, by an authority of its own. */
    public static X509Certificate write(Path folder) throws IOException {
        return write(folder, Instant.now());
    }

    /** The same for a day from then on. */
    public static X509Certificate write(Path folder, Instant now) throws IOException {
        CertificateIssuer issuer = new CertificateIssuer("test");
        Duration day = Duration.ofDays(1);
        KeyPair authorityKeys = issuer.newKeys();
        X509Certificate authority = issuer.authority(authorityKeys, now, day);
        KeyPair keys = issuer.newKeys();
        X509Certificate certificate =
                issuer.serving(List.of("127.0.0.1"), keys.getPublic(), authority, authorityKeys.getPrivate(), now, day);
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("ca.crt"), Pem.write(List.of(authority)));
        Files.writeString(folder.resolve("tls.key"), Pem.write(keys.getPrivate()));
        Files.writeString(folder.resolve("tls.crt"), Pem.write(List.of(certificate)));
        return certificate;
    }
}
