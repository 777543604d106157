package io.busbar.admission;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;

/**
 * The answer to an admission request. Immutable.
 *
 * <p>Warnings reach the user whatever the decision; each is cut at 256 characters by kubectl's rules of thumb.
 */
public sealed interface AdmissionDecision {

    List<String> warnings();

    /** As it is. */
    record Allowed(List<String> warnings) implements AdmissionDecision {}

    /**
     * Allowed with changes.
     *
     * @param patch a JSON Patch (RFC 6902) on the object of the request
     */
    record Patched(ArrayNode patch, List<String> warnings) implements AdmissionDecision {}

    /**
     * Refused.
     *
     * @param code HTTP status, 422 for a validation failure
     * @param reason of the API's Status, such as {@code Invalid} or {@code Forbidden}
     */
    record Denied(int code, String reason, String message, List<FieldProblem> causes, List<String> warnings)
            implements AdmissionDecision {}

    static AdmissionDecision allowed() {
        return new Allowed(List.of());
    }

    static AdmissionDecision forbidden(String message) {
        return new Denied(403, "Forbidden", message, List.of(), List.of());
    }
}
