package io.busbar.common.internal.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class PemTest {

    private final CertificateIssuer issuer = new CertificateIssuer("test");

    @Test
    void reads_what_it_writes() throws Exception {
        KeyPair keys = issuer.newKeys();
        var certificate = issuer.authority(keys, Instant.now(), Duration.ofDays(1));

        assertThat(Pem.privateKey(Pem.write(keys.getPrivate()))).isEqualTo(keys.getPrivate());
        assertThat(Pem.certificates(Pem.write(List.of(certificate, certificate))))
                .containsExactly(certificate, certificate);
    }

    @Test
    void reads_rsa_keys_of_the_older_form() throws Exception {
        PrivateKey key = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate();

        assertThat(Pem.privateKey(pem("RSA PRIVATE KEY", inner(key)))).isEqualTo(key);
    }

    @Test
    void reads_ec_keys_of_the_older_form_after_their_parameters() throws Exception {
        PrivateKey key = issuer.newKeys().getPrivate();
        DerReader parts = new DerReader(new DerReader(inner(key)).next(Der.SEQUENCE));
        byte[] curve = Der.oid("1.2.840.10045.3.1.7");
        byte[] sec1 = Der.sequence(
                Der.tagged(Der.INTEGER, parts.next(Der.INTEGER)),
                Der.octets(parts.next(Der.OCTET_STRING)),
                Der.tagged(0xa0, curve));

        PrivateKey read = Pem.privateKey(pem("EC PARAMETERS", curve) + pem("EC PRIVATE KEY", sec1));

        // The encodings may differ in what is optional.
        assertThat(((ECPrivateKey) read).getS()).isEqualTo(((ECPrivateKey) key).getS());
        assertThat(((ECPrivateKey) read).getParams().getOrder())
                .isEqualTo(((ECPrivateKey) key).getParams().getOrder());
    }

    @Test
    void says_what_is_wrong_without_a_word_of_the_key() {
        assertThatThrownBy(() -> Pem.privateKey("hello")).hasMessage("holds no private key in PEM form");
        assertThatThrownBy(() -> Pem.privateKey(pem("PRIVATE KEY", new byte[] {1, 2, 3})))
                .hasMessage("a private key that cannot be read");
        assertThatThrownBy(() -> Pem.privateKey("-----BEGIN PRIVATE KEY-----\n!!\n-----END PRIVATE KEY-----"))
                .hasMessage("a private key that cannot be read");
        assertThatThrownBy(() -> Pem.certificates("hello")).hasMessage("holds no certificate in PEM form");
    }

    /** What PKCS#8 wraps. */
    private static byte[] inner(PrivateKey key) {
        DerReader whole = new DerReader(new DerReader(key.getEncoded()).next(Der.SEQUENCE));
        whole.next(Der.INTEGER);
        whole.next(Der.SEQUENCE);
        return whole.next(Der.OCTET_STRING);
    }

    private static String pem(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END "
                + label + "-----\n";
    }
}
