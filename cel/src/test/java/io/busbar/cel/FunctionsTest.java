package io.busbar.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.types.SimpleType;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What expressions may call, each shown by one that is true. */
class FunctionsTest {

    private static Expression.Outcome evaluate(String text) {
        return new Environment(
                        Dialect.of(new KubernetesLibrary()), new SchemaTypes().provider(), Map.of("x", SimpleType.DYN))
                .compile(text, SimpleType.BOOL, "no bool")
                .evaluate(Map.of("x", 5L), new StepBudget(StepBudget.OF_OBJECT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1, 2, 3].isSorted() && !['b', 'a'].isSorted()",
                "[1, 2, 3].sum() == 6 && [1.5, 2.5].sum() == 4.0",
                "[3, 1, 2].min() == 1 && ['a', 'c'].max() == 'c'",
                "[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(7) == -1",
                "'abc 123'.find('[0-9]+') == '123' && 'abc'.find('[0-9]+') == ''",
                "'1 22 333'.findAll('[0-9]+') == ['1', '22', '333'] && '1 22 333'.findAll('[0-9]+', 2).size() == 2",
                "'%s is %d, %.1f, %x, 100%%'.format(['a', 7, 1.25, 255]) == 'a is 7, 1.2, ff, 100%'",
                "'%s'.format([[1, 'a']]) == '[1, a]'",
                "'%x %X'.format(['hi', b'\\xab']) == '6869 AB'",
                "url('https://user@host.io:8080/a%20b?q=1&q=2').getHost() == 'host.io:8080'",
                "url('https://[::1]:80/').getHostname() == '::1' && url('https://h/').getPort() == ''",
                "url('https://h/a%20b?q=1&q=2').getEscapedPath() == '/a%20b' && url('https://h/?q=1&q=2').getQuery()['q'].size() == 2",
                "isURL('https://h/x') && isURL('/x') && !isURL('x') && url('https://h').getScheme() == 'https'",
                "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('500m').isLessThan(quantity('1'))",
                "quantity('1') == quantity('1000m') && quantity('1k').asInteger() == 1000 && !quantity('1m').isInteger()",
                "quantity('1').add(quantity('500m')).compareTo(quantity('1.5')) == 0 && quantity('5').sub(2) == quantity('3')",
                "isQuantity('1Ki') && !isQuantity('1Kx') && quantity('-1').sign() == -1",
                "'a,b'.split(',').size() == 2 && ' x '.trim() == 'x' && 'abc'.substring(1) == 'bc' && 'AbC'.lowerAscii() == 'abc'",
                "sets.contains([1, 2], [2]) && sets.intersects([1], [1, 2]) && sets.equivalent([1, 2], [2, 1])",
                "optional.of(1).hasValue() && {'a': 1}[?'b'].orValue(2) == 2",
                "cel.bind(a, 2, a + a) == 4 && [5, 6].all(i, v, v == i + 5)",
                "x > 4.5 && dyn(5) == 5.0"
            })
    void are_there(String expression) {
        Expression.Outcome outcome = evaluate(expression);
        assertThat(outcome.error()).isEmpty();
        assertThat(outcome.value()).isEqualTo(true);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'a': 1}['b'] == x | no such key: b",
                "[1][7] == x | index out of bounds: 7",
                "x / 0 == 1 | division by zero",
                "x + 'a' == 'b' | no such overload",
                "9223372036854775807 + x > 0 | integer overflow",
                "quantity('no') == quantity('1') | quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
                "[1].filter(i, i > 1).max() == 1 | max called on empty list"
            })
    void fail_in_the_words_of_the_real_server(String expression, String error) {
        assertThat(evaluate(expression).error()).isEqualTo(error);
    }
}
