package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.status.StatusException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where the next page starts: the {@code continue} token, of the same form as the real server's.
 *
 * <p>Immutable.
 *
 * @param last the last object of the page before
 */
record Continuation(long revision, ObjectKey last) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    String encode() {
        try {
            String start = last.namespace() + "/" + last.name() + "\0";
            byte[] token = JSON.writeValueAsBytes(JSON.createObjectNode()
                    .put("v", "meta.k8s.io/v1")
                    .put("rv", revision)
                    .put("start", start));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @throws StatusException 400 for anything that {@link #encode()} did not write */
    static Continuation decode(String token) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(token.getBytes(StandardCharsets.US_ASCII));
            JsonNode node = JSON.readTree(bytes);
            String start = node.path("start").asText();
            int slash = start.indexOf('/');
            if (slash < 0 || !start.endsWith("\0") || !node.path("rv").isIntegralNumber()) {
                throw invalid("illegal start");
            }
            return new Continuation(
                    node.path("rv").asLong(),
                    new ObjectKey(start.substring(0, slash), start.substring(slash + 1, start.length() - 1)));
        } catch (IllegalArgumentException e) {
            throw invalid("illegal base64 data at input byte 0");
        } catch (IOException e) {
            throw invalid("invalid JSON");
        }
    }

    private static StatusException invalid(String why) {
        return StatusException.badRequest("invalid continue token: continue key is not valid: " + why);
    }
}
