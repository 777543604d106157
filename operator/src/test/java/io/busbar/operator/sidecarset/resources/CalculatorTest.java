package io.busbar.operator.sidecarset.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalculatorTest {

    private static final Map<String, Amount> VARIABLES =
            Map.of("cpu", Amount.quantity("600m"), "memory", Amount.quantity("800Mi"));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cpu*50%                             | 300m
            50%*cpu                             | 300m
            CPU                                 | 600m
            (cpu+20m)*2                         | 1240m
            cpu + 20m * 2                       | 640m
            cpu/3                               | 200m
            max(memory*20%+100Mi,200Mi)         | 260Mi
            min(memory, 200Mi)                  | 200Mi
            Max(1, cpu)                         | 1
            0.5*cpu - 0.3*max(0, cpu-4)         | 300m
            -(-cpu)                             | 600m
            1e3                                 | 1k
            .5                                  | 500m
            memory - memory                     | 0
            """)
    void works_out(String expression, String result) {
        assertThat(Calculator.calculate(expression, VARIABLES).text()).isEqualTo(result);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cpu*cpu           | multiplication of two quantities
            1/cpu             | division by quantity
            cpu/0             | division by zero
            cpu - 1           | calculation result is negative: -400m
            disk*2            | undefined variable: disk
            avg(1,2)          | unknown function: avg
            max(1)            | max function requires exactly 2 arguments
            max(cpu*50%, 50m  | syntax error
            cpu @             | syntax error
            1Xi               | invalid unit 'Xi'
            cpu cpu           | syntax error
            ()                | syntax error
            """)
    void refuses(String expression, String message) {
        assertThatThrownBy(() -> Calculator.calculate(expression, VARIABLES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "-", "max("})
    void survives_an_expression_that_is_nested_without_end(String piece) {
        assertThatThrownBy(() -> Calculator.calculate(piece.repeat(100_000), VARIABLES))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Calculator.calculate(piece.repeat(1024 / piece.length()), VARIABLES))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
