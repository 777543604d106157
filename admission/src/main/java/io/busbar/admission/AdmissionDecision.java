package io.busbar.admission;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;

/**
 * The answer to an admission request. Immutable; methods return a changed copy.
 *
 * <p>Warnings reach the user whatever the decision; each is cut at 256 characters by kubectl's rules of thumb. Audit
 * annotations reach the cluster's audit log, whatever the decision.
 */
public sealed interface AdmissionDecision {

    List<String> warnings();

    AuditAnnotations audit();

    /**
     * Says something to the cluster's audit log.
     *
     * @throws IllegalArgumentException as {@link AuditAnnotations#and} does
     */
    AdmissionDecision audited(String key, String value);

    /** As it is. */
    record Allowed(List<String> warnings, AuditAnnotations audit) implements AdmissionDecision {

        public Allowed(List<String> warnings) {
            this(warnings, AuditAnnotations.none());
        }

        @Override
        public Allowed audited(String key, String value) {
            return new Allowed(warnings, audit.and(key, value));
        }
    }

    /**
     * Allowed with changes.
     *
     * @param patch a JSON Patch (RFC 6902) on the object of the request
     */
    record Patched(ArrayNode patch, List<String> warnings, AuditAnnotations audit) implements AdmissionDecision {

        public Patched(ArrayNode patch, List<String> warnings) {
            this(patch, warnings, AuditAnnotations.none());
        }

        @Override
        public Patched audited(String key, String value) {
            return new Patched(patch, warnings, audit.and(key, value));
        }
    }

    /**
     * Refused.
     *
     * @param code HTTP status, 422 for a validation failure
     * @param reason of the API's Status, such as {@code Invalid} or {@code Forbidden}
     */
    record Denied(
            int code,
            String reason,
            String message,
            List<FieldProblem> causes,
            List<String> warnings,
            AuditAnnotations audit)
            implements AdmissionDecision {

        public Denied(int code, String reason, String message, List<FieldProblem> causes, List<String> warnings) {
            this(code, reason, message, causes, warnings, AuditAnnotations.none());
        }

        @Override
        public Denied audited(String key, String value) {
            return new Denied(code, reason, message, causes, warnings, audit.and(key, value));
        }
    }

    static AdmissionDecision allowed() {
        return new Allowed(List.of());
    }

    static AdmissionDecision forbidden(String message) {
        return new Denied(403, "Forbidden", message, List.of(), List.of());
    }
}
