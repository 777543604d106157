package io.busbar.sandbox.kinds.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Metadata;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which Pods go into which slice: at most a hundred with the same ports, and a Pod stays where it is.
 *
 * <p>Immutable; a pure function of what is there.
 *
 * @param zones by node
 */
record Slicing(ObjectNode service, Map<String, String> zones) {

    private static final int LARGEST = 100;

    /**
     * What a slice is to hold.
     *
     * @param slice that is there; empty metadata for a new one
     */
    record Content(ObjectNode slice, ArrayNode ports, ArrayNode endpoints) {}

    /** One content at least: a Service without Pods has an empty slice. */
    List<Content> slice(List<Backend> backends, List<ObjectNode> slices) {
        Map<ArrayNode, Map<String, ObjectNode>> wanted = new LinkedHashMap<>();
        for (Backend backend : backends) {
            wanted.computeIfAbsent(ports(backend), absent -> new LinkedHashMap<>())
                    .put(Metadata.of(backend.pod()).uid(), endpoint(backend));
        }
        if (wanted.isEmpty()) {
            wanted.put(service.arrayNode(), new LinkedHashMap<>());
        }
        List<ObjectNode> free = new ArrayList<>(slices);
        List<Content> contents = new ArrayList<>();
        wanted.forEach((ports, endpoints) -> contents.addAll(pack(ports, endpoints, free)));
        return contents;
    }

    private List<Content> pack(ArrayNode ports, Map<String, ObjectNode> endpoints, List<ObjectNode> free) {
        List<Content> contents = new ArrayList<>();
        for (Iterator<ObjectNode> left = free.iterator(); left.hasNext(); ) {
            ObjectNode slice = left.next();
            JsonNode own = slice.path("ports");
            if (ports.isEmpty() ? own.isEmpty() : own.equals(ports)) {
                left.remove();
                contents.add(new Content(slice, ports, staying(slice, endpoints)));
            }
        }
        if (contents.isEmpty()) {
            contents.add(fresh(ports, free));
        }
        for (ObjectNode endpoint : endpoints.values()) {
            Content last = contents.stream()
                    .filter(content -> content.endpoints().size() < LARGEST)
                    .findFirst()
                    .orElseGet(() -> {
                        Content more = fresh(ports, free);
                        contents.add(more);
                        return more;
                    });
            last.endpoints().add(endpoint);
        }
        contents.removeIf(content -> content.endpoints().isEmpty() && (contents.size() > 1 || !endpoints.isEmpty()));
        return contents;
    }

    /** A slice whose ports nobody has any more may serve for others. */
    private Content fresh(ArrayNode ports, List<ObjectNode> free) {
        ObjectNode slice = free.isEmpty() ? service.objectNode() : free.remove(0);
        return new Content(slice, ports, service.arrayNode());
    }

    private ArrayNode staying(ObjectNode slice, Map<String, ObjectNode> endpoints) {
        ArrayNode staying = service.arrayNode();
        for (JsonNode endpoint : slice.path("endpoints")) {
            ObjectNode now =
                    endpoints.remove(endpoint.path("targetRef").path("uid").asText());
            if (now != null) {
                staying.add(now);
            }
        }
        return staying;
    }

    private ArrayNode ports(Backend backend) {
        ArrayNode ports = service.arrayNode();
        backend.ports().forEach(port -> ports.add(port.node(service)));
        return ports;
    }

    private ObjectNode endpoint(Backend backend) {
        ObjectNode endpoint = service.objectNode();
        endpoint.putArray("addresses").add(backend.ip());
        endpoint.putObject("conditions")
                .put("ready", backend.ready())
                .put("serving", backend.serving())
                .put("terminating", backend.terminating());
        String hostname = backend.hostname(service);
        if (!hostname.isEmpty()) {
            endpoint.put("hostname", hostname);
        }
        String node = backend.pod().path("spec").path("nodeName").asText();
        endpoint.put("nodeName", node);
        endpoint.set("targetRef", backend.reference());
        String zone = zones.getOrDefault(node, "");
        if (!zone.isEmpty()) {
            endpoint.put("zone", zone);
        }
        return endpoint;
    }
}
