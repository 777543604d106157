package io.busbar.sandbox.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
record SchemaRule(
        String rule,
        String message,
        String messageExpression,
        String reason,
        String fieldPath,
        boolean optionalOldSelf,
        JsonNode source) {

    static SchemaRule of(JsonNode node) {
        return new SchemaRule(
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

    /** An object or a list is not shown. */
    FieldCause broken(String field, JsonNode value, String detail) {
        String shown = value.isContainerNode() ? "" : ": " + GoText.badValue(value);
        return switch (reason) {
            case "FieldValueForbidden" -> FieldCause.forbidden(field, detail);
            case "FieldValueRequired" -> FieldCause.required(field, detail);
            case "FieldValueDuplicate" -> new FieldCause(reason, field, "Duplicate value" + shown);
            default -> new FieldCause("FieldValueInvalid", field, "Invalid value" + shown + ": " + detail);
        };
    }

    /** As an error about it shows it: it has all its parts. */
    JsonNode shownWhole() {
        ObjectNode whole = JsonNodeFactory.instance.objectNode();
        whole.put("Rule", rule).put("Message", message).put("MessageExpression", messageExpression);
        whole.put("Reason", reason.isEmpty() ? null : reason).put("FieldPath", fieldPath);
        return whole.put("OptionalOldSelf", tellsOptionalOldSelf() ? optionalOldSelf : null);
    }
}
