package io.busbar.sandbox.patch;

import static io.busbar.sandbox.Json.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {

    /** The examples of RFC 7386, appendix A, whose patch is an object. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {a: 'b'}             | {a: 'c'}                | {a: 'c'}
                    {a: 'b'}             | {b: 'c'}                | {a: 'b', b: 'c'}
                    {a: 'b'}             | {a: null}               | {}
                    {a: 'b', b: 'c'}     | {a: null}               | {b: 'c'}
                    {a: ['b']}           | {a: 'c'}                | {a: 'c'}
                    {a: 'c'}             | {a: ['b']}              | {a: ['b']}
                    {a: {b: 'c'}}        | {a: {b: 'd', c: null}}  | {a: {b: 'd'}}
                    {a: [{b: 'c'}]}      | {a: [1]}                | {a: [1]}
                    {e: null}            | {a: 1}                  | {e: null, a: 1}
                    [1, 2]               | {a: 'b', c: null}       | {a: 'b'}
                    {}                   | {a: {bb: {ccc: null}}}  | {a: {bb: {}}}
                    {a: [null]}          | {b: [null]}             | {a: [null], b: [null]}
                    """)
    void merges(String document, String patch, String result) {
        assertThat(MergePatch.apply(json(document), json(patch))).isEqualTo(json(result));
    }

    @Test
    void refuses_what_is_no_object() {
        assertThatThrownBy(() -> MergePatch.apply(json("{}"), json("[]")))
                .isInstanceOf(PatchException.class)
                .hasMessage("Invalid JSON Patch");
    }
}
