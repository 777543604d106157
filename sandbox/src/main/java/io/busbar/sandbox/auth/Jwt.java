package io.busbar.sandbox.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * JSON Web Tokens, signed by HMAC with SHA-256: whoever makes them is the only one to check them.
 *
 * <p>Any thread.
 */
final class Jwt {

    private static final String ALGORITHM = "HmacSHA256";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();
    private static final String HEADER =
            ENCODER.encodeToString("{\"alg\":\"HS256\"}".getBytes(StandardCharsets.US_ASCII));

    private final SecretKeySpec key;

    Jwt(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    String sign(ObjectNode claims) {
        try {
            String signed = HEADER + "." + ENCODER.encodeToString(JSON.writeValueAsBytes(claims));
            return signed + "." + ENCODER.encodeToString(signature(signed));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of nodes could not be written", e);
        }
    }

    /** The claims of a token that is ours; empty for any other text. */
    Optional<JsonNode> verify(String token) {
        List<String> parts = List.of(token.split("\\.", -1));
        if (parts.size() != 3 || !parts.get(0).equals(HEADER)) {
            return Optional.empty();
        }
        try {
            byte[] signature = DECODER.decode(parts.get(2));
            return MessageDigest.isEqual(signature, signature(HEADER + "." + parts.get(1)))
                    ? Optional.of(JSON.readTree(DECODER.decode(parts.get(1))))
                    : Optional.empty();
        } catch (IllegalArgumentException | IOException noToken) {
            return Optional.empty();
        }
    }

    private byte[] signature(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }
}
