package io.busbar.sandbox.kinds.config;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;

/** Whether a certificate and a key are such, in the words of Go's TLS. Any thread. */
final class KeyPairs {

    private KeyPairs() {}

    /** Empty where there is nothing to say; whether the key is the certificate's own is not looked at. */
    static String complaint(byte[] certificate, byte[] key) {
        String text = new String(certificate, StandardCharsets.US_ASCII);
        if (!text.contains("-----BEGIN ")) {
            return "tls: failed to find any PEM data in certificate input";
        }
        if (!text.contains("-----BEGIN CERTIFICATE-----")) {
            return "tls: failed to find certificate PEM data in certificate input, but did find a private key;"
                    + " PEM inputs may have been switched";
        }
        if (!new String(key, StandardCharsets.US_ASCII).contains("PRIVATE KEY-----")) {
            return "tls: failed to find any PEM data in key input";
        }
        try {
            CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
            return "";
        } catch (GeneralSecurityException e) {
            return "x509: malformed certificate";
        }
    }
}
