package io.busbar.sandbox.patch;

import static io.busbar.sandbox.Json.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPatchTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {a: 1}          | [{op: 'add', path: '/b', value: 2}]                           | {a: 1, b: 2}
                    {a: 1}          | [{op: 'add', path: '/a', value: null}]                        | {a: null}
                    {a: [1, 3]}     | [{op: 'add', path: '/a/1', value: 2}]                         | {a: [1, 2, 3]}
                    {a: [1]}        | [{op: 'add', path: '/a/-', value: 2}]                         | {a: [1, 2]}
                    {a: [1]}        | [{op: 'add', path: '/a/1', value: 2}]                         | {a: [1, 2]}
                    {a: 1}          | [{op: 'add', path: '/b'}]                                     | {a: 1, b: null}
                    {a: [1, 3]}     | [{op: 'add', path: '/a/-2', value: 2}]                        | {a: [1, 2, 3]}
                    {a: [1, 2]}     | [{op: 'replace', path: '/a/-1', value: 3}]                    | {a: [1, 3]}
                    {a: [1, 2]}     | [{op: 'remove', path: '/a/-2'}]                               | {a: [2]}
                    {a: 1, b: 2}    | [{op: 'remove', path: '/a'}]                                  | {b: 2}
                    {a: [1, 2]}     | [{op: 'remove', path: '/a/0'}]                                | {a: [2]}
                    {a: 1}          | [{op: 'replace', path: '/a', value: {b: 1}}]                  | {a: {b: 1}}
                    {a: [1, 2]}     | [{op: 'replace', path: '/a/1', value: 3}]                     | {a: [1, 3]}
                    {a: 1}          | [{op: 'move', from: '/a', path: '/b'}]                        | {b: 1}
                    {a: [1, 2]}     | [{op: 'move', from: '/a/0', path: '/a/1'}]                    | {a: [2, 1]}
                    {a: {c: 1}}     | [{op: 'copy', from: '/a', path: '/b'}, {op: 'remove', path: '/a/c'}] | {a: {}, b: {c: 1}}
                    {'a/b': {'~': 1}} | [{op: 'replace', path: '/a~1b/~0', value: 2}]               | {'a/b': {'~': 2}}
                    {a: 1.0}        | [{op: 'test', path: '/a', value: 1}]                          | {a: 1.0}
                    {}              | [{op: 'test', path: '/a', value: null}]                       | {}
                    {a: 1}          | []                                                            | {a: 1}
                    {a: 1}          | null                                                          | {a: 1}
                    """)
    void applies(String document, String patch, String result) {
        assertThat(JsonPatch.apply(json(document), json(patch))).isEqualTo(json(result));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{op: 'test', path: '/a', value: 2}",
                "{op: 'test', path: '/none', value: 2}",
                "{op: 'test', path: '/a', value: null}",
                "{op: 'remove', path: '/none'}",
                "{op: 'remove', path: ''}",
                "{op: 'add', path: '/none/b', value: 1}",
                "{op: 'add', path: '/a/b', value: 1}",
                "{op: 'add', path: '', value: {b: 2}}",
                "{op: 'add', path: '/l/3', value: 1}",
                "{op: 'add', path: '/l/-4', value: 1}",
                "{op: 'remove', path: '/l/-3'}",
                "{op: 'remove', path: '/l/-'}",
                "{op: 'replace', path: '/l/2', value: 1}",
                "{op: 'copy', from: '/l/2', path: '/b'}",
                "{op: 'move', from: '/none', path: '/b'}",
                "{op: 'move', from: '/o', path: '/o/p'}",
                "{op: 'zap', path: '/a'}",
                "{path: '/a', value: 1}",
                "{op: 'add', value: 1}",
                "{op: 'add', path: 'a', value: 1}",
                "{op: 1, path: '/a'}"
            })
    void refuses_an_operation_that_does_not_fit_with_422(String operation) {
        assertThatThrownBy(() -> JsonPatch.apply(json("{a: 1, l: [1, 2], o: {p: 1}}"), json("[" + operation + "]")))
                .isInstanceOf(PatchException.class)
                .hasMessage("the server rejected our request due to an error in our request")
                .extracting(e -> ((PatchException) e).code())
                .isEqualTo(422);
    }

    @Test
    void refuses_what_is_no_patch_with_400() {
        assertThatThrownBy(() -> JsonPatch.apply(json("{}"), json("{op: 'add'}")))
                .hasMessage(
                        "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp")
                .extracting(e -> ((PatchException) e).code())
                .isEqualTo(400);
        assertThatThrownBy(() -> JsonPatch.apply(json("{}"), json("['a']")))
                .hasMessage(
                        "error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp");
    }

    @Test
    void refuses_more_operations_than_the_api_server_takes() {
        ArrayNode patch = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i <= 10_000; i++) {
            patch.add(json("{op: 'add', path: '/a', value: 1}"));
        }

        assertThatThrownBy(() -> JsonPatch.apply(json("{}"), patch))
                .hasMessage("The allowed maximum operations in a JSON patch is 10000, got 10001")
                .extracting(e -> ((PatchException) e).code())
                .isEqualTo(413);
    }

    @Test
    void leaves_the_document_and_the_patch_as_they_were() {
        JsonNode document = json("{a: {b: [1]}}");
        JsonNode patch = json("[{op: 'add', path: '/c', value: {d: 1}}, {op: 'add', path: '/c/e', value: 2}]");

        JsonPatch.apply(document, patch);

        assertThat(document).isEqualTo(json("{a: {b: [1]}}"));
        assertThat(patch.at("/0/value")).isEqualTo(json("{d: 1}"));
    }
}
