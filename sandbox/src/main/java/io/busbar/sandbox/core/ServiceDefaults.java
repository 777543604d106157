package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Defaults of the network's kinds, in place. Any thread. */
final class ServiceDefaults {

    private static final int THREE_HOURS = 10_800;

    private ServiceDefaults() {}

    static void service(ObjectNode spec) {
        Fields.text(spec, "type", "ClusterIP");
        Fields.text(spec, "sessionAffinity", "None");
        Fields.each(spec.path("ports"), port -> {
            Fields.text(port, "protocol", "TCP");
            if (!port.has("targetPort") && port.has("port")) {
                port.set("targetPort", port.get("port"));
            }
        });
        if (spec.path("clusterIP").asText().equals("None") && !spec.has("clusterIPs")) {
            spec.putArray("clusterIPs").add("None");
        }
        if (spec.path("type").asText().matches("NodePort|LoadBalancer")) {
            Fields.text(spec, "externalTrafficPolicy", "Cluster");
        }
        if (spec.path("sessionAffinity").asText().equals("ClientIP")) {
            ObjectNode client = Fields.in(Fields.in(spec, "sessionAffinityConfig"), "clientIP");
            Fields.number(client, "timeoutSeconds", THREE_HOURS);
        }
    }

    static void endpoints(ObjectNode endpoints) {
        Fields.each(
                endpoints.path("subsets"),
                subset -> Fields.each(subset.path("ports"), port -> Fields.text(port, "protocol", "TCP")));
    }

    static void networkPolicy(ObjectNode spec) {
        for (String direction : new String[] {"ingress", "egress"}) {
            Fields.each(
                    spec.path(direction),
                    rule -> Fields.each(rule.path("ports"), port -> Fields.text(port, "protocol", "TCP")));
        }
        if (!spec.has("policyTypes")) {
            ArrayNode types = spec.putArray("policyTypes").add("Ingress");
            if (spec.has("egress")) {
                types.add("Egress");
            }
        }
    }
}
