package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What sidecars may look at in a Pod: all but what was injected into it before.
 *
 * <p>For one thread; the Pod is not changed.
 */
final class AppContainers {

    private final JsonNode metadata;
    private final List<JsonNode> containers;
    private final List<JsonNode> nativeSidecars;

    /**
     * @param injected names of containers that come with the sets
     * @param injectedInit names of init containers that come with the sets
     */
    AppContainers(ObjectNode pod, Set<String> injected, Set<String> injectedInit) {
        metadata = pod.path("metadata");
        containers = own(pod.path("spec").path("containers"), injected);
        nativeSidecars = own(pod.path("spec").path("initContainers"), injectedInit).stream()
                .filter(container -> container.path("restartPolicy").asText().equals("Always"))
                .toList();
    }

    List<JsonNode> containers() {
        return containers;
    }

    /** All that go on running: native sidecars, then containers. */
    List<JsonNode> lasting() {
        return Stream.concat(nativeSidecars.stream(), containers.stream()).toList();
    }

    JsonNode container(String name) {
        return named(containers, name).orElse(MissingNode.getInstance());
    }

    /** A label or an annotation; empty where there is none. */
    String metadata(String map, String key) {
        return metadata.path(map).path(key).asText();
    }

    static Optional<JsonNode> variable(JsonNode container, String name) {
        return named(container.path("env"), name);
    }

    private static Optional<JsonNode> named(Iterable<JsonNode> items, String name) {
        for (JsonNode item : items) {
            if (item.path("name").asText().equals(name)) {
                return Optional.of(item);
            }
        }
        return Optional.empty();
    }

    private static List<JsonNode> own(JsonNode list, Set<String> injected) {
        List<JsonNode> own = new ArrayList<>();
        for (JsonNode container : list) {
            if (!injected.contains(container.path("name").asText()) && !markedInjected(container)) {
                own.add(container);
            }
        }
        return own;
    }

    private static boolean markedInjected(JsonNode container) {
        return variable(container, Sidecar.MARK)
                .filter(mark -> mark.path("value").asText().equals("true"))
                .isPresent();
    }
}
