package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.syntax.GoText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the next page starts: the {@code continue} token, of the same form as the real server's.
 *
 * <p>Immutable.
 *
 * @param revision as of which the list is; negative for whatever is there when the next page is asked for
 * @param last the last object of the page before
 */
record Continuation(long revision, ObjectKey last) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Pattern ILLEGAL = Pattern.compile("[^-_A-Za-z0-9]");

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

    /** At another revision, if it is for whatever is there when it is used. */
    Continuation at(long latest) {
        return revision < 0 ? new Continuation(latest, last) : this;
    }

    /** The same place in what is there when it is used. */
    Continuation inconsistent() {
        return new Continuation(-1, last);
    }

    /** @throws StatusException 400 for anything that {@link #encode()} did not write */
    static Continuation decode(String token) {
        JsonNode node;
        try {
            node = JSON.readTree(Base64.getUrlDecoder().decode(token.getBytes(StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException e) {
            throw invalid("illegal base64 data at input byte " + firstIllegal(token));
        } catch (IOException e) {
            byte first = Base64.getUrlDecoder().decode(token)[0];
            throw invalid("invalid character '" + (char) (first & 0xff) + "' looking for beginning of value");
        }
        String form = node.path("v").asText("");
        if (!form.equals("meta.k8s.io/v1")) {
            throw invalid("server does not recognize this encoded version " + GoText.quote(form));
        }
        if (node.path("rv").asLong() == 0) {
            throw invalid("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
        }
        String start = node.path("start").asText("");
        if (start.isEmpty()) {
            throw invalid("encoded start key empty (version meta.k8s.io/v1)");
        }
        int slash = start.indexOf('/');
        if (slash < 0 || !start.endsWith("\0")) {
            throw invalid(start);
        }
        return new Continuation(
                node.path("rv").asLong(),
                new ObjectKey(start.substring(0, slash), start.substring(slash + 1, start.length() - 1)));
    }

    /** The first character that does not belong, or the group that is cut off. */
    private static int firstIllegal(String token) {
        Matcher illegal = ILLEGAL.matcher(token);
        return illegal.find() ? illegal.start() : token.length() - token.length() % 4;
    }

    private static StatusException invalid(String why) {
        return StatusException.badRequest("invalid continue token: continue key is not valid: " + why);
    }
}
