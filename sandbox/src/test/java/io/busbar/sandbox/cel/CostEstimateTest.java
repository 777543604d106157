package io.busbar.sandbox.cel;

import static io.busbar.sandbox.Json.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures are what a real API server comes to for the same schemas and rules. */
class CostEstimateTest {

    private static long mostCost(String schema, String rule) {
        JsonNode parsed = yaml(schema);
        RuleCompiler compiler = new RuleCompiler(parsed, false);
        SchemaRule written = SchemaRule.of(JsonNodeFactory.instance.objectNode().put("rule", rule));
        return CostEstimate.most(compiler.rule(written).tree(), compiler.sizes());
    }

    @ParameterizedTest(name = "{1} of {0} costs {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    {type: array, items: {type: number}}                | self.all(x, true)                     | 4718591
                    {type: array, items: {type: number}, maxItems: 10}  | self.all(x, true)                     | 32
                    {type: array, items: {type: number}, maxItems: 10}  | self.all(x, self.all(y, true))        | 352
                    {type: array, items: {type: number}, maxItems: 6291456} | self.all(x, x == 0.0)             | 25165826
                    {type: array, items: {type: string}}                | self.all(x, true)                     | 3145727
                    {type: array, items: {type: boolean}}               | self.all(x, true)                     | 1887437
                    {type: array, items: {type: string, format: duration}}  | self.all(x, true)                 | 2359295
                    {type: array, items: {type: string, format: date}}      | self.all(x, true)                 | 725936
                    {type: array, items: {type: string, format: date-time}} | self.all(x, true)                 | 428963
                    {type: array, items: {x-kubernetes-int-or-string: true}} | self.all(x, true)                | 4718591
                    {type: array, items: {x-kubernetes-int-or-string: true}} | self[0] == 5                     | 3
                    {type: object, additionalProperties: {type: number}}    | self.all(x, true)                 | 1348169
                    {type: object, additionalProperties: {type: string}, maxProperties: 3} | self.all(x, true)  | 11
                    {type: object, additionalProperties: {type: number}}    | has(self.x)                       | 1
                    {type: object, additionalProperties: {type: integer}}   | oldSelf.size() == self.size()     | 5
                    {type: object, additionalProperties: {type: string, format: date-time}} | self['a'] == self['b'] | 8
                    {type: array, items: {type: object, additionalProperties: {type: number}}} | self[0].x > 2.0 | 4
                    {type: array, items: {type: object, additionalProperties: {type: number}}, maxItems: 12} | self.all(x, x.y == 25.2) | 74
                    {type: array, items: {type: number}}                | self[1] == 0.0                        | 2
                    {type: array, items: {type: string}, maxItems: 8}   | self[1] == self[1]                    | 314577
                    {type: array, items: {type: string, format: duration}} | self[0].getHours() == 2            | 4
                    {type: string}                                      | self.contains('test')                 | 314574
                    {type: string, maxLength: 10}                       | self.contains('test')                 | 5
                    {type: string}                                      | self.startsWith('test')               | 2
                    {type: string}                                      | size(self + 'hello') > size('hello')  | 314578
                    {type: string, maxLength: 4}                        | size(self + 'hello') > size('hello')  | 7
                    {type: string, maxLength: 50}                       | self.matches('x')                     | 22
                    {type: string}                                      | ''.matches('(((((((((())))))))))[0-9]') | 7
                    {type: string}                                      | self.matches('')                      | 1
                    {type: string, maxLength: 0}                        | self == 'x'                           | 1
                    {type: string}                                      | self == 'x'                           | 2
                    {type: string}                                      | self.find('[0-9]+') == ''             | 629147
                    {type: string, maxLength: 10}                       | self.find('[0-9]+') == ''             | 11
                    {type: string, maxLength: 10}                       | self.lowerAscii() == 'lower!'         | 6
                    {type: array, items: {type: string}}                | self.join(' ') == 'aa bb'             | 329853068905
                    {type: array, maxItems: 10, items: {type: string, maxLength: 10}} | self.join(' ') == 'aa bb' | 43
                    {type: array, items: {type: string}}                | self.isSorted() == true               | 329854432052
                    {type: array, maxItems: 10, items: {type: string, maxLength: 10}} | self.isSorted() == true | 52
                    {type: object, properties: {s: {type: string}, b: {type: string, maxLength: 2}, a: {type: string, maxLength: 4}}} | self.s.replace(self.b, self.a) == 'does not matter' | 629154
                    {type: object, properties: {s: {type: string, maxLength: 4}, b: {type: string, maxLength: 2}, a: {type: string, maxLength: 4}}} | self.s.replace(self.b, self.a) == 'does not matter' | 12
                    {type: object, properties: {s: {type: string, maxLength: 10}, t: {type: string, maxLength: 10}}} | self.s.split(self.t) == [] | 22
                    """)
    void the_most_that_a_rule_may_cost(String schema, String rule, long cost) {
        assertThat(mostCost(schema, rule)).isEqualTo(cost);
    }

    @Test
    void loops_in_loops_cost_too_much_to_be_counted() {
        String list = "{type: array, items: {type: array, items: {type: string}}}";
        assertThat(mostCost(list, "self.all(x, self.all(y, self.all(z, x.all(a, a.contains(y[0])))))"))
                .isEqualTo(Long.MAX_VALUE);
    }

    /** By the rules of cel-go: a list costs 10, a map 30, a name 1, a turn of a loop its condition and its step. */
    @ParameterizedTest(name = "{0} costs {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    cel.bind(x, self.s, x.startsWith('a'))                 | 14
                    self.l.all(i, v, v > 0)                                | 53
                    {'a': self.s, 'b': 'x'}.all(k, k != '')                | 41
                    [self.s, 'x'].exists(t, t == self.s)                   | 27
                    self.l.map(x, x + 1).size() > 0                        | 155
                    self.l.filter(x, x > 1).size() > 0                     | 165
                    self.?s.orValue('a') == 'x'                            | 4
                    self.s in ['a', 'b']                                   | 14
                    self.l.exists_one(x, x == 1) ? self.s == 'a' : true    | 37
                    """)
    void each_form_has_its_cost(String rule, long cost) {
        String schema = "{type: object, properties: {s: {type: string, maxLength: 5},"
                + " l: {type: array, maxItems: 10, items: {type: integer}}}}";
        assertThat(mostCost(schema, rule)).isEqualTo(cost);
    }
}
