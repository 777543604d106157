package io.busbar.sandbox.cel;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.GoText;

/**
 * One of the {@code x-kubernetes-validations} of a schema, as written.
 *
 * <p>Immutable. Absent parts are empty.
 *
 * @param reason such as {@code FieldValueForbidden}
 * @param optionalOldSelf whether it holds for new values too, which have no {@code oldSelf}
 */
record Rule(
        String rule,
        String message,
        String messageExpression,
        String reason,
        String fieldPath,
        boolean optionalOldSelf,
        JsonNode source) {

    static Rule of(JsonNode node) {
        return new Rule(
                node.path("rule").asText(""),
                node.path("message").asText(""),
                node.path("messageExpression").asText(""),
                node.path("reason").asText(""),
                node.path("fieldPath").asText(""),
                node.path("optionalOldSelf").asBoolean(),
                node);
    }

    boolean tellsOptionalOldSelf() {
        return source.has("optionalOldSelf");
    }

    /** How an error speaks of it. */
    String shown() {
        return message.isEmpty() ? rule.strip() : message.strip();
    }

    /** What a user is told whose object breaks it. */
    String complaint() {
        return message.isEmpty() ? "failed rule: " + rule.strip() : message.strip();
    }

    /** @param type of the value, which is all that is shown of it */
    FieldCause broken(String field, String type, String detail) {
        return switch (reason) {
            case "FieldValueForbidden" -> FieldCause.forbidden(field, detail);
            case "FieldValueRequired" -> FieldCause.required(field, detail);
            case "FieldValueDuplicate" -> new FieldCause(reason, field, "Duplicate value: " + GoText.quote(type));
            default -> FieldCause.invalid(field, GoText.quote(type), detail);
        };
    }

    /** As Go prints it. */
    String literal() {
        String why = reason.isEmpty()
                ? "(*apiextensions.FieldValueErrorReason)(nil)"
                : "(*apiextensions.FieldValueErrorReason)(0xc000000000)";
        String optional = tellsOptionalOldSelf() ? "(*bool)(0xc000000000)" : "(*bool)(nil)";
        return "apiextensions.ValidationRule{Rule:" + GoText.quote(rule) + ", Message:" + GoText.quote(message)
                + ", MessageExpression:" + GoText.quote(messageExpression) + ", Reason:" + why + ", FieldPath:"
                + GoText.quote(fieldPath) + ", OptionalOldSelf:" + optional + "}";
    }
}
