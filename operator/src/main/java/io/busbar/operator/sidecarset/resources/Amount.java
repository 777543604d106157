package io.busbar.operator.sidecarset.resources;

import io.busbar.operator.sidecarset.hash.CanonicalQuantity;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A value in an expression: a bare number, or a quantity with its unit. Immutable.
 *
 * <p>Quantities are exact to thousandths, as OpenKruise calculates them.
 */
public sealed interface Amount {

    record Bare(double value) implements Amount {}

    record WithUnit(CanonicalQuantity value) implements Amount {}

    /**
     * @throws IllegalArgumentException for what is no quantity
     */
    static Amount quantity(String text) {
        return new WithUnit(CanonicalQuantity.parse(text)
                .orElseThrow(() -> new IllegalArgumentException("not a quantity: '" + text + "'")));
    }

    /** Adds; a number counts as a quantity beside one. The sum is spelled as the first is, unless that is zero. */
    default Amount plus(Amount other) {
        if (this instanceof Bare one && other instanceof Bare two) {
            return new Bare(one.value + two.value);
        }
        CanonicalQuantity one = asQuantity();
        CanonicalQuantity two = other.asQuantity();
        return new WithUnit(
                (one.value().signum() == 0 ? two : one).with(one.value().add(two.value())));
    }

    default Amount negated() {
        return this instanceof Bare bare
                ? new Bare(-bare.value)
                : new WithUnit(asQuantity().with(asQuantity().value().negate()));
    }

    /**
     * @throws IllegalArgumentException for two quantities
     */
    default Amount times(Amount other) {
        if (this instanceof Bare one && other instanceof Bare two) {
            return new Bare(one.value * two.value);
        }
        if (this instanceof Bare factor) {
            return other.times(factor);
        }
        if (other instanceof Bare factor) {
            return scaled(factor.value);
        }
        throw new IllegalArgumentException("multiplication of two quantities");
    }

    /**
     * @throws IllegalArgumentException for a divisor that is a quantity or zero
     */
    default Amount dividedBy(Amount other) {
        if (!(other instanceof Bare divisor)) {
            throw new IllegalArgumentException("division by quantity");
        }
        if (divisor.value == 0) {
            throw new IllegalArgumentException("division by zero");
        }
        return this instanceof Bare bare
                ? new Bare(bare.value / divisor.value)
                : new WithUnit(asQuantity().with(thousandths(milli() / divisor.value)));
    }

    default boolean isLessThan(Amount other) {
        if (this instanceof Bare one && other instanceof Bare two) {
            return one.value < two.value;
        }
        return asQuantity().value().compareTo(other.asQuantity().value()) < 0;
    }

    default boolean isNegative() {
        return this instanceof Bare bare ? bare.value < 0 : asQuantity().value().signum() < 0;
    }

    /** A number as a quantity of that many units. */
    default CanonicalQuantity asQuantity() {
        return this instanceof WithUnit unit
                ? unit.value
                : CanonicalQuantity.decimal(thousandths(((Bare) this).value * 1000));
    }

    /** As the API writes it. */
    default String text() {
        return asQuantity().toString();
    }

    private Amount scaled(double factor) {
        return new WithUnit(asQuantity().with(thousandths(milli() * factor)));
    }

    private double milli() {
        return asQuantity()
                .value()
                .movePointRight(3)
                .setScale(0, RoundingMode.CEILING)
                .doubleValue();
    }

    private static BigDecimal thousandths(double milli) {
        return BigDecimal.valueOf((long) milli, 3);
    }
}
