package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.Check;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.rules.Place;
import java.util.Map;

/** The defaults of Pods, and of templates of Pods, that take more than a line of the rules; in place. Any thread. */
final class PodDefaults {

    private static final String[] CONTAINERS = {"initContainers", "containers", "ephemeralContainers"};

    static final Map<String, Check> ALL = Map.of(
            "podSpec", PodDefaults::spec, "pullPolicy", PodDefaults::pullPolicy, "emptyDir", PodDefaults::emptyDir);

    private PodDefaults() {}

    /** Of a Pod, not of a template: services as variables, and what is limited is requested, unless less is. */
    static void requests(JsonNode pod) {
        Fields.ifObject(pod, spec -> Fields.flag(spec, "enableServiceLinks", true));
        for (String list : CONTAINERS) {
            Fields.each(pod.path(list), container -> {
                if (container.path("resources").get("limits") instanceof ObjectNode limits) {
                    ObjectNode requests = Fields.in(Fields.in(container, "resources"), "requests");
                    for (Map.Entry<String, JsonNode> limit : limits.properties()) {
                        if (!requests.has(limit.getKey())) {
                            requests.set(limit.getKey(), limit.getValue());
                        }
                    }
                }
            });
        }
    }

    private static void spec(Place place) {
        ObjectNode spec = (ObjectNode) place.value();
        if (spec.path("terminationGracePeriodSeconds").asLong() < 0) {
            spec.put("terminationGracePeriodSeconds", 1);
        }
        String account = spec.path("serviceAccountName")
                .asText(spec.path("serviceAccount").asText(""));
        if (!account.isEmpty()) {
            spec.put("serviceAccountName", account).put("serviceAccount", account);
        }
        if (spec.path("hostNetwork").asBoolean()) {
            Fields.each(
                    spec.path("containers"), container -> Fields.each(container.path("ports"), PodDefaults::hostPort));
        }
    }

    private static void hostPort(ObjectNode port) {
        if (port.path("hostPort").asInt() == 0 && port.has("containerPort")) {
            port.set("hostPort", port.get("containerPort"));
        }
    }

    /** An image that may change under its name is always pulled. */
    private static void pullPolicy(Place container) {
        String image = container.text("image");
        String name = image.substring(image.lastIndexOf('/') + 1);
        boolean fixed = image.contains("@") || (name.contains(":") && !name.endsWith(":latest"));
        Fields.text((ObjectNode) container.value(), "imagePullPolicy", fixed ? "IfNotPresent" : "Always");
    }

    private static void emptyDir(Place volume) {
        if (volume.value().size() <= 1) {
            ((ObjectNode) volume.value()).putObject("emptyDir");
        }
    }
}
