package io.busbar.sandbox.policy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.policy.Policy.Binding;
import io.busbar.sandbox.status.StatusException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a policy lets a write not pass.
 *
 * <p>Immutable.
 *
 * @param binding null when none of them is to blame
 * @param reason empty for that of the real server
 */
record Refusal(Policy policy, @Nullable Binding binding, String reason, String message) {

    private static final Map<String, Integer> CODES =
            Map.of("Forbidden", 403, "Unauthorized", 401, "RequestEntityTooLarge", 413, "Invalid", 422);

    /** By a policy that refuses: as if the object were invalid, unless it says what it is. */
    StatusException denied(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        String by = binding == null ? "" : " with binding '" + binding.name() + "'";
        String words = "ValidatingAdmissionPolicy '" + policy.name() + "'" + by + " denied request: " + message;
        StatusException forbidden = PolicyChain.forbidden(attributes, object, words);
        String why = reason.isEmpty() ? "Invalid" : reason;
        ObjectNode details = details(forbidden);
        details.putArray("causes").addObject().put("message", words);
        return new StatusException(CODES.getOrDefault(why, 422), why, String.valueOf(forbidden.getMessage()), details);
    }

    /** By policies that could not change an object. */
    static StatusException denied(List<Refusal> refusals, AdmissionAttributes attributes, @Nullable ObjectNode object) {
        ObjectNode details = details(PolicyChain.forbidden(attributes, object, ""));
        ArrayNode causes = details.putArray("causes");
        refusals.forEach(refusal -> causes.addObject().put("message", refusal.words()));
        Refusal first = refusals.get(0);
        return new StatusException(403, first.reason.isEmpty() ? "Forbidden" : first.reason, first.words(), details);
    }

    private String words() {
        return binding == null
                ? "policy \"" + policy.name() + "\" denied request: " + message
                : "policy '" + policy.name() + "' with binding '" + binding.name() + "' denied request: " + message;
    }

    private static ObjectNode details(StatusException refused) {
        return refused.body().path("details") instanceof ObjectNode found
                ? found.deepCopy()
                : refused.body().objectNode();
    }
}
