package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.operator.sidecarset.pod.ModelJson;
import io.busbar.operator.sidecarset.v1alpha1.SidecarContainer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A container as it goes into Pods.
 *
 * <p>Immutable: its nodes are shared by all Pods, and never changed.
 *
 * @param container complete but for what it borrows, without what only a SidecarSet has
 * @param inFront of the Pod's own containers
 * @param volumes of the set that it mounts or has as devices, in the order in which it names them
 */
record Sidecar(String name, ObjectNode container, boolean inFront, Borrowing borrowing, List<JsonNode> volumes) {

    /** The variable that tells a sidecar what it is. */
    static final String MARK = "IS_INJECTED";

    private static final Set<String> OF_THE_SET_ALONE = Set.of(
            "podInjectPolicy",
            "upgradeStrategy",
            "shareVolumePolicy",
            "shareVolumeDevicePolicy",
            "transferEnv",
            "resourcesPolicy");

    Sidecar {
        volumes = List.copyOf(volumes);
    }

    /**
     * @param behindByDefault where it goes without a policy of its own
     * @param volumes of the set, by name
     */
    static Sidecar compile(SidecarContainer item, boolean behindByDefault, Map<String, JsonNode> volumes) {
        ObjectNode container = ModelJson.object(item);
        container.remove(OF_THE_SET_ALONE);
        markInjected(container);
        boolean behind = item.getPodInjectPolicy() == null
                ? behindByDefault
                : item.getPodInjectPolicy().equals(SidecarContainer.AFTER);
        return new Sidecar(item.getName(), container, !behind, Borrowing.of(item), used(container, volumes));
    }

    /** The container for one Pod. */
    ObjectNode in(Supplier<AppContainers> app) {
        return borrowing.isNone() ? container : borrowing.added(container, app.get());
    }

    /** Behind the variables of its own, even one of that name, as OpenKruise does it. */
    private static void markInjected(ObjectNode container) {
        ArrayNode env = container.withArrayProperty("env");
        env.addObject().put("name", MARK).put("value", "true");
    }

    private static List<JsonNode> used(ObjectNode container, Map<String, JsonNode> volumes) {
        List<JsonNode> used = new ArrayList<>();
        for (String list : List.of("volumeMounts", "volumeDevices")) {
            for (JsonNode item : container.path(list)) {
                JsonNode volume = volumes.get(item.path("name").asText());
                if (volume != null) {
                    used.add(volume);
                }
            }
        }
        return used;
    }
}
