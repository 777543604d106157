package io.busbar.sandbox.http;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EncodingsTest {

    private final Encodings encodings = new Encodings();

    @Test
    void encodes_an_object_once() {
        ObjectNode object = object("{a: 'x'}");
        byte[] json = encodings.of(object, false);
        assertThat(new String(json, StandardCharsets.UTF_8)).isEqualTo("{\"a\":\"x\"}");
        assertThat(encodings.of(object, false)).isSameAs(json);
    }

    @Test
    void tells_equal_objects_apart() {
        byte[] json = encodings.of(object("{a: 'x'}"), false);
        assertThat(encodings.of(object("{a: 'x'}"), false)).isNotSameAs(json).isEqualTo(json);
    }

    @Test
    void keeps_each_form() {
        ObjectNode object = object("{metadata: {name: 'a', managedFields: []}, spec: {}}");
        byte[] whole = encodings.of(object, false);
        byte[] rest = encodings.of(object, true);
        assertThat(new String(rest, StandardCharsets.UTF_8)).isEqualTo("{\"metadata\":{\"name\":\"a\"},\"spec\":{}}");
        assertThat(encodings.of(object, true)).isSameAs(rest);
        assertThat(encodings.of(object, false))
                .isSameAs(whole)
                .asString(StandardCharsets.UTF_8)
                .contains("managedFields");
    }

    @Test
    void keeps_nothing_large() {
        ObjectNode large = object("{}").put("a", "x".repeat(100_000));
        assertThat(encodings.of(large, false))
                .isNotSameAs(encodings.of(large, false))
                .isEqualTo(encodings.of(large, false));
    }

    @Test
    void never_mistakes_one_object_for_another() {
        for (int i = 0; i < 2_000; i++) {
            ObjectNode object = object("{}").put("a", i);
            encodings.of(object, false);
            assertThat(encodings.of(object, false))
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("{\"a\":" + i + "}");
        }
    }
}
