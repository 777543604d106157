package io.busbar.sandbox.patch;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * With {@code items} a list by name, each item holding {@code ports} by port, and {@code tags} a list of scalars that
 * merges.
 */
class StrategicMergePatchTest {

    private static final MergeKeys PORTS = byKey("port", MergeKeys.NONE);

    private static final MergeKeys KEYS = new MergeKeys() {
        @Override
        public MergeKeys field(String name) {
            return switch (name) {
                case "items" -> byKey("name", inItem());
                case "tags" -> scalars();
                default -> NONE;
            };
        }
    };

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {a: 1, b: {c: 1}}             | {b: {d: 2}, a: null}                              | {b: {c: 1, d: 2}}
                    {l: [1]}                      | {l: [2]}                                          | {l: [2]}
                    {}                            | {none: null, m: {n: null, $patch: 'merge'}}       | {m: {}}
                    {tags: ['a', 'b']}            | {tags: ['c', 'a']}                                | {tags: ['c', 'a', 'b']}
                    {tags: ['a', 'b']}            | {'$deleteFromPrimitiveList/tags': ['a']}          | {tags: ['b']}
                    {tags: ['a', 'b']}            | {tags: ['c'], '$setElementOrder/tags': ['b', 'c', 'a']} | {tags: ['b', 'c', 'a']}
                    {m: {a: 1}}                   | {m: {$patch: 'replace', b: 2}}                    | {m: {b: 2}}
                    {m: {a: 1}}                   | {m: {$patch: 'delete'}}                           | {m: {}}
                    {m: {a: 1, b: 2}}             | {m: {$retainKeys: ['a'], a: 3}}                   | {m: {a: 3}}
                    {items: [{name: 'x', v: 1}]}  | {items: [{name: 'x', w: 2}]}                      | {items: [{name: 'x', v: 1, w: 2}]}
                    {items: [{name: 'x'}]}        | {items: [{name: 'y'}]}                            | {items: [{name: 'y'}, {name: 'x'}]}
                    {items: [{name: 'x'}, {name: 'y'}]} | {items: [{name: 'x', $patch: 'delete'}]}    | {items: [{name: 'y'}]}
                    {items: [{name: 'x'}]}        | {items: [{name: 'y'}, {$patch: 'replace'}]}       | {items: [{name: 'y'}]}
                    {items: [{name: 'x', ports: [{port: 1, p: 1}]}]} | {items: [{name: 'x', ports: [{port: 1, q: 1}, {port: 2}]}]} | {items: [{name: 'x', ports: [{port: 1, p: 1, q: 1}, {port: 2}]}]}
                    {items: [{name: 'x'}, {name: 'y'}]} | {'$setElementOrder/items': [{name: 'y'}, {name: 'x'}]} | {items: [{name: 'y'}, {name: 'x'}]}
                    {items: [{name: 'x'}, {name: 'y'}]} | {items: [{name: 'z'}], '$setElementOrder/items': [{name: 'x'}, {name: 'z'}]} | {items: [{name: 'x'}, {name: 'z'}, {name: 'y'}]}
                    """)
    void merges(String document, String patch, String result) {
        assertThat(StrategicMergePatch.apply(object(document), object(patch), KEYS))
                .isEqualTo(object(result));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    500 | {m: {$patch: 'zap'}}                         | unknown patch type: zap in map: map[$patch:zap]
                    400 | {m: {$retainKeys: ['a'], c: 1}}              | invalid patch format of retainKeys
                    500 | {items: [{v: 1}]}                            | map: map[v:1] does not contain declared merge key: name
                    400 | {'$deleteFromPrimitiveList/tags': 'a'}       | invalid patch format of primitive list
                    """)
    void refuses_in_the_words_of_the_api_server(int code, String patch, String message) {
        ObjectNode document = object("{m: {a: 1}, tags: ['a'], items: []}");

        assertThatThrownBy(() -> StrategicMergePatch.apply(document, object(patch), KEYS))
                .isInstanceOf(PatchException.class)
                .hasMessage(message)
                .extracting(e -> ((PatchException) e).code())
                .isEqualTo(code);
    }

    @Test
    void leaves_the_document_as_it_was() {
        ObjectNode document = object("{items: [{name: 'x', v: {a: 1}}], tags: ['a']}");
        ObjectNode before = document.deepCopy();

        StrategicMergePatch.apply(document, object("{items: [{name: 'x', v: {a: null, b: 2}}], tags: ['b']}"), KEYS);

        assertThat(document).isEqualTo(before);
    }

    private static MergeKeys inItem() {
        return new MergeKeys() {
            @Override
            public MergeKeys field(String name) {
                return name.equals("ports") ? PORTS : NONE;
            }
        };
    }

    private static MergeKeys byKey(String key, MergeKeys items) {
        return new MergeKeys() {
            @Override
            public String mergeKey() {
                return key;
            }

            @Override
            public MergeKeys items() {
                return items;
            }
        };
    }

    private static MergeKeys scalars() {
        return new MergeKeys() {
            @Override
            public boolean mergesScalars() {
                return true;
            }
        };
    }
}
