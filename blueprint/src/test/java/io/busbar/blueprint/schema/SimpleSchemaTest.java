package io.busbar.blueprint.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimpleSchemaTest {

    private final Problems problems = new Problems();
    private List<Column> columns = List.of();

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
                    string                                  # {type: string}
                    integer                                 # {type: integer}
                    boolean                                 # {type: boolean}
                    float                                   # {type: number}
                    object                                  # {x-kubernetes-preserve-unknown-fields: true, type: object}
                    []string                                # {type: array, items: {type: string}}
                    [][]integer                             # {type: array, items: {type: array, items: {type: integer}}}
                    map[string]float                        # {type: object, additionalProperties: {type: number}}
                    map[string][]boolean                    # {type: object, additionalProperties: {type: array, items: {type: boolean}}}
                    []map[string]string                     # {type: array, items: {type: object, additionalProperties: {type: string}}}
                    Port                                    # {type: object, properties: {number: {type: integer}}, required: [number]}
                    []Port                                  # {type: array, items: {type: object, properties: {number: {type: integer}}, required: [number]}}
                    Percent                                 # {type: integer, minimum: 0, maximum: 100}
                    string | default=a                      # {type: string, default: a}
                    string | default="a b|c"                # {type: string, default: a b|c}
                    string | default=""                     # {type: string, default: ""}
                    string|default='it is "a"'              # {type: string, default: 'it is "a"'}
                    string | default="a\\"b"                # {type: string, default: 'a"b'}
                    string | default=5                      # {type: string, default: "5"}
                    integer | default=-3 minimum=-5         # {type: integer, default: -3, minimum: -5}
                    integer | minimum=1 | maximum=5         # {type: integer, minimum: 1, maximum: 5}
                    integer | enum="1, 2"                   # {type: integer, enum: [1, 2]}
                    float | minimum=0.5 default=2           # {type: number, minimum: 0.5, default: 2}
                    boolean | default=true                  # {type: boolean, default: true}
                    string | enum="a,b" default=b           # {type: string, enum: [a, b], default: b}
                    string | default=b enum="a,b"           # {type: string, default: b, enum: [a, b]}
                    string | pattern="^\\\\w+$" minLength=1 # {type: string, pattern: '^\\w+$', minLength: 1}
                    string | pattern="a\\.b" maxLength=3    # {type: string, pattern: 'a\\.b', maxLength: 3}
                    string | description="how = why"        # {type: string, description: how = why}
                    []integer | default=[80, 443]           # {type: array, items: {type: integer}, default: [80, 443]}
                    []string | uniqueItems=true minItems=1  # {type: array, items: {type: string}, x-kubernetes-list-type: set, minItems: 1}
                    []string | uniqueItems=false maxItems=9 # {type: array, items: {type: string}, maxItems: 9}
                    map[string]string | default={"a": "}"}  # {type: object, additionalProperties: {type: string}, default: {a: "}"}}
                    string | immutable=false                # {type: string}
                    string | immutable=F required=f         # {type: string}
                    []string | uniqueItems=T                # {type: array, items: {type: string}, x-kubernetes-list-type: set}
                    my-type                                 # {type: string}
                    []my_type                               # {type: array, items: {type: string}}
                    string | validation="size(self) > 0"    # {type: string, x-kubernetes-validations: [{rule: size(self) > 0, message: validation failed}]}
                    []integer | validation="self.all(i, i > 0)" # {type: array, items: {type: integer}, x-kubernetes-validations: [{rule: 'self.all(i, i > 0)', message: validation failed}]}
                    Port | validation="self.number > 0"     # {type: object, properties: {number: {type: integer}}, required: [number], x-kubernetes-validations: [{rule: self.number > 0, message: validation failed}]}
                    string | immutable=true validation="self != 'a'" # {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: the field cannot be changed}, {rule: "self != 'a'", message: validation failed}]}
                    integer | validation="self > 1" validation="self != 7" # {type: integer, x-kubernetes-validations: [{rule: self > 1, message: validation failed}, {rule: self != 7, message: validation failed}]}
                    string | validation="isIP(self)"        # {type: string, x-kubernetes-validations: [{rule: isIP(self), message: validation failed}]}
                    string | validation="!format.uuid().validate(self).hasValue()" # {type: string, x-kubernetes-validations: [{rule: "!format.uuid().validate(self).hasValue()", message: validation failed}]}
                    """)
    void writes_openapi(String field, String expected) {
        JsonNode schema = schema(field);

        assertThat(problems.list()).isEmpty();
        assertThat(schema.path("properties").path("f"))
                .hasToString(Blueprints.objects(expected).get(0).toString());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
                    strin                                   # 'strin' is no type; allowed: Percent, Port, []TYPE, boolean, float, integer
                    []                                      # '[]' is no type; allowed: []TYPE
                    map[string]                             # 'map[string]' is no type; allowed: map[string]TYPE
                    | default=a                             # the type is missing
                    map[int]string                          # 'map[int]string' is no type; allowed: map[string]TYPE
                    map[string                              # 'map[string' is no type
                    string | default=                       # the value of 'default' is missing
                    string | required                       # 'required' is no marker; allowed: MARKER=VALUE
                    string | default="a                     # the value of 'default' has no closing quote
                    []string | default=["a"                 # the value of 'default' has no closing bracket
                    string | required=yes                   # 'yes' is not allowed for required; allowed: true, false
                    string | immutable=tRUE                 # 'tRUE' is not allowed for immutable; allowed: true, false
                    string | required=true required=true    # the marker 'required' is there twice
                    string | colour=red                     # 'colour' is no marker of this type; allowed: default, description, enum
                    string | minimum=3                      # 'minimum' is no marker of this type
                    integer | pattern="a"                   # 'pattern' is no marker of this type
                    integer | default=a                     # 'a' is not allowed; allowed: a value of the type integer
                    integer | default=1.5                   # '1.5' is not allowed; allowed: a value of the type integer
                    integer | default=99999999999999999999  # '99999999999999999999' is not allowed
                    integer | minimum=5 maximum=3           # minimum is more than maximum: 5 and 3
                    integer | default=9 maximum=3           # the default is not valid: 9 is more than 3
                    boolean | default=yes                   # 'yes' is not allowed; allowed: a value of the type boolean
                    string | pattern="("                    # '(' is no regular expression
                    string | minLength=-1                   # '-1' is not allowed for minLength; allowed: a whole number
                    string | minLength=2 default=a          # the default is not valid: the length of 'a' is less than 2
                    string | enum="a,b" default=c           # the default is not valid: 'c' is not allowed; allowed: ["a","b"]
                    string | enum="a,,c"                    # 'enum' has an empty value
                    string | enum=""                        # 'enum' has an empty value
                    string | validation="self.size() >"     # 'self.size() >': Syntax error
                    integer | validation="self.size() > 0"  # 'self.size() > 0': found no matching overload for 'size'
                    string | validation="self + 'a'"        # 'self + 'a'': must evaluate to a bool
                    string | validation="selv == 'a'"       # 'selv == 'a'': undeclared reference to 'selv'
                    Port | validation="self.nmber > 0"      # 'self.nmber > 0': undefined field 'nmber'
                    string | validation=" "                 # the rule is empty
                    boolean | enum="true"                   # 'enum' is for texts and numbers
                    []string | default=[1]                  # [0]: 1 is not of the type string
                    []string | default={"a":1}              # {"a":1} is not of the type array
                    map[string]string | default={"a":1}     # a: 1 is not of the type string
                    map[string]string | default={} trailing # 'trailing' is no marker
                    []Port | uniqueItems=true               # 'uniqueItems' is for lists of texts, numbers or booleans
                    Port | default={"nmber":1}              # nmber: unknown field
                    []string | printColumn="A"              # only a text, a number or a boolean can be a column
                    """)
    void refuses(String field, String problem) {
        schema(field);

        assertThat(problems.list()).isNotEmpty();
        assertThat(problems.list().get(0).place().path()).isEqualTo("spec.f");
        assertThat(problems.list())
                .anySatisfy(each -> assertThat(each.message()).contains(problem));
    }

    @Test
    void tells_the_marker_that_is_wrong_by_its_column() {
        schema("string | default=a colour=red");

        assertThat(problems.list()).hasSize(1);
        assertThat(problems.list().get(0).place().column()).isEqualTo(1 + "    f: 'string | default=a ".length());
    }

    @Test
    void an_object_is_empty_by_default_where_all_that_must_be_given_has_a_default() {
        JsonNode schema = of("""
                spec:
                  all: {a: string | default=x, b: string}
                  none: {a: string}
                  must: {a: string | default=x, b: string | required=true}
                  deep: {all: {a: string | required=true default=x}}
                """);

        assertThat(problems.list()).isEmpty();
        assertThat(schema.path("properties").path("all").path("default")).hasToString("{}");
        assertThat(schema.path("properties").path("deep").path("default")).hasToString("{}");
        assertThat(schema.path("properties").path("none").has("default")).isFalse();
        assertThat(schema.path("properties").path("must").has("default")).isFalse();
    }

    @Test
    void columns_are_those_of_fields_wherever_their_type_is_used() {
        of("""
                types:
                  Ingress: {class: string | printColumn="CLASS"}
                spec:
                  image: string | printColumn="IMAGE"
                  ingress: Ingress
                """);

        assertThat(problems.list()).isEmpty();
        assertThat(columns)
                .containsExactly(
                        new Column("IMAGE", "string", ".spec.image"),
                        new Column("CLASS", "string", ".spec.ingress.class"));
    }

    @Test
    void types_that_hold_one_another_are_told_with_the_whole_cycle_once() {
        of("""
                types:
                  Person: {employer: Company}
                  Company: {employees: "[]Person"}
                spec:
                  owner: Company
                """);

        assertThat(problems.list())
                .extracting(problem -> problem.message())
                .containsExactly("the types hold one another: Company → Person → Company");
    }

    @Test
    void types_that_grow_without_end_are_refused() {
        StringBuilder types = new StringBuilder("types:\n  T0: {a: string}\n");
        for (int i = 1; i < 25; i++) {
            types.append("  T")
                    .append(i)
                    .append(": {a: T")
                    .append(i - 1)
                    .append(", b: T")
                    .append(i - 1)
                    .append("}\n");
        }
        of(types + "spec: {f: T24}\n");

        assertThat(problems.list()).isNotEmpty();
        assertThat(problems.list().get(0).message()).startsWith("the schema is too large");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "True", "TRUE", "t", "T", "1"})
    void required_has_the_words_of_go_for_true(String word) {
        assertThat(of("spec: {f: string | required=" + word + "}").path("required"))
                .hasToString("[\"f\"]");
        assertThat(problems.list()).isEmpty();
    }

    @Test
    void a_field_of_a_required_type_is_required() {
        JsonNode schema = of("""
                types: {Name: string | required=true, Alias: Name, Names: "[]Name"}
                spec: {a: Name, b: Alias, c: "[]Name", d: Names, e: {f: Name}}
                """);

        assertThat(problems.list()).isEmpty();
        assertThat(schema.path("required")).hasToString("[\"a\",\"b\"]");
        assertThat(schema.path("properties").path("e").path("required")).hasToString("[\"f\"]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
                    {type: object, additionalProperties: {type: string}, default: {a: b}} # map[string]string | default={"a":"b"}
                    {type: array, items: {type: object, additionalProperties: {type: number}}} # []map[string]float
                    {type: integer, minimum: 1, maximum: 3}             # integer | minimum=1 maximum=3
                    {type: string, enum: [a, b], default: a}            # string | enum="a,b" default="a"
                    {type: boolean, default: true}                      # boolean | default=true
                    {type: string, default: abc}                        # string | default="abc"
                    {type: object, properties: {a: {type: string}}}     # the fields that stand in 'properties'
                    """)
    void openapi_within_it_is_told_once_with_what_to_write(String field, String instead) {
        of("spec: {f: " + field + "}");

        assertThat(problems.list())
                .singleElement()
                .asString()
                .startsWith("spec.f: ")
                .contains("this is OpenAPI, and stands in SimpleSchema; write " + instead + ",");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{type: string}",
                "{type: string, name: string}",
                "{type: string, description: string | default=a, format: string}",
                "{type: string, items: '[]string', default: integer}",
                "{type: object, items: {name: string}}",
                "{type: string, default: {size: string}}",
                "{type: string, items: {type: string}}",
                "{type: string, properties: {a: {type: string}}}"
            })
    void fields_that_are_called_as_in_openapi_are_fields(String field) {
        JsonNode schema = of("spec: {f: " + field + "}");

        assertThat(problems.list()).isEmpty();
        assertThat(schema.at("/properties/f/properties").has("type")).isTrue();
    }

    private JsonNode schema(String field) {
        return of("""
                types:
                  Port: {number: integer | required=true}
                  Percent: integer | minimum=0 maximum=100
                  my-type: string
                  my_type: string
                spec:
                    f: '%s'
                """.formatted(field.replace("'", "''")));
    }

    private JsonNode of(String text) {
        SourceNode document = Blueprints.documents(text).get(0);
        Map<String, SourceNode> types = new LinkedHashMap<>();
        document.field("types")
                .ifPresent(all -> all.entries().forEach(type -> types.put(type.getKey(), type.getValue())));
        SimpleSchema simple = new SimpleSchema(types, problems);
        JsonNode schema = simple.object(document.field("spec").orElseThrow(), ".spec");
        columns = simple.columns();
        return schema;
    }
}
