package io.busbar.sandbox.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.types.SimpleType;
import io.busbar.cel.Environment;
import io.busbar.cel.Expression;
import io.busbar.cel.SchemaTypes;
import io.busbar.cel.StepBudget;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What expressions may call on the API server beside what they may call anywhere, each shown by one that is true. */
class FunctionsTest {

    private static Expression.Outcome evaluate(String text) {
        return new Environment(ServerFunctions.DIALECT, new SchemaTypes().provider(), Map.of("x", SimpleType.DYN))
                .compile(text, SimpleType.BOOL, "no bool")
                .evaluate(Map.of("x", 5L), new StepBudget(StepBudget.OF_OBJECT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "isIP('10.0.0.1') && isCIDR('10.0.0.0/8') && isSemver('1.2.3')",
                "!format.dns1123Label().validate('ok').hasValue() && format.dns1123Label().validate('Not_ok').value().size() == 1",
                "!format.named('uuid').value().validate('123e4567-e89b-12d3-a456-426614174000').hasValue()",
                "!format.named('nonsense').hasValue()",
                "format.uuid().validate('a').value() == ['does not match the UUID format']",
                "format.byte().validate('a').value() == ['invalid base64'] && format.date().validate('a').value() == ['invalid date']",
                "format.datetime().validate('a').value() == ['invalid datetime'] && !format.uri().validate('https://h/x').hasValue()",
                "format.uri().validate('h').value() == ['parse \"h\": invalid URI for request']",
                "!format.dns1123LabelPrefix().validate('a-').hasValue() && format.dns1123LabelPrefix().validate('-').hasValue()",
                "!format.dns1123SubdomainPrefix().validate('a.b.-').hasValue() && !format.dns1035LabelPrefix().validate('a--').hasValue()",
                "isQuantity('1Ki') && x > 4.5"
            })
    void are_there(String expression) {
        Expression.Outcome outcome = evaluate(expression);
        assertThat(outcome.error()).isEmpty();
        assertThat(outcome.value()).isEqualTo(true);
    }
}
