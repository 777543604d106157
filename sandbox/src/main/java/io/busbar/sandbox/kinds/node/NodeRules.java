package io.busbar.sandbox.kinds.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.storage.Conditions;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A kubelet tells what its node has as it makes it; what it is of which provider stays. Any thread. */
public final class NodeRules extends BuiltInRules {

    public static final RulesFile RULES =
            RulesFile.beside(NodeRules.class, Map.of(), Map.of("status", NodeRules::status, "roles", NodeRules::roles));

    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    public NodeRules(Facts facts) {
        super(facts);
    }

    /** The old address range is the first of the list. */
    @Override
    protected void fillDefaults(ObjectNode node) {
        if (node.get("spec") instanceof ObjectNode spec) {
            String range = spec.path("podCIDR").asText("");
            JsonNode first = spec.path("podCIDRs").path(0);
            if (!range.isEmpty() && !first.asText("").equals(range)) {
                spec.putArray("podCIDRs").add(range);
            } else if (range.isEmpty() && first.isTextual()) {
                spec.set("podCIDR", first);
            }
        }
    }

    @Override
    protected boolean keepsStatusOfNew() {
        return true;
    }

    @Override
    protected void check(Causes causes, ObjectNode node, @Nullable ObjectNode before, String subresource) {
        if (!subresource.isEmpty()) {
            return;
        }
        JsonNode spec = node.path("spec");
        taints(causes, spec.path("taints"));
        for (int i = 0; i < spec.path("podCIDRs").size(); i++) {
            String range = spec.path("podCIDRs").path(i).asText();
            causes.invalid("spec.podCIDRs[" + i + "]", range, Names.cidr(range));
        }
        if (before != null) {
            // Once more, as the rules for an update do.
            taints(causes, spec.path("taints"));
            stays(causes, "podCIDRs", "podCIDR", spec, before.path("spec"));
            stays(causes, "providerID", "providerID", spec, before.path("spec"));
        }
    }

    private static void stays(Causes causes, String field, String named, JsonNode spec, JsonNode before) {
        JsonNode old = before.path(field);
        boolean given = old.isArray() ? !old.isEmpty() : !old.asText("").isEmpty();
        if (given && !old.equals(spec.path(field))) {
            causes.forbidden("spec." + field, "node updates may not change " + named + " except from \"\" to valid");
        }
    }

    /** Below the metadata: so the real server says. */
    private static void taints(Causes causes, JsonNode taints) {
        Set<List<String>> seen = new HashSet<>();
        for (int i = 0; i < taints.size(); i++) {
            String path = "metadata.taints[" + i + "]";
            JsonNode taint = taints.path(i);
            String key = taint.path("key").asText("");
            String effect = taint.path("effect").asText("");
            causes.invalid(path + ".key", key, Names.qualifiedName(key));
            List<String> complaints = Names.labelValue(taint.path("value").asText(""));
            if (!complaints.isEmpty()) {
                causes.invalid(path + ".value", taint.path("value"), String.join(";", complaints));
            }
            if (effect.isEmpty()) {
                causes.required(path + ".effect", "");
            } else if (!EFFECTS.contains(effect)) {
                causes.unsupported(path + ".effect", taint.path("effect"), EFFECTS);
            }
            if (!seen.add(List.of(key, effect))) {
                causes.add(new FieldCause(
                        "FieldValueDuplicate",
                        path,
                        "Duplicate value: {\"Key\":" + GoText.quote(key) + ",\"Value\":"
                                + GoText.quote(taint.path("value").asText("")) + ",\"Effect\":" + GoText.quote(effect)
                                + ",\"TimeAdded\":null}: taints must be unique by key and effect pair"));
            }
        }
    }

    private static String status(JsonNode node) {
        JsonNode condition = Conditions.find(node.path("status"), "Ready");
        String ready = condition.isMissingNode()
                ? "Unknown"
                : condition.path("status").asText().equals("True") ? "Ready" : "NotReady";
        return node.path("spec").path("unschedulable").asBoolean() ? ready + ",SchedulingDisabled" : ready;
    }

    private static String roles(JsonNode node) {
        String prefix = "node-role.kubernetes.io/";
        List<String> roles = new ArrayList<>();
        node.at("/metadata/labels").fieldNames().forEachRemaining(label -> {
            if (label.startsWith(prefix)) {
                roles.add(label.substring(prefix.length()));
            }
        });
        return String.join(",", roles);
    }
}
