package io.busbar.sandbox.status;

/**
 * What is wrong with one field.
 *
 * <p>Immutable.
 *
 * @param reason such as {@code FieldValueRequired}
 * @param field its path, such as {@code spec.containers[0].name}
 * @param message without the path
 */
public record FieldCause(String reason, String field, String message) {

    public static FieldCause required(String field, String detail) {
        return new FieldCause(
                "FieldValueRequired", field, detail.isEmpty() ? "Required value" : "Required value: " + detail);
    }

    /** @param value as the real server prints it, quotes included */
    public static FieldCause invalid(String field, String value, String detail) {
        return new FieldCause("FieldValueInvalid", field, "Invalid value: " + value + ": " + detail);
    }

    /** @param value as the real server prints it, quotes included */
    public static FieldCause wrongType(String field, String value, String detail) {
        return new FieldCause("FieldValueTypeInvalid", field, "Invalid value: " + value + ": " + detail);
    }

    public static FieldCause tooLong(String field, int most) {
        return new FieldCause(
                "FieldValueTooLong",
                field,
                "Too long: may not be more than " + most + (most == 1 ? " byte" : " bytes"));
    }

    public static FieldCause tooMany(String field, int actual, int most) {
        return new FieldCause(
                "FieldValueTooMany",
                field,
                "Too many: " + actual + ": must have at most " + most + (most == 1 ? " item" : " items"));
    }

    public static FieldCause unsupported(String field, String value, String supported) {
        return new FieldCause(
                "FieldValueNotSupported", field, "Unsupported value: " + value + ": supported values: " + supported);
    }

    public static FieldCause forbidden(String field, String detail) {
        return new FieldCause("FieldValueForbidden", field, "Forbidden: " + detail);
    }
}
