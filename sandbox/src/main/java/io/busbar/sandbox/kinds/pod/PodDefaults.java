package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.kinds.volume.VolumeDefaults;
import io.busbar.sandbox.rules.Fields;
import java.util.Map;

/** Defaults of Pods and of templates of Pods, in place. Any thread. */
public final class PodDefaults {

    private static final String[] CONTAINERS = {"initContainers", "containers", "ephemeralContainers"};
    private static final String[] PROBES = {"livenessProbe", "readinessProbe", "startupProbe"};

    private PodDefaults() {}

    static void pod(ObjectNode spec) {
        spec(spec);
        Fields.flag(spec, "enableServiceLinks", true);
        for (String list : CONTAINERS) {
            Fields.each(
                    spec.path(list), container -> Fields.ifObject(container.get("resources"), PodDefaults::requests));
        }
    }

    public static void template(ObjectNode template) {
        Fields.in(template, "metadata");
        spec(Fields.in(template, "spec"));
    }

    private static void spec(ObjectNode spec) {
        Fields.text(spec, "restartPolicy", "Always");
        Fields.number(spec, "terminationGracePeriodSeconds", 30);
        if (spec.path("terminationGracePeriodSeconds").asLong() < 0) {
            spec.put("terminationGracePeriodSeconds", 1);
        }
        Fields.text(spec, "dnsPolicy", "ClusterFirst");
        Fields.in(spec, "securityContext");
        Fields.text(spec, "schedulerName", "default-scheduler");
        String account = spec.path("serviceAccountName")
                .asText(spec.path("serviceAccount").asText(""));
        if (!account.isEmpty()) {
            spec.put("serviceAccountName", account).put("serviceAccount", account);
        }
        Fields.each(spec.path("volumes"), VolumeDefaults::podVolume);
        for (String list : CONTAINERS) {
            Fields.each(spec.path(list), PodDefaults::container);
        }
        if (spec.path("hostNetwork").asBoolean()) {
            Fields.each(spec.path("containers"), PodDefaults::hostPorts);
        }
    }

    private static void container(ObjectNode container) {
        Fields.in(container, "resources");
        VolumeDefaults.resources(container.get("resources"));
        Fields.text(container, "terminationMessagePath", "/dev/termination-log");
        Fields.text(container, "terminationMessagePolicy", "File");
        Fields.text(
                container, "imagePullPolicy", pullPolicy(container.path("image").asText()));
        Fields.each(container.path("ports"), port -> Fields.text(port, "protocol", "TCP"));
        Fields.each(
                container.path("env"), variable -> Fields.ifObject(variable.get("valueFrom"), VolumeDefaults::source));
        for (String probe : PROBES) {
            Fields.ifObject(container.get(probe), PodDefaults::probe);
        }
        for (String hook : new String[] {"postStart", "preStop"}) {
            Fields.ifObject(container.path("lifecycle").path(hook).get("httpGet"), PodDefaults::httpGet);
        }
    }

    /** An image that may change under its name is always pulled. */
    private static String pullPolicy(String image) {
        if (image.contains("@")) {
            return "IfNotPresent";
        }
        String name = image.substring(image.lastIndexOf('/') + 1);
        return !name.contains(":") || name.endsWith(":latest") ? "Always" : "IfNotPresent";
    }

    private static void probe(ObjectNode probe) {
        Fields.nonZero(probe, "timeoutSeconds", 1);
        Fields.nonZero(probe, "periodSeconds", 10);
        Fields.nonZero(probe, "successThreshold", 1);
        Fields.nonZero(probe, "failureThreshold", 3);
        Fields.ifObject(probe.get("httpGet"), PodDefaults::httpGet);
    }

    private static void httpGet(ObjectNode get) {
        Fields.text(get, "path", "/");
        Fields.text(get, "scheme", "HTTP");
    }

    private static void hostPorts(ObjectNode container) {
        Fields.each(container.path("ports"), port -> {
            if (port.path("hostPort").asInt() == 0 && port.has("containerPort")) {
                port.set("hostPort", port.get("containerPort"));
            }
        });
    }

    /** What is limited is requested, unless less is. */
    private static void requests(ObjectNode resources) {
        if (resources.get("limits") instanceof ObjectNode limits) {
            ObjectNode requests = Fields.in(resources, "requests");
            for (Map.Entry<String, JsonNode> limit : limits.properties()) {
                if (!requests.has(limit.getKey())) {
                    requests.set(limit.getKey(), limit.getValue());
                }
            }
        }
    }
}
