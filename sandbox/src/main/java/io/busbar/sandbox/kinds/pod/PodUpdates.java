package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.GoText;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What of a Pod's spec may change once it is there. Any thread. */
final class PodUpdates {

    private static final String WORDS =
            "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
                    + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
                    + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

    private PodUpdates() {}

    static void check(Causes causes, JsonNode spec, JsonNode before) {
        for (String list : List.of("containers", "initContainers")) {
            for (int i = 0; i < spec.path(list).size(); i++) {
                if (spec.path(list).path(i).path("image").asText().isEmpty()) {
                    causes.required("spec." + list + "[" + i + "].image", "");
                }
            }
        }
        boolean same = true;
        for (String list : List.of("containers", "initContainers")) {
            if (spec.path(list).size() != before.path(list).size()) {
                causes.forbidden("spec." + list, "pod updates may not add or remove containers");
                same = false;
            }
        }
        if (!same) {
            return;
        }
        JsonNode deadline = spec.path("activeDeadlineSeconds");
        JsonNode deadlineBefore = before.path("activeDeadlineSeconds");
        if (deadlineBefore.isNumber() && !deadline.isNumber()) {
            causes.add(FieldCause.invalid(
                    "spec.activeDeadlineSeconds", "null", "must not update from a positive integer to nil value"));
            return;
        }
        if (deadlineBefore.isNumber() && deadline.asLong() > deadlineBefore.asLong()) {
            causes.invalid("spec.activeDeadlineSeconds", deadline, "must be less than or equal to previous value");
            return;
        }
        for (JsonNode toleration : before.path("tolerations")) {
            if (!contains(spec.path("tolerations"), toleration)) {
                causes.forbidden(
                        "spec.tolerations", "existing toleration can not be modified except its tolerationSeconds");
                return;
            }
        }
        gates(causes, spec.path("schedulingGates"), before.path("schedulingGates"));
        if (spec instanceof ObjectNode after && before instanceof ObjectNode old) {
            ObjectNode wanted = fixed(after);
            ObjectNode had = fixed(old);
            if (before.path("terminationGracePeriodSeconds").asLong() < 0
                    && spec.path("terminationGracePeriodSeconds").asLong() == 1) {
                wanted.set("terminationGracePeriodSeconds", had.get("terminationGracePeriodSeconds"));
            }
            if (!before.path("schedulingGates").isEmpty()) {
                GatedPods.narrow(causes, wanted, had);
            }
            if (!wanted.equals(had)) {
                causes.forbidden("spec", WORDS);
            }
        }
    }

    /** They are taken away, one or all, and never put up. */
    private static void gates(Causes causes, JsonNode gates, JsonNode before) {
        Set<String> known = new HashSet<>();
        before.forEach(gate -> known.add(gate.path("name").asText()));
        for (int i = 0; i < gates.size(); i++) {
            String name = gates.path(i).path("name").asText();
            if (!known.contains(name)) {
                causes.forbidden(
                        "spec.schedulingGates[" + i + "].name",
                        "only deletion is allowed, but found new scheduling gate '" + name + "'");
            }
        }
    }

    /** What is there of ephemeral containers stays as it is. */
    static void checkEphemeral(Causes causes, JsonNode spec, JsonNode before) {
        for (JsonNode old : before.path("ephemeralContainers")) {
            String name = GoText.quote(old.path("name").asText());
            JsonNode now = null;
            for (JsonNode container : spec.path("ephemeralContainers")) {
                now = container.path("name").equals(old.path("name")) ? container : now;
            }
            if (now == null) {
                causes.forbidden(
                        "spec.ephemeralContainers", "existing ephemeral containers " + name + " may not be removed\n");
            } else if (!now.equals(old)) {
                causes.forbidden(
                        "spec.ephemeralContainers", "existing ephemeral containers " + name + " may not be changed\n");
            }
        }
    }

    private static ObjectNode fixed(ObjectNode spec) {
        ObjectNode fixed = spec.deepCopy();
        fixed.remove(List.of("activeDeadlineSeconds", "tolerations", "schedulingGates"));
        for (String list : List.of("containers", "initContainers")) {
            Fields.each(fixed.path(list), container -> container.remove("image"));
        }
        return fixed;
    }

    private static boolean contains(JsonNode tolerations, JsonNode wanted) {
        for (JsonNode toleration : tolerations) {
            if (withoutSeconds(toleration).equals(withoutSeconds(wanted))) {
                return true;
            }
        }
        return false;
    }

    private static JsonNode withoutSeconds(JsonNode toleration) {
        return toleration instanceof ObjectNode object ? object.deepCopy().without("tolerationSeconds") : toleration;
    }
}
