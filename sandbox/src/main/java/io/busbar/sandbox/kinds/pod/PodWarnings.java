package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is allowed in a Pod, or in a template of Pods, and still most likely a mistake. Any thread. */
public final class PodWarnings {

    private PodWarnings() {}

    /** @param path of the spec, such as {@code spec.template.spec} */
    public static List<String> of(JsonNode spec, String path) {
        List<String> warnings = new ArrayList<>();
        if (spec.path("terminationGracePeriodSeconds").asLong() < 0) {
            warnings.add(
                    path
                            + ".terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1");
        }
        pullSecrets(warnings, path + ".imagePullSecrets", spec.path("imagePullSecrets"));
        for (String list : List.of("initContainers", "containers")) {
            for (int i = 0; i < spec.path(list).size(); i++) {
                container(
                        warnings,
                        path + "." + list + "[" + i + "]",
                        spec.path(list).path(i));
            }
        }
        return warnings;
    }

    /** Of the Pods that an object makes, when what it says of them is new. */
    public static List<String> ofTemplate(ObjectNode object, @Nullable ObjectNode before) {
        JsonNode template = object.path("spec").path("template");
        boolean same = before != null && before.path("spec").path("template").equals(template);
        return same ? List.of() : of(template.path("spec"), "spec.template.spec");
    }

    private static void pullSecrets(List<String> warnings, String path, JsonNode secrets) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < secrets.size(); i++) {
            String name = secrets.path(i).path("name").asText();
            if (name.isEmpty()) {
                warnings.add(path + "[" + i + "].name: invalid empty name " + GoText.quote(name));
            } else if (!names.add(name)) {
                warnings.add(path + "[" + i + "].name: duplicate name " + GoText.quote(name));
            }
        }
    }

    private static void container(List<String> warnings, String path, JsonNode container) {
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < container.path("env").size(); i++) {
            String name = container.path("env").path(i).path("name").asText();
            String at = path + ".env[" + i + "]";
            if (variables.put(name, at) != null) {
                warnings.add(at + ": hides previous definition of " + GoText.quote(name)
                        + ", which may be dropped when using apply");
            }
        }
        Map<List<JsonNode>, String> ports = new HashMap<>();
        for (int i = 0; i < container.path("ports").size(); i++) {
            JsonNode port = container.path("ports").path(i);
            String at = path + ".ports[" + i + "]";
            String first = ports.putIfAbsent(
                    List.of(
                            port.path("containerPort"),
                            port.path("protocol"),
                            port.path("hostPort"),
                            port.path("hostIP")),
                    at);
            if (first != null) {
                warnings.add(at + ": duplicate port definition with " + first);
            }
        }
        for (String kind : List.of("limits", "requests")) {
            for (Map.Entry<String, JsonNode> amount :
                    container.path("resources").path(kind).properties()) {
                boolean bytes = List.of("memory", "ephemeral-storage").contains(amount.getKey());
                if (bytes && amount.getValue().asText().endsWith("m")) {
                    warnings.add(path + ".resources." + kind + "[" + amount.getKey() + "]: fractional byte value "
                            + GoText.quote(amount.getValue().asText()) + " is invalid, must be an integer");
                }
            }
        }
    }
}
