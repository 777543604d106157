package io.busbar.sandbox.cel;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import io.busbar.sandbox.cel.Overloads.Kind;
import io.busbar.sandbox.syntax.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.IntPredicate;

/** {@code quantity}, {@code isQuantity}, and how quantities are compared and added up. Any thread. */
final class QuantityFunctions {

    private static final Kind QUANTITY = new Kind(OpaqueType.create("kubernetes.Quantity"), BigDecimal.class);

    private QuantityFunctions() {}

    static void addTo(Overloads overloads) {
        overloads.global(
                "quantity", QUANTITY.type(), List.of(ParameterKinds.TEXT), arguments -> parse((String) arguments[0]));
        overloads.global(
                "isQuantity",
                SimpleType.BOOL,
                List.of(ParameterKinds.TEXT),
                arguments -> Quantity.parse((String) arguments[0]).isPresent());
        overloads.member("sign", SimpleType.INT, List.of(QUANTITY), arguments ->
                (long) of(arguments[0]).signum());
        overloads.member("isInteger", SimpleType.BOOL, List.of(QUANTITY), arguments -> isInteger(of(arguments[0])));
        overloads.member("asInteger", SimpleType.INT, List.of(QUANTITY), arguments -> {
            if (!isInteger(of(arguments[0]))) {
                throw new CelEvaluationException("cannot convert value to integer");
            }
            return of(arguments[0]).longValueExact();
        });
        overloads.member(
                "asApproximateFloat",
                SimpleType.DOUBLE,
                List.of(QUANTITY),
                arguments -> of(arguments[0]).doubleValue());
        overloads.member("compareTo", SimpleType.INT, List.of(QUANTITY, QUANTITY), arguments ->
                (long) of(arguments[0]).compareTo(of(arguments[1])));
        order(overloads, "isLessThan", order -> order < 0);
        order(overloads, "isGreaterThan", order -> order > 0);
        sum(overloads, "add", BigDecimal::add);
        sum(overloads, "sub", BigDecimal::subtract);
    }

    private static void order(Overloads overloads, String name, IntPredicate wanted) {
        overloads.member(
                name,
                SimpleType.BOOL,
                List.of(QUANTITY, QUANTITY),
                arguments -> wanted.test(of(arguments[0]).compareTo(of(arguments[1]))));
    }

    private static void sum(Overloads overloads, String name, BinaryOperator<BigDecimal> operation) {
        overloads.member(
                name,
                QUANTITY.type(),
                List.of(QUANTITY, QUANTITY),
                arguments -> canonical(operation.apply(of(arguments[0]), of(arguments[1]))));
        overloads.member(
                name,
                QUANTITY.type(),
                List.of(QUANTITY, ParameterKinds.WHOLE),
                arguments -> canonical(operation.apply(of(arguments[0]), BigDecimal.valueOf((Long) arguments[1]))));
    }

    private static BigDecimal parse(String text) throws CelEvaluationException {
        return Quantity.parse(text)
                .map(quantity -> canonical(quantity.value()))
                .orElseThrow(() -> new CelEvaluationException(
                        "quantities must match the regular expression '" + Quantity.EXPRESSION + "'"));
    }

    /** Equal amounts are equal values. */
    private static BigDecimal canonical(BigDecimal value) {
        return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    }

    private static boolean isInteger(BigDecimal value) {
        return value.scale() <= 0 && value.toBigInteger().bitLength() < Long.SIZE;
    }

    private static BigDecimal of(Object argument) {
        return (BigDecimal) argument;
    }
}
