package io.busbar.sandbox.schema;

import static io.busbar.sandbox.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.FieldCause;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a real 1.20.2 said to the same objects, in the words of 1.36. */
class StructuralSchemaTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {}                         | spec.req: Required value
                    {req: null}                | spec.req: Required value
                    5                          | spec: Invalid value: "integer": spec in body must be of type object: "integer"
                    []                         | spec: Invalid value: "array": spec in body must be of type object: "array"
                    {req: 5}                   | spec.req: Invalid value: "integer": spec.req in body must be of type string: "integer"
                    {req: 1.5}                 | spec.req: Invalid value: "number": spec.req in body must be of type string: "number"
                    {req: true}                | spec.req: Invalid value: "boolean": spec.req in body must be of type string: "boolean"
                    {req: {a: 1}}              | spec.req: Invalid value: "object": spec.req in body must be of type string: "object"
                    {req: 'x', size: 0}        | spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1
                    {req: 'x', size: 11}       | spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10
                    {req: 'x', size: 1.5}      | spec.size: Invalid value: "number": spec.size in body must be of type integer: "number"; <nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.size
                    {req: 'x', exMin: 1}       | spec.exMin: Invalid value: 1: spec.exMin in body should be greater than 1
                    {req: 'x', exMax: 9}       | spec.exMax: Invalid value: 9: spec.exMax in body should be less than 9
                    {req: 'x', mul: 4}         | spec.mul: Invalid value: 4: spec.mul in body should be a multiple of 3
                    {req: 'x', f: 0.1}         | spec.f: Invalid value: 0.1: spec.f in body should be greater than or equal to 0.5
                    {req: 'x', name: 'a'}      | spec.name: Invalid value: "a": spec.name in body should be at least 2 chars long
                    {req: 'x', name: 'abcde'}  | spec.name: Too long: may not be more than 4 bytes
                    {req: 'x', name: 'A1'}     | spec.name: Invalid value: "A1": spec.name in body should match '^[a-z]*$'
                    {req: 'x', en: 'c'}        | spec.en: Unsupported value: "c": supported values: "a", "b"
                    {req: 'x', eni: 3}         | spec.eni: Unsupported value: 3: supported values: "1", "2"
                    {req: 'x', date: 'zz'}     | spec.date: Invalid value: "zz": spec.date in body must be of type date-time: "zz"
                    {req: 'x', uri: ':zz'}     | spec.uri: Invalid value: ":zz": spec.uri in body must be of type uri: ":zz"
                    {req: 'x', b: 'true'}      | spec.b: Invalid value: "string": spec.b in body must be of type boolean: "string"
                    {req: 'x', arr: []}        | spec.arr: Invalid value: 0: spec.arr in body should have at least 1 items
                    {req: 'x', arr: [{k: '1'}, {k: '2'}, {k: '3'}]} | spec.arr: Too many: 3: must have at most 2 items
                    {req: 'x', arr: [{}]}      | spec.arr[0].k: Required value
                    {req: 'x', arr: [null]}    | spec.arr[0]: Invalid value: "null": spec.arr[0] in body must be of type object: "null"
                    {req: 'x', arr: {a: 1}}    | spec.arr: Invalid value: "object": spec.arr in body must be of type array: "object"
                    {req: 'x', uniq: ['a', 'b', 'a']} | spec.uniq[2]: Duplicate value: "a"
                    {req: 'x', lm: [{k: 'a', v: 1}, {k: 'a'}]} | spec.lm[1]: Duplicate value: {"k":"a"}
                    {req: 'x', m: {}}          | spec.m: Invalid value: 1: spec.m in body should have at least 1 properties
                    {req: 'x', m: {a: null}}   | spec.m: Invalid value: 1: spec.m in body should have at least 1 properties
                    {req: 'x', m: {a: 1, b: 2, c: 3}} | spec.m: Too many: 2: must have at most 2 items
                    {req: 'x', m: {a: 'x'}}    | spec.m.a: Invalid value: "string": spec.m.a in body must be of type integer: "string"
                    {req: 'x', ios: true}      | spec.ios: Invalid value: "boolean": spec.ios in body must be of type integer,string: "boolean"
                    {req: 'x', ios: 1.5}       | spec.ios: Invalid value: "number": spec.ios in body must be of type integer,string: "number"
                    {req: 'x', one: {}}        | <nil>: Invalid value: "": "spec.one" must validate one and only one schema (oneOf). Found none valid; spec.one.a: Required value
                    {req: 'x', one: {a: '1', b: '2'}} | <nil>: Invalid value: "": "spec.one" must validate one and only one schema (oneOf). Found 2 valid alternatives
                    {req: 'x', any2: {}}       | <nil>: Invalid value: "": "spec.any2" must validate at least one schema (anyOf); spec.any2.a: Required value
                    {req: 'x', nt: {a: '1'}}   | <nil>: Invalid value: "": "spec.nt" must not validate the schema (not)
                    {req: 'x', all: 4}         | spec.all: Invalid value: 4: spec.all in body should be greater than or equal to 5; <nil>: Invalid value: "": "spec.all" must validate all the schemas (allOf)
                    {req: 'x', en: 5}          | spec.en: Invalid value: "integer": spec.en in body must be of type string: "integer"; spec.en: Unsupported value: 5: supported values: "a", "b"
                    {req: 'x', b: 1, size: 0}  | spec.b: Invalid value: "integer": spec.b in body must be of type boolean: "integer"; spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1
                    """)
    void refuses_in_the_words_of_the_api_server(String spec, String message) {
        List<FieldCause> causes = Foo.SCHEMA.validate(Foo.admitted(spec), null);

        assertThat(causes.stream().map(c -> c.field() + ": " + c.message()).collect(Collectors.joining("; ")))
                .isEqualTo(message);
    }

    @Test
    void gives_each_cause_its_reason() {
        assertThat(Foo.SCHEMA.validate(Foo.of("{size: 0, en: 'z', uniq: ['a', 'a'], b: 'x', name: 'abcde'}"), null))
                .extracting(FieldCause::reason)
                .containsExactly(
                        "FieldValueInvalid",
                        "FieldValueNotSupported",
                        "FieldValueTypeInvalid",
                        "FieldValueTooLong",
                        "FieldValueRequired",
                        "FieldValueDuplicate");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{req: 'x'}",
                "{req: 'x', size: 1.0}",
                "{req: 'x', ios: 'a'}",
                "{req: 'x', ios: 1}",
                "{req: 'x', any: 5}",
                "{req: 'x', any: {b: [1]}}",
                "{req: 'x', nul: null}",
                "{req: 'x', size: null}",
                "{req: 'x', one: {a: '1'}}",
                "{req: 'x', date: '2026-01-01T00:00:00Z'}",
                "{req: 'x', uri: 'https://a.b/c'}",
                "{req: 'x', nt: {}}",
                "null",
                "{req: 'x', emb: {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'x'}}}",
                "{req: 'x', all: 5}"
            })
    void accepts(String spec) {
        assertThat(Foo.SCHEMA.validate(Foo.admitted(spec), null)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {req: 'x'}                                       | {req: 'x', defnul: 'dd', nuldef: 'nn', def: {a: 1, b: 2}}
                    {req: 'x', defnul: null, nuldef: null, nul: null}| {req: 'x', nuldef: null, nul: null, defnul: 'dd', def: {a: 1, b: 2}}
                    {req: 'x', def: {}, defnul: 'e', nuldef: 'f'}    | {req: 'x', def: {b: 2}, defnul: 'e', nuldef: 'f'}
                    {def: {}, defnul: '', nuldef: '', arr: [{k: 'z'}, {k: 'y', d: 1}]} | {def: {b: 2}, defnul: '', nuldef: '', arr: [{k: 'z', d: 7}, {k: 'y', d: 1}]}
                    """)
    void fills_in_defaults_and_drops_nulls(String spec, String result) {
        assertThat(Foo.specOf(spec)).isEqualTo(json(result));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {zzz: 1, size: 1}                                   | {size: 1}
                    {arr: [{k: 'a', zz: 1}, {zz: 1}]}                   | {arr: [{k: 'a'}, {}]}
                    {m: {a: 1, b: 2}}                                   | {m: {a: 1, b: 2}}
                    {any: {p: {q: 1}, l: [{x: 1}]}}                     | {any: {p: {q: 1}, l: [{x: 1}]}}
                    {pres: {u: {w: 1}, known: {a: 'b', zz: 1}}}         | {pres: {u: {w: 1}, known: {a: 'b'}}}
                    {emb: {kind: 'A', metadata: {name: 'n', x: 1}, y: 1}} | {emb: {kind: 'A', metadata: {name: 'n'}, y: 1}}
                    """)
    void prunes_what_the_schema_does_not_know(String spec, String result) {
        assertThat(Foo.SCHEMA.prune(Foo.of(spec)).get("spec")).isEqualTo(json(result));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {req: 'x', size: 0}                    | {req: 'y', size: 0}                   | true
                    {req: 'x', size: 0}                    | {req: 'x', size: -1}                  | false
                    {req: 'x', arr: [{k: 1}]}              | {req: 'y', arr: [{k: 1}, {k: 'b'}]}   | true
                    {req: 'x', arr: [{k: 1}]}              | {req: 'y', arr: [{k: 'b'}, {k: 1}]}   | false
                    {req: 'x', lm: [{k: 'a', v: 'x'}]}     | {req: 'x', lm: [{k: 'b', v: 1}, {k: 'a', v: 'x'}]} | true
                    {req: 'x', uniq: ['a', 'a']}           | {req: 'x', uniq: ['b', 'b']}          | true
                    {req: 'x', uniq: ['a', 5]}             | {req: 'x', uniq: ['a', 5], size: 3}   | true
                    {req: 'x', uniq: ['a', 5]}             | {req: 'x', uniq: ['b', 5]}            | false
                    {size: 3}                              | {size: 3}                             | true
                    {size: 3}                              | {size: 4}                             | false
                    """)
    void lets_pass_what_was_wrong_before(String before, String after, boolean passes) {
        assertThat(Foo.SCHEMA.validate(Foo.of(after), Foo.of(before)).isEmpty()).isEqualTo(passes);
    }

    @Test
    void leaves_the_head_of_an_object_to_others() {
        ObjectNode pruned = Foo.SCHEMA.prune(Foo.of("{}").put("more", 1));

        assertThat(pruned).isEqualTo(Foo.of("{}"));
    }

    @Test
    void leaves_the_object_that_is_passed_in_as_it_was() {
        ObjectNode object = Foo.of("{zzz: 1, defnul: null}");

        Foo.SCHEMA.withDefaults(Foo.SCHEMA.prune(object));

        assertThat(object).isEqualTo(Foo.of("{zzz: 1, defnul: null}"));
    }
}
