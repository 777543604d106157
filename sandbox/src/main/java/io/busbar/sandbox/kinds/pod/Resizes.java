package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.status.Causes;
import java.util.List;

/**
 * The subresource {@code resize}: cpu and memory of the containers of a Pod that is there, and nothing else. Any
 * thread.
 */
final class Resizes {

    private static final List<String> LISTS = List.of("containers", "initContainers");
    private static final List<String> RESIZED = List.of("resources", "resizePolicy");
    private static final String MIRROR = "kubernetes.io/config.mirror";

    private Resizes() {}

    /** The spec before, with what a resize may change; as it is when containers came, went or changed places. */
    static JsonNode merged(JsonNode spec, JsonNode before) {
        ObjectNode merged = before.deepCopy();
        for (String list : LISTS) {
            for (int i = 0; i < spec.path(list).size(); i++) {
                if (!sameOrder(spec.path(list), before.path(list))) {
                    return spec;
                }
                ObjectNode container = (ObjectNode) merged.path(list).get(i);
                for (String field : RESIZED) {
                    Fields.restore(container, spec.path(list).path(i), field);
                }
            }
        }
        return merged;
    }

    /** Of a spec whose types are found valid, or not, already. */
    static void check(Causes causes, ObjectNode pod, ObjectNode before) {
        JsonNode spec = pod.path("spec");
        JsonNode old = before.path("spec");
        if (before.path("metadata").path("annotations").has(MIRROR)) {
            causes.forbidden("", "static pods cannot be resized");
            return;
        }
        if (old.path("os").path("name").asText().equals("windows")) {
            causes.forbidden("", "windows pods cannot be resized");
            return;
        }
        if (!PodRules.qualityOfService(spec).equals(PodRules.qualityOfService(old))) {
            causes.invalid(
                    "spec",
                    before.path("status").path("qosClass"),
                    "Pod QOS Class may not change as a result of resizing");
        }
        boolean same = true;
        for (String list : LISTS) {
            same &= places(causes, "spec." + list, spec.path(list), old.path(list));
        }
        if (!same) {
            return;
        }
        for (String list : LISTS) {
            for (int i = 0; i < old.path(list).size(); i++) {
                String path = "spec." + list + "[" + i + "].resources";
                JsonNode now = spec.path(list).path(i).path("resources");
                JsonNode then = old.path(list).path(i).path("resources");
                kept(causes, path + ".limits", now.path("limits"), then.path("limits"), "limits");
                kept(causes, path + ".requests", now.path("requests"), then.path("requests"), "requests");
                boolean runsOn = list.equals("containers")
                        || old.path(list).path(i).path("restartPolicy").asText().equals("Always");
                if (!runsOn && !now.equals(then)) {
                    causes.forbidden(path, "resources for non-sidecar init containers are immutable");
                }
            }
        }
        if (causes.isEmpty() && !withoutComputing(spec).equals(withoutComputing(old))) {
            causes.forbidden("spec", "only cpu and memory resources are mutable");
        }
    }

    private static boolean places(Causes causes, String path, JsonNode list, JsonNode before) {
        if (list.size() != before.size()) {
            causes.forbidden(path, "containers may not be added or removed on resize");
            return false;
        }
        for (int i = 0; i < list.size(); i++) {
            if (!list.path(i).path("name").equals(before.path(i).path("name"))) {
                causes.forbidden(path + "[" + i + "].name", "containers may not be renamed or reordered on resize");
                return false;
            }
        }
        return true;
    }

    private static boolean sameOrder(JsonNode list, JsonNode before) {
        return places(new Causes(), "", list, before);
    }

    private static void kept(Causes causes, String path, JsonNode amounts, JsonNode before, String what) {
        for (var amount : before.properties()) {
            if (!amounts.has(amount.getKey())) {
                causes.forbidden(path, "resource " + what + " cannot be removed");
                return;
            }
        }
    }

    private static ObjectNode withoutComputing(JsonNode spec) {
        ObjectNode rest = spec.deepCopy();
        for (String list : LISTS) {
            for (JsonNode container : rest.path(list)) {
                ((ObjectNode) container).remove("resizePolicy");
                for (JsonNode amounts : container.path("resources")) {
                    if (amounts instanceof ObjectNode object) {
                        object.remove(List.of("cpu", "memory"));
                    }
                }
                for (String amounts : List.of("limits", "requests")) {
                    if (container.path("resources").path(amounts).isEmpty()
                            && container.get("resources") instanceof ObjectNode resources) {
                        resources.remove(amounts);
                    }
                }
            }
        }
        return rest;
    }
}
