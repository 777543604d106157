package io.busbar.sandbox.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class JwtTest {

    private static final ObjectNode CLAIMS =
            JsonNodeFactory.instance.objectNode().put("sub", "somebody");

    private final Jwt jwt = new Jwt(new byte[32]);

    @Test
    void knows_its_own_tokens() {
        assertThat(jwt.verify(jwt.sign(CLAIMS))).contains(CLAIMS);
    }

    @Test
    void knows_no_other() {
        String token = jwt.sign(CLAIMS);
        byte[] otherKey = new byte[32];
        otherKey[0] = 1;
        assertThat(new Jwt(otherKey).verify(token)).isEmpty();
        for (int i = 0; i < token.length() - 1; i++) {
            char other = token.charAt(i) == 'A' ? 'B' : 'A';
            assertThat(jwt.verify(token.substring(0, i) + other + token.substring(i + 1)))
                    .as("character %d", i)
                    .isEmpty();
        }
        assertThat(jwt.verify("")).isEmpty();
        assertThat(jwt.verify("a.b")).isEmpty();
        assertThat(jwt.verify("..")).isEmpty();
    }
}
