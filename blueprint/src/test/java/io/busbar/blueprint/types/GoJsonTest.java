package io.busbar.blueprint.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.junit.jupiter.api.Test;

/** What Go's encoding/json writes. */
class GoJsonTest {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @Test
    void texts_can_stand_in_html() {
        assertThat(GoJson.text(NODES.textNode("<&>\u2028\u2029/ä\ud83d\ude00")))
                .isEqualTo("\"\\u003c\\u0026\\u003e\\u2028\\u2029/ä\ud83d\ude00\"");
        assertThat(GoJson.text(NODES.textNode("\"\\\b\f\n\r\t\u0001\u001f\u007f")))
                .isEqualTo("\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\u007f\"");
    }

    @Test
    void names_are_in_the_order_of_their_bytes() {
        JsonNode object = NODES.objectNode()
                .put("b", 1)
                .put("\ud83d\ude00", 2)
                .put("\uff5e", 3)
                .put("ab", 4)
                .put("B", 5)
                .put("<", 6);

        assertThat(GoJson.text(object))
                .isEqualTo("{\"\\u003c\":6,\"B\":5,\"ab\":4,\"b\":1,\"\uff5e\":3,\"\ud83d\ude00\":2}");
    }

    @Test
    void what_is_no_number_cannot_be_written() {
        assertThatThrownBy(() -> GoJson.text(NODES.arrayNode().add(Double.POSITIVE_INFINITY)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("json: unsupported value: +Inf");
    }

    @Test
    void doubles_that_are_whole_become_whole_numbers_with_the_digits_that_are_shown() throws Exception {
        JsonNode read = new ObjectMapper()
                .setNodeFactory(GoJson.OF_DOUBLES)
                .readTree("{\"a\": [2, 2.5, -3, 9007199254740993, 123456789012345678901, 1e21]}");

        assertThat(read.at("/a/0").isDouble()).isTrue();
        assertThat(GoJson.whole(read)).hasToString("{\"a\":[2,2.5,-3,9007199254740992,123456789012345680000,1.0E21]}");
    }
}
