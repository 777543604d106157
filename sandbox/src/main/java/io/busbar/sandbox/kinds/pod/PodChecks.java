package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.rules.Check;
import io.busbar.sandbox.rules.Labels;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is valid of the spec of a Pod, or of a template, beyond the single field. Any thread. */
final class PodChecks {

    static final String SPEC = "core.v1.PodSpec";

    static final List<String> CONTAINERS = List.of("containers", "initContainers", "ephemeralContainers");
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    static final Map<String, Check> ALL = new HashMap<>(Map.ofEntries(
            Map.entry("containerNames", PodChecks::containerNames),
            Map.entry("pullSecrets", PodChecks::pullSecrets),
            Map.entry("hostPorts", PodChecks::hostPorts),
            Map.entry("spreads", PodChecks::spreads),
            Map.entry("toleration", PodChecks::toleration),
            Map.entry("nodeRequirement", PodChecks::nodeRequirement)));

    static {
        ALL.putAll(ContainerChecks.ALL);
        ALL.putAll(PodDefaults.ALL);
    }

    private PodChecks() {}

    static String text(Place place) {
        return place.value().asText();
    }

    private static void containerNames(Place spec) {
        Set<String> names = new HashSet<>();
        for (String list : CONTAINERS) {
            for (Place container : spec.each(list)) {
                Place name = container.field("name");
                if (!name.isBlank() && !names.add(text(name))) {
                    name.duplicate();
                }
            }
        }
    }

    private static void pullSecrets(Place secrets) {
        for (Place secret : secrets.each()) {
            if (secret.value().size() > 1) {
                secret.invalid("only name may be set");
            }
        }
    }

    private static void hostPorts(Place spec) {
        boolean hostNetwork = spec.get("hostNetwork").asBoolean();
        Set<String> taken = new HashSet<>();
        for (Place container : spec.each("containers")) {
            for (Place port : container.each("ports")) {
                Place host = port.field("hostPort");
                if (hostNetwork
                        && host.value().asInt() != port.get("containerPort").asInt()) {
                    host.invalid("must match `containerPort` when `hostNetwork` is true");
                }
                String key = port.text("protocol") + "/" + port.text("hostIP") + "/" + text(host);
                if (host.value().asInt() > 0 && !taken.add(key)) {
                    host.duplicate(GoText.quote(key));
                }
            }
        }
    }

    /** No two constraints of one kind: the first of them is told of. */
    private static void spreads(Place constraints) {
        Map<String, Place> kinds = new HashMap<>();
        for (Place constraint : constraints.each()) {
            String kind = "{" + constraint.text("topologyKey") + ", " + constraint.text("whenUnsatisfiable") + "}";
            Place first = kinds.putIfAbsent(kind, constraint);
            if (first != null) {
                first.field("{topologyKey, whenUnsatisfiable}").duplicate(GoText.quote(kind));
            }
        }
    }

    private static void toleration(Place toleration) {
        String key = toleration.text("key");
        Place operator = toleration.field("operator");
        Place effect = toleration.field("effect");
        if (!key.isEmpty()) {
            toleration.field("key").invalid(Names.qualifiedName(key));
        } else if (!text(operator).equals("Exists")) {
            operator.invalid(
                    GoText.quote(text(operator)),
                    "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
        }
        if (toleration.get("tolerationSeconds").isNumber() && !text(effect).equals("NoExecute")) {
            effect.invalid(GoText.quote(text(effect)), "effect must be 'NoExecute' when `tolerationSeconds` is set");
        }
        switch (text(operator)) {
            case "", "Equal" -> {
                List<String> complaints = Names.labelValue(toleration.text("value"));
                if (!complaints.isEmpty()) {
                    operator.invalid(GoText.quote(toleration.text("value")), String.join(";", complaints));
                }
            }
            case "Exists" -> {
                if (!toleration.field("value").isBlank()) {
                    operator.invalid(
                            GoText.quote(toleration.text("value")), "value must be empty when `operator` is 'Exists'");
                }
            }
            default -> operator.unsupported(List.of("Equal", "Exists"));
        }
        if (!effect.isBlank() && !EFFECTS.contains(text(effect))) {
            effect.unsupported(EFFECTS);
        }
    }

    private static void nodeRequirement(Place requirement) {
        Place values = requirement.field("values");
        boolean byField = requirement.path().contains(".matchFields[");
        if (byField) {
            fieldRequirement(requirement, values);
            return;
        }
        if (List.of("Gt", "Lt").contains(requirement.text("operator"))) {
            if (values.value().size() != 1) {
                values.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
            }
        } else {
            Labels.operator(requirement);
        }
        requirement
                .field("key")
                .invalid(GoText.quote(requirement.text("key")), Names.qualifiedName(requirement.text("key")));
        if (requirement.path().contains("requiredDuring")) {
            values.each().forEach(value -> value.invalid(Names.labelValue(text(value))));
        }
    }

    private static void fieldRequirement(Place requirement, Place values) {
        Place operator = requirement.field("operator");
        if (!List.of("In", "NotIn").contains(text(operator))) {
            operator.invalid("not a valid selector operator");
        } else if (values.value().size() != 1) {
            values.required("must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
        }
        if (!requirement.text("key").equals("metadata.name")) {
            requirement.field("key").invalid("not a valid field selector key");
        }
    }

    /** The names of a Pod's volumes; of a stateful set's Pod those of its claims as well. */
    static Set<String> volumes(Place inside) {
        Set<String> names = new HashSet<>();
        Place spec = inside.within(SPEC);
        for (JsonNode volume : spec == null ? List.<JsonNode>of() : spec.get("volumes")) {
            names.add(volume.path("name").asText());
        }
        for (JsonNode claim : inside.root().value().at("/spec/volumeClaimTemplates")) {
            names.add(claim.at("/metadata/name").asText());
        }
        return names;
    }
}
