package io.busbar.cel;

import dev.cel.common.types.OpaqueType;
import dev.cel.runtime.CelEvaluationException;
import java.math.BigDecimal;
import java.util.function.BinaryOperator;

/** {@code quantity}, {@code isQuantity}, and how quantities are compared and added up. Any thread. */
final class QuantityFunctions {

    private QuantityFunctions() {}

    static void addTo(KubernetesLibrary overloads) {
        overloads.type("Quantity", OpaqueType.create("kubernetes.Quantity"), BigDecimal.class);
        overloads.global("Quantity quantity(string)", QuantityFunctions::parse);
        overloads.global(
                "bool isQuantity(string)", (String text) -> Quantity.parse(text).isPresent());
        overloads.member("int sign(Quantity)", (BigDecimal value) -> (long) value.signum());
        overloads.member("bool isInteger(Quantity)", QuantityFunctions::isInteger);
        overloads.member("int asInteger(Quantity)", (BigDecimal value) -> {
            if (!isInteger(value)) {
                throw new CelEvaluationException("cannot convert value to integer");
            }
            return value.longValueExact();
        });
        overloads.member("double asApproximateFloat(Quantity)", BigDecimal::doubleValue);
        overloads.member(
                "int compareTo(Quantity, Quantity)", (BigDecimal one, BigDecimal other) -> (long) one.compareTo(other));
        overloads.member(
                "bool isLessThan(Quantity, Quantity)", (BigDecimal one, BigDecimal other) -> one.compareTo(other) < 0);
        overloads.member(
                "bool isGreaterThan(Quantity, Quantity)",
                (BigDecimal one, BigDecimal other) -> one.compareTo(other) > 0);
        sum(overloads, "add", BigDecimal::add);
        sum(overloads, "sub", BigDecimal::subtract);
    }

    private static void sum(KubernetesLibrary overloads, String name, BinaryOperator<BigDecimal> operation) {
        overloads.member(
                "Quantity " + name + "(Quantity, Quantity)",
                (BigDecimal one, BigDecimal other) -> canonical(operation.apply(one, other)));
        overloads.member(
                "Quantity " + name + "(Quantity, int)",
                (BigDecimal one, Long other) -> canonical(operation.apply(one, BigDecimal.valueOf(other))));
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
}
