package io.busbar.sandbox.kinds.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.storage.Metadata;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A Pod that stands behind a Service.
 *
 * <p>Immutable.
 *
 * @param ready whether it gets connections
 * @param serving whether it is ready, be it terminating or not
 * @param ports of the Pod, one for each of the Service's that it has
 */
record Backend(ObjectNode pod, boolean ready, boolean serving, boolean terminating, List<Port> ports) {

    /** @param name of the Service's port, empty for none */
    record Port(String name, int number, String protocol) {

        ObjectNode node(ObjectNode factory) {
            ObjectNode node = factory.objectNode();
            node.put("name", name).put("port", number).put("protocol", protocol);
            return node;
        }
    }

    /** Those Pods that have an address and have not ended, ordered by name. */
    static List<Backend> of(ObjectNode service, Collection<ObjectNode> pods) {
        boolean published =
                service.path("spec").path("publishNotReadyAddresses").asBoolean();
        return pods.stream()
                .filter(Backend::hasAddress)
                .map(pod -> {
                    boolean terminating = Pods.isDeleting(pod);
                    boolean serving = Pods.isReady(pod);
                    boolean ready = published || (serving && !terminating);
                    return new Backend(pod, ready, serving, terminating, ports(service, pod));
                })
                .filter(backend -> backend.ports().size() > 0
                        || service.path("spec").path("ports").isEmpty())
                .sorted(Comparator.comparing(
                        backend -> Metadata.of(backend.pod()).name()))
                .toList();
    }

    String ip() {
        return pod.path("status").path("podIP").asText();
    }

    /** Empty unless the Pod has a name in the Service's domain. */
    String hostname(ObjectNode service) {
        boolean named = pod.path("spec")
                .path("subdomain")
                .asText()
                .equals(Metadata.of(service).name());
        return named ? pod.path("spec").path("hostname").asText() : "";
    }

    ObjectNode reference() {
        Metadata metadata = Metadata.of(pod);
        return pod.objectNode()
                .put("kind", "Pod")
                .put("namespace", metadata.namespace())
                .put("name", metadata.name())
                .put("uid", metadata.uid());
    }

    private static boolean hasAddress(ObjectNode pod) {
        String phase = Pods.phase(pod);
        String policy = pod.path("spec").path("restartPolicy").asText("Always");
        boolean over = switch (policy) {
            case "Never" -> Pods.isEnded(pod);
            case "OnFailure" -> phase.equals("Succeeded");
            default -> false;
        };
        return !over && !pod.path("status").path("podIP").asText().isEmpty();
    }

    private static List<Port> ports(ObjectNode service, ObjectNode pod) {
        List<Port> ports = new ArrayList<>();
        for (JsonNode port : service.path("spec").path("ports")) {
            String protocol = port.path("protocol").asText();
            target(pod, port.path("targetPort"), protocol)
                    .ifPresent(number -> ports.add(new Port(port.path("name").asText(), number, protocol)));
        }
        return ports;
    }

    /** A name is that of a container's port. */
    private static Optional<Integer> target(ObjectNode pod, JsonNode target, String protocol) {
        if (!target.isTextual()) {
            return Optional.of(target.asInt());
        }
        for (JsonNode container : pod.path("spec").path("containers")) {
            for (JsonNode port : container.path("ports")) {
                if (port.path("name").equals(target)
                        && port.path("protocol").asText("TCP").equals(protocol)) {
                    return Optional.of(port.path("containerPort").asInt());
                }
            }
        }
        return Optional.empty();
    }
}
