package io.busbar.common.internal.certificate;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and keys as text (RFC 7468). Pure; any thread. */
public final class Pem {

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----", Pattern.DOTALL);
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private Pem() {}

    /** One block of a text. */
    private static final class Block {
        private final String label;
        private final byte[] content;

        Block(String label, byte[] content) {
            this.label = label;
            this.content = content;
        }
    }

    /**
     * All certificates of a text, in order.
     *
     * @throws CertificateException when there is none, or one cannot be read
     */
    public static List<X509Certificate> certificates(String text) throws CertificateException {
        List<X509Certificate> result = new ArrayList<>();
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        for (Block block : blocks(text)) {
            if (block.label.equals("CERTIFICATE")) {
                result.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.content)));
            }
        }
        if (result.isEmpty()) {
            throw new CertificateException("holds no certificate in PEM form");
        }
        return List.copyOf(result);
    }

    /**
     * The private key of a text: PKCS#8, PKCS#1 (RSA) or SEC 1 (EC), not encrypted.
     *
     * @throws UnreadableKeyException when there is none, or it cannot be read
     */
    public static PrivateKey privateKey(String text) throws UnreadableKeyException {
        for (Block block : blocks(text)) {
            switch (block.label) {
                case "PRIVATE KEY" -> {
                    return PrivateKeys.ofPkcs8(block.content);
                }
                case "RSA PRIVATE KEY" -> {
                    return PrivateKeys.ofPkcs1(block.content);
                }
                case "EC PRIVATE KEY" -> {
                    return PrivateKeys.ofSec1(block.content);
                }
                default -> {
                    // Such as EC PARAMETERS, which openssl writes ahead of the key.
                }
            }
        }
        throw new UnreadableKeyException("holds no private key in PEM form");
    }

    /** In order, a block each. */
    public static String write(List<X509Certificate> certificates) {
        StringBuilder text = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            try {
                text.append(write("CERTIFICATE", certificate.getEncoded()));
            } catch (CertificateEncodingException e) {
                throw new IllegalStateException("a certificate that was read cannot be written", e);
            }
        }
        return text.toString();
    }

    /** PKCS#8. */
    public static String write(PrivateKey key) {
        return write("PRIVATE KEY", key.getEncoded());
    }

    private static String write(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n" + new String(LINES.encode(content), StandardCharsets.US_ASCII)
                + "\n-----END " + label + "-----\n";
    }

    /** A block that is not base64 comes out empty, and is then no certificate or key. */
    private static List<Block> blocks(String text) {
        List<Block> result = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            try {
                result.add(new Block(block.group(1), Base64.getMimeDecoder().decode(block.group(2))));
            } catch (IllegalArgumentException e) {
                result.add(new Block(block.group(1), new byte[0]));
            }
        }
        return result;
    }
}
