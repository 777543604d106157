package io.busbar.admission;

/**
 * What is wrong with one field, in the words of apimachinery's {@code field.Error}.
 *
 * <p>Immutable.
 *
 * @param path such as {@code spec.containers[0].image}
 * @param value the bad value as it should be shown; empty for none
 * @param detail for people
 */
public record FieldProblem(Type type, String path, String value, String detail) {

    /** The type of a cause, with the words that stand before the value. */
    public enum Type {
        REQUIRED("FieldValueRequired", "Required value"),
        INVALID("FieldValueInvalid", "Invalid value"),
        DUPLICATE("FieldValueDuplicate", "Duplicate value"),
        NOT_SUPPORTED("FieldValueNotSupported", "Unsupported value"),
        FORBIDDEN("FieldValueForbidden", "Forbidden"),
        NOT_FOUND("FieldValueNotFound", "Not found"),
        TOO_LONG("FieldValueTooLong", "Too long");

        private final String causeReason;
        private final String words;

        Type(String causeReason, String words) {
            this.causeReason = causeReason;
            this.words = words;
        }

        /** The {@code reason} of a cause in {@code status.details.causes}. */
        public String causeReason() {
            return causeReason;
        }
    }

    public static FieldProblem required(String path, String detail) {
        return new FieldProblem(Type.REQUIRED, path, "", detail);
    }

    public static FieldProblem invalid(String path, Object value, String detail) {
        return new FieldProblem(Type.INVALID, path, String.valueOf(value), detail);
    }

    public static FieldProblem duplicate(String path, Object value) {
        return new FieldProblem(Type.DUPLICATE, path, String.valueOf(value), "");
    }

    public static FieldProblem notSupported(String path, Object value, String allowed) {
        return new FieldProblem(Type.NOT_SUPPORTED, path, String.valueOf(value), "supported values: " + allowed);
    }

    public static FieldProblem forbidden(String path, String detail) {
        return new FieldProblem(Type.FORBIDDEN, path, "", detail);
    }

    public static FieldProblem notFound(String path, Object value) {
        return new FieldProblem(Type.NOT_FOUND, path, String.valueOf(value), "");
    }

    /** Without the path, as a cause's message: {@code Invalid value: "x": must be …}. */
    public String message() {
        String shown = value.isEmpty() ? type.words : type.words + ": \"" + value + "\"";
        return detail.isEmpty() ? shown : shown + ": " + detail;
    }

    /** With the path, as in the message of a Status. */
    @Override
    public String toString() {
        return path + ": " + message();
    }
}
