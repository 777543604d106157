package io.busbar.common.internal.certificate;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Map;

/**
 * The encodings of private keys that are about: PKCS#8 (RFC 5958), and the older ones for RSA (PKCS#1, RFC 8017) and EC
 * (SEC 1, RFC 5915), which are PKCS#8's inner part.
 *
 * <p>Pure; any thread.
 */
final class PrivateKeys {

    private static final byte[] RSA = Der.oid("1.2.840.113549.1.1.1");
    private static final byte[] EC = Der.oid("1.2.840.10045.2.1");
    private static final int PARAMETERS = 0xa0;

    /** JCA's names by the object identifiers' bytes, in Latin-1. */
    private static final Map<String, String> ALGORITHMS = Map.of(
            key(RSA), "RSA",
            key(EC), "EC",
            key(Der.oid("1.3.101.112")), "Ed25519");

    private PrivateKeys() {}

    static PrivateKey ofPkcs8(byte[] encoded) throws UnreadableKeyException {
        try {
            DerReader whole = new DerReader(new DerReader(encoded).next(Der.SEQUENCE));
            whole.next(Der.INTEGER);
            byte[] algorithmId = new DerReader(whole.next(Der.SEQUENCE)).next(0x06);
            String algorithm = ALGORITHMS.get(key(Der.tagged(0x06, algorithmId)));
            if (algorithm == null) {
                throw new UnreadableKeyException("a private key of a kind other than RSA, EC and Ed25519");
            }
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (IllegalArgumentException e) {
            throw new UnreadableKeyException("a private key that cannot be read");
        } catch (UnreadableKeyException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw new UnreadableKeyException("a private key that cannot be read");
        }
    }

    static PrivateKey ofPkcs1(byte[] encoded) throws UnreadableKeyException {
        return ofPkcs8(pkcs8(Der.sequence(RSA, Der.nothing()), encoded));
    }

    static PrivateKey ofSec1(byte[] encoded) throws UnreadableKeyException {
        try {
            DerReader whole = new DerReader(new DerReader(encoded).next(Der.SEQUENCE));
            whole.next(Der.INTEGER);
            whole.next(Der.OCTET_STRING);
            byte[] curve = whole.next(PARAMETERS);
            return ofPkcs8(pkcs8(Der.sequence(EC, curve), encoded));
        } catch (IllegalArgumentException e) {
            throw new UnreadableKeyException("an EC private key that cannot be read, or does not name its curve");
        }
    }

    private static byte[] pkcs8(byte[] algorithm, byte[] key) {
        return Der.sequence(Der.integer(0), algorithm, Der.octets(key));
    }

    private static String key(byte[] oid) {
        return new String(oid, StandardCharsets.ISO_8859_1);
    }
}
