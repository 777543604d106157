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

    public static FieldCause unsupported(String field, String value, String supported) {
        return new FieldCause(
                "FieldValueNotSupported", field, "Unsupported value: " + value + ": supported values: " + supported);
    }

    public static FieldCause forbidden(String field, String detail) {
        return new FieldCause("FieldValueForbidden", field, "Forbidden: " + detail);
    }
}
