package io.busbar.sandbox.kinds.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The subsets of Endpoints: ports that the same Pods have go together. Any thread. */
final class Subsets {

    private Subsets() {}

    static ArrayNode of(ObjectNode service, List<Backend> backends) {
        Map<Backend.Port, List<Backend>> byPort = new LinkedHashMap<>();
        List<Backend> portless = new ArrayList<>();
        for (Backend backend : shown(service, backends)) {
            backend.ports()
                    .forEach(port -> byPort.computeIfAbsent(port, absent -> new ArrayList<>())
                            .add(backend));
            if (backend.ports().isEmpty()) {
                portless.add(backend);
            }
        }
        Map<List<String>, ObjectNode> byPods = new LinkedHashMap<>();
        byPort.forEach((port, pods) -> byPods.computeIfAbsent(
                        pods.stream().map(Backend::ip).toList(), absent -> subset(service, pods))
                .withArrayProperty("ports")
                .add(port(port, service)));
        ArrayNode subsets = service.arrayNode();
        byPods.values().forEach(subsets::add);
        if (!portless.isEmpty()) {
            subsets.add(subset(service, portless));
        }
        return subsets;
    }

    /** A Pod that terminates is left out, unless readiness doesn't matter. */
    private static List<Backend> shown(ObjectNode service, List<Backend> backends) {
        boolean published =
                service.path("spec").path("publishNotReadyAddresses").asBoolean();
        return backends.stream()
                .filter(backend -> published || !backend.terminating())
                .toList();
    }

    private static ObjectNode port(Backend.Port port, ObjectNode factory) {
        ObjectNode node = port.node(factory);
        if (port.name().isEmpty()) {
            node.remove("name");
        }
        return node;
    }

    private static ObjectNode subset(ObjectNode service, List<Backend> backends) {
        ObjectNode subset = service.objectNode();
        for (Backend backend : backends) {
            ObjectNode address = subset.withArrayProperty(backend.ready() ? "addresses" : "notReadyAddresses")
                    .addObject();
            address.put("ip", backend.ip());
            String hostname = backend.hostname(service);
            if (!hostname.isEmpty()) {
                address.put("hostname", hostname);
            }
            address.set("nodeName", backend.pod().path("spec").path("nodeName"));
            address.set("targetRef", backend.reference());
        }
        return subset;
    }
}
