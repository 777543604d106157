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
}
