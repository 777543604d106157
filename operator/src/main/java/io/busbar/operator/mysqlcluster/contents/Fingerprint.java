package io.busbar.operator.mysqlcluster.contents;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * By which a password is known again without being kept: an HMAC with a key of the cluster, made up at random, so that
 * nobody who reads a status can try passwords.
 *
 * <p>Immutable.
 */
final class Fingerprint {

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    Fingerprint(String key) {
        this.key = new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    /** @param purpose so that equal texts for different purposes have nothing in common */
    String of(String purpose, String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal((purpose + "\0" + text).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
