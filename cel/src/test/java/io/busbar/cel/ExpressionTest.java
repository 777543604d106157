package io.busbar.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import io.busbar.cel.CompilationException.Flaw;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class ExpressionTest {

    private final Environment environment = new Environment(
            Dialect.of(new KubernetesLibrary()),
            new SchemaTypes().provider(),
            Map.of("x", SimpleType.DYN, "list", ListType.create(SimpleType.INT)));

    private Expression compiled(String text) {
        return environment.compile(text, type -> "");
    }

    @Test
    void tells_what_it_reads_and_not_what_it_declares() {
        assertThat(compiled("[x.a.b, x.c[0].d].all(y, y == x.e && list.exists(x, x > 1)) && cel.bind(z, 1, z > 0)")
                        .paths())
                .containsExactly("x.a.b", "x.c", "x.e", "list");
        assertThat(environment.names("a.b + [c].map(d, d + e)[0] + lists.range(f)"))
                .containsExactly("a", "c", "e", "lists", "f");
        assertThat(environment.names("a +")).isEmpty();
    }

    @Test
    void tells_each_flaw_with_its_place() {
        Assertions.assertThatThrownBy(() -> compiled("foo +\n  bar"))
                .isInstanceOfSatisfying(
                        CompilationException.class,
                        failure -> assertThat(failure.flaws())
                                .containsExactly(
                                        new Flaw(1, 1, "undeclared reference to 'foo' (in container '')"),
                                        new Flaw(2, 3, "undeclared reference to 'bar' (in container '')")));
    }

    @Test
    void ends_when_it_takes_too_many_steps_or_makes_something_too_large() {
        List<Long> numbers = LongStream.range(0, 1_000).boxed().toList();
        String larger = "cel.bind(a, a + a + a + a, ";
        String growing = "cel.bind(a, 'xxxxxxxxxx', " + larger.repeat(10) + "a" + ")".repeat(11);

        assertThat(compiled(growing)
                        .evaluate(Map.of(), new StepBudget(1_000_000, 100_000))
                        .tooLong())
                .isTrue();
        assertThat(compiled("list.map(a, list.map(b, a + b)).size()")
                        .evaluate(Map.of("list", numbers), new StepBudget(1_000_000, 100_000))
                        .tooLong())
                .isTrue();
        assertThat(compiled("list.map(a, a + 1).filter(a, a > 5).size()")
                        .evaluate(Map.of("list", numbers), new StepBudget(1_000_000, 100_000))
                        .value())
                .isEqualTo(995L);
    }

    /** Each takes little room, as it holds the one before it ten times over. */
    @Test
    void ends_when_lists_in_lists_would_take_long_to_compare_or_to_write() {
        String nested = "cel.bind(a, ['x'], " + "cel.bind(a, [a, a, a, a, a, a, a, a, a, a], ".repeat(8);
        for (String use : List.of("a == a.map(b, b)", "'%s'.format([a])", "a")) {
            assertThat(compiled(nested + use + ")".repeat(9))
                            .evaluateToJson(Map.of(), new StepBudget(1_000_000, 100_000))
                            .error())
                    .as(use)
                    .isEqualTo("operation cancelled: actual cost limit exceeded");
        }
    }

    @Test
    void takes_from_the_budget_of_its_object() {
        StepBudget budget = new StepBudget(5);
        compiled("x + 1 > 2 && x < 9").evaluate(Map.of("x", 4L), budget);

        assertThat(budget.isSpent()).isTrue();
    }

    @Test
    void refuses_a_precision_that_nobody_can_read() {
        assertThat(compiled("'%.1000f'.format([1.0])")
                        .evaluate(Map.of(), new StepBudget(100))
                        .error())
                .endsWith("error while parsing precision: precision 1000 exceeds maximum allowed precision 100");
    }
}
