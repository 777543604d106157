package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.cel.GoValues;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.GoText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks a number against the limits of a schema.
 *
 * <p>One thread, once. As the API server does, it compares a whole number with the whole part of a limit.
 */
final class NumberCheck {

    private static final BigDecimal INT32 = BigDecimal.valueOf(Integer.MAX_VALUE);
    private static final BigDecimal INT64 = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final BigDecimal UINT32 = BigDecimal.valueOf(0xffff_ffffL);
    private static final BigDecimal UINT64 =
            new BigDecimal(BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE));

    private final String path;
    private final JsonNode value;
    private final StructuralSchema schema;
    private final List<FieldCause> causes = new ArrayList<>();

    private NumberCheck(String path, JsonNode value, StructuralSchema schema) {
        this.path = path;
        this.value = value;
        this.schema = schema;
    }

    static List<FieldCause> of(String path, JsonNode value, StructuralSchema schema) {
        NumberCheck check = new NumberCheck(path, value, schema);
        Constraints constraints = schema.constraints();
        check.inRange("Checked value", value.decimalValue());
        check.multiple(constraints.multipleOf());
        check.limit("Maximum boundary value", constraints.maximum(), constraints.exclusiveMaximum(), 1, "less");
        check.limit("Minimum boundary value", constraints.minimum(), constraints.exclusiveMinimum(), -1, "greater");
        return check.causes;
    }

    /** Whether a number is one of the schema's type and format. */
    private boolean inRange(String what, BigDecimal number) {
        String format = schema.constraints().format();
        boolean fits = !schema.type().equals("integer") || isOf(format, number);
        if (!fits) {
            causes.add(Validation.ofNoField(what + " must be of type integer "
                    + (format.isEmpty() ? "(default format)" : "with format " + format) + " in " + path));
        }
        return fits;
    }

    private static boolean isOf(String format, BigDecimal number) {
        boolean unsigned = format.startsWith("uint");
        BigDecimal most = switch (format) {
            case "int32" -> INT32;
            case "uint32" -> UINT32;
            case "uint64" -> UINT64;
            default -> INT64;
        };
        BigDecimal least = unsigned ? BigDecimal.ZERO : most.negate().subtract(BigDecimal.ONE);
        return number.stripTrailingZeros().scale() <= 0 && number.compareTo(least) >= 0 && number.compareTo(most) <= 0;
    }

    private void multiple(@Nullable BigDecimal factor) {
        if (factor == null) {
            return;
        }
        BigDecimal divisor = inRange("MultipleOf value", factor) ? comparable(factor) : factor;
        if (divisor.signum() <= 0) {
            String text = shown(divisor);
            causes.add(FieldCause.invalid(
                    path, text, "factor MultipleOf declared for " + path + " must be positive: " + text));
        } else if (value.decimalValue().remainder(divisor).signum() != 0) {
            complain("should be a multiple of " + shown(divisor));
        }
    }

    /** @param beyond the sign of what a value beyond the limit is to it */
    private void limit(String what, @Nullable BigDecimal limit, boolean exclusive, int beyond, String word) {
        if (limit == null) {
            return;
        }
        BigDecimal compared = inRange(what, limit) ? comparable(limit) : limit;
        int comparison = value.decimalValue().compareTo(compared);
        if (Integer.signum(comparison) == beyond || (exclusive && comparison == 0)) {
            complain("should be " + word + " than " + (exclusive ? "" : "or equal to ") + shown(compared));
        }
    }

    private BigDecimal comparable(BigDecimal limit) {
        return isWhole() ? new BigDecimal(limit.toBigInteger()) : limit;
    }

    private boolean isWhole() {
        return value.isIntegralNumber() && value.canConvertToLong();
    }

    private String shown(BigDecimal number) {
        return isWhole() ? number.toPlainString() : GoValues.text(number);
    }

    private void complain(String what) {
        causes.add(FieldCause.invalid(path, GoText.badValue(value), path + " in body " + what));
    }
}
