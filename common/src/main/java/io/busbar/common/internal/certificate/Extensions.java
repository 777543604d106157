package io.busbar.common.internal.certificate;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

/** Extensions of certificates (RFC 5280, section 4.2), encoded. Pure; any thread. */
final class Extensions {

    private static final int KEY_ID_BYTES = 20;

    private Extensions() {}

    /** A CA, but for servers alone, not for other CAs. */
    static byte[] authority() {
        return critical("2.5.29.19", Der.sequence(Der.yes(), Der.integer(0)));
    }

    static byte[] notAnAuthority() {
        return critical("2.5.29.19", Der.sequence());
    }

    /** keyCertSign and cRLSign. */
    static byte[] signsCertificates() {
        return critical("2.5.29.15", Der.bits(1, new byte[] {0x06}));
    }

    /** digitalSignature. */
    static byte[] signsHandshakes() {
        return critical("2.5.29.15", Der.bits(7, new byte[] {(byte) 0x80}));
    }

    /** serverAuth. */
    static byte[] servesTls() {
        return plain("2.5.29.37", Der.sequence(Der.oid("1.3.6.1.5.5.7.3.1")));
    }

    static byte[] keyId(PublicKey key) {
        return plain("2.5.29.14", Der.octets(id(key)));
    }

    static byte[] authorityKeyId(PublicKey key) {
        return plain("2.5.29.35", Der.sequence(Der.tagged(0x80, id(key))));
    }

    /**
     * subjectAltName.
     *
     * @param names DNS names and IP addresses
     */
    static byte[] names(Collection<String> names) {
        return plain(
                "2.5.29.17",
                Der.sequence(names.stream().sorted().map(Extensions::name).toArray(byte[][]::new)));
    }

    private static byte[] name(String name) {
        Optional<InetAddress> address = IpAddresses.parse(name);
        return address.isPresent()
                ? Der.tagged(0x87, address.get().getAddress())
                : Der.tagged(0x82, name.getBytes(StandardCharsets.US_ASCII));
    }

    /** The leftmost 160 bits of the key's SHA-256 (RFC 7093, section 2). */
    private static byte[] id(PublicKey key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
            return Arrays.copyOf(hash, KEY_ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JVM has no SHA-256", e);
        }
    }

    private static byte[] critical(String oid, byte[] value) {
        return Der.sequence(Der.oid(oid), Der.yes(), Der.octets(value));
    }

    private static byte[] plain(String oid, byte[] value) {
        return Der.sequence(Der.oid(oid), Der.octets(value));
    }
}
