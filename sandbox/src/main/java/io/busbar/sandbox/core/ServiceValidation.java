package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.GoText;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks a Service. Any thread. */
final class ServiceValidation {

    private ServiceValidation() {}

    static void check(Causes causes, JsonNode spec, @Nullable JsonNode before) {
        String type = spec.path("type").asText();
        boolean headless = spec.path("clusterIP").asText().equals("None");
        if (spec.path("ports").isEmpty() && !headless && !type.equals("ExternalName")) {
            causes.required("spec.ports", "");
        }
        ports(causes, spec.path("ports"));
        MetadataValidation.labels(causes, "spec.selector", spec.path("selector"));
        PodValidation.oneOf(causes, "spec.sessionAffinity", spec.path("sessionAffinity"), List.of("ClientIP", "None"));
        PodValidation.oneOf(
                causes,
                "spec.type",
                spec.path("type"),
                List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort"));
        if (before != null && !type.equals("ExternalName")) {
            String address = before.path("clusterIP").asText();
            if (!address.isEmpty() && !spec.path("clusterIP").asText().equals(address)) {
                causes.add(FieldCause.invalid(
                        "spec.clusterIPs[0]",
                        "[]string{" + GoText.quote(spec.path("clusterIP").asText()) + "}",
                        "may not change once set"));
            }
        }
    }

    private static void ports(Causes causes, JsonNode ports) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < Fields.list(ports).size(); i++) {
            JsonNode port = ports.get(i);
            String at = "spec.ports[" + i + "]";
            String name = port.path("name").asText();
            if (name.isEmpty() && ports.size() > 1) {
                causes.required(at + ".name", "");
            } else if (!name.isEmpty() && !names.add(name)) {
                causes.duplicate(at + ".name", port.path("name"));
            }
            int number = port.path("port").asInt();
            if (number < 1 || number > 65_535) {
                causes.invalid(at + ".port", port.path("port"), "must be between 1 and 65535, inclusive");
            }
            PodValidation.oneOf(causes, at + ".protocol", port.path("protocol"), List.of("SCTP", "TCP", "UDP"));
        }
    }
}
