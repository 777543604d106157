package io.busbar.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.types.SimpleType;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts that CEL for Go makes of values, each as its own tests have them, or as they follow from its source. */
class TextOfValuesTest {

    private static Expression.Outcome evaluate(String text) {
        return new Environment(
                        Dialect.of(new KubernetesLibrary()), new SchemaTypes().provider(), Map.of("x", SimpleType.DYN))
                .compile(text, SimpleType.STRING, "no string")
                .evaluate(Map.of("x", 25.0), new StepBudget(StepBudget.OF_OBJECT));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "string(25.0) | 25",
                "string(x) + '%' | 25%",
                "string(0.1) | 0.1",
                "string(-0.0) | -0",
                "string(123456.0) | 123456",
                "string(1234567.0) | 1.234567e+06",
                "string(123456789.0) | 1.23456789e+08",
                "string(0.0001) | 0.0001",
                "string(0.00001) | 1e-05",
                "string(1e21) | 1e+21",
                "string(2.2e-322) | 2.2e-322",
                "string(double('NaN')) | NaN",
                "string(1.0 / 0.0) | +Inf",
                "string(-1.0 / 0.0) | -Inf",
                "string(duration('1h30m')) | 5400s",
                "string(duration('1.5s')) | 1.5s",
                "string(duration('-2ns')) | -0.000000002s",
                "string(dyn(duration('1.5s'))) | 1.5s",
                "string(timestamp('2023-02-03T23:31:20.5+00:00')) | 2023-02-03T23:31:20.5Z",
                "string(timestamp('2023-02-03T23:31:00Z')) | 2023-02-03T23:31:00Z",
                "string(dyn(1)) + string(dyn('a')) + string(dyn(true)) + string(dyn(2u)) | 1atrue2"
            })
    void is_made_by_string_as_in_go(String expression, String text) {
        Expression.Outcome outcome = evaluate(expression);
        assertThat(outcome.error()).isEmpty();
        assertThat(outcome.value()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'%%%s%%'.format(['text']) | %text%",
                "'%s %s %s'.format([25.0, 1e21, 0.000000002]) | 25 1000000000000000000000 0.000000002",
                "'%s'.format([[double('NaN'), 1.0 / 0.0, -1.0 / 0.0]]) | [NaN, Infinity, -Infinity]",
                "'%d %d %d %d'.format([1, 3u, 2.5, 18446744073709551615u]) | 1 3 2.5 18446744073709551615",
                "'%.3f + %.2f + %.1f + %.0f'.format([1.2345, 1u, 1.25, -2]) | 1.234 + 1.00 + 1.2 + -2",
                "string('%.100f'.format([0.0]).size()) | 102",
                "'%f %f %f'.format([2.71828, 1e21, -0.0]) | 2.718280 1000000000000000000000.000000 -0.000000",
                "'%.6e %.4e %.5e %e'.format([1052.032911275, 1052u, 1052, 0.0]) | 1.052033e+03 1.0520e+03 1.05200e+03 0.000000e+00",
                "'%.7e'.format([0.0]) | 0.0000000e+00",
                "'%.2e %.1e'.format([0.000012345, -9.96]) | 1.23e-05 -1.0e+01",
                "'%f %e %d'.format([1.0 / 0.0, double('NaN'), -1.0 / 0.0]) | Infinity NaN -Infinity",
                "'%b %b %b %b'.format([-5, 64u, true, false]) | -101 1000000 1 0",
                "'%o %o'.format([-11, 65535u]) | -13 177777",
                "'%x %X %x'.format([-30, 6000u, 500u]) | -1e 1770 1f4",
                "'%x %X'.format(['Hi!', b'\\x00z']) | 486921 007A",
                "'%s %s %s %s'.format([null, true, 999999999999, 7u]) | null true 999999999999 7",
                "'%s'.format([b'xyz']) | xyz",
                "'%s %s %s'.format([type('a'), type(1), type([1])]) | string int list",
                "'%s'.format([type(duration('1s'))]) | google.protobuf.Duration",
                "'%s'.format([timestamp('2023-02-03T23:31:20.5+01:00')]) | 2023-02-03T22:31:20.5Z",
                "'%s %s %s'.format([duration('1h45m47s'), duration('2ns'), duration('90s')]) | 6347s 0.000000002s 90s",
                "'%s'.format([['abc', 3.14, null, [9, 8], timestamp('2023-02-03T23:31:20Z')]]) | [abc, 3.14, null, [9, 8], 2023-02-03T23:31:20Z]",
                "'%s'.format([{'key1': b'xyz', 'key5': null, 'key2': duration('2h'), 'key4': true, 'key3': 2.71828}]) "
                        + "| {key1: xyz, key2: 7200s, key3: 2.71828, key4: true, key5: null}",
                "'%s'.format([{1: 'value1', uint(2): 'value2', true: double('NaN')}]) | {1: value1, 2: value2, true: NaN}",
                "'%s %s'.format(['a', '$1']) + '%s\\n'.format(['b']).trim() | a $1b"
            })
    void is_formatted_as_in_go(String expression, String text) {
        is_made_by_string_as_in_go(expression, text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'%a'.format([1]) | could not parse formatting clause: unrecognized formatting clause \"a\"",
                "'%5d'.format([1]) | could not parse formatting clause: unrecognized formatting clause \"5\"",
                "'%E'.format([0.5]) | could not parse formatting clause: unrecognized formatting clause \"E\"",
                "'%d %d %d'.format([0, 1]) | index 2 out of range",
                "'filler %'.format([]) | unexpected end of string",
                "'%.34'.format([5.0]) "
                        + "| could not parse formatting clause: error while parsing precision: could not find end of precision specifier",
                "'%.9999999999f'.format([3.14]) "
                        + "| could not parse formatting clause: error while parsing precision: precision 9999999999 exceeds maximum allowed precision 100",
                "'%b'.format(['abc']) "
                        + "| error during formatting: only ints, uints, and bools can be formatted as binary, was given string",
                "'%d'.format([duration('30m2s')]) "
                        + "| error during formatting: decimal clause can only be used on ints, uints, and doubles, was given google.protobuf.Duration",
                "'%o'.format(['a']) "
                        + "| error during formatting: octal clause can only be used on ints and uints, was given string",
                "'%x'.format([0.5]) "
                        + "| error during formatting: only ints, uints, bytes, and strings can be formatted as hex, was given double",
                "'%e'.format([null]) "
                        + "| error during formatting: scientific clause can only be used on ints, uints, and doubles, was given null_type",
                "'%f'.format([true]) "
                        + "| error during formatting: fixed-point clause can only be used on ints, uints, and doubles, was given bool",
                "'%s'.format([quantity('1')]) "
                        + "| error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given an object"
            })
    void is_refused_in_the_words_of_go(String expression, String error) {
        assertThat(evaluate(expression).error()).isEqualTo(error);
    }
}
