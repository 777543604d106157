package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.operator.sidecarset.pod.HotSlots;
import io.busbar.operator.sidecarset.pod.ModelJson;
import io.busbar.operator.sidecarset.resources.DerivedResources;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A container as it goes into Pods.
 *
 * <p>Immutable: its nodes are shared by all Pods, and never changed.
 *
 * @param set whose it is
 * @param container complete but for what depends on the Pod, without what only a SidecarSet has
 * @param inFront of the Pod's own containers
 * @param resources worked out for each Pod, in place of the container's
 * @param versions variables that end those of a slot of a hot upgrade
 * @param volumes of the set that it mounts or has as devices, in the order in which it names them
 */
record Sidecar(
        String set,
        String name,
        ObjectNode container,
        boolean inFront,
        Borrowing borrowing,
        Optional<DerivedResources> resources,
        List<JsonNode> versions,
        List<JsonNode> volumes) {

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
        versions = List.copyOf(versions);
        volumes = List.copyOf(volumes);
    }

    /**
     * @param behindByDefault where it goes without a policy of its own
     * @param volumes of the set, by name
     * @throws IllegalArgumentException when the item is not valid
     */
    static Sidecar compile(String set, SidecarContainer item, boolean behindByDefault, Map<String, JsonNode> volumes) {
        ObjectNode container = ModelJson.object(item);
        container.remove(OF_THE_SET_ALONE);
        markInjected(container);
        boolean behind = item.getPodInjectPolicy() == null
                ? behindByDefault
                : item.getPodInjectPolicy().equals(SidecarContainer.AFTER);
        return new Sidecar(
                set,
                item.getName(),
                container,
                !behind,
                Borrowing.of(item),
                Optional.ofNullable(item.getResourcesPolicy()).map(DerivedResources::of),
                List.of(),
                used(container, volumes));
    }

    /** The same in one of the two slots of a hot upgrade: it learns its versions from the Pod's annotations. */
    Sidecar inSlot(String slot, String image) {
        ObjectNode copy = container.deepCopy().put("name", slot).put("image", image);
        List<JsonNode> versions = List.of(
                variable("SIDECARSET_VERSION", HotSlots.version(slot)),
                variable("SIDECARSET_VERSION_ALT", HotSlots.otherVersion(slot)));
        if (borrowing.isNone()) {
            copy.withArrayProperty("env").addAll(versions);
        }
        return new Sidecar(set, slot, copy, inFront, borrowing, resources, versions, volumes);
    }

    /**
     * The container for one Pod.
     *
     * @throws IllegalArgumentException when its resources cannot be worked out
     */
    ObjectNode in(Supplier<AppContainers> app) {
        if (borrowing.isNone() && resources.isEmpty()) {
            return container;
        }
        ObjectNode complete = borrowing.added(container, app.get());
        if (!borrowing.isNone()) {
            complete.withArrayProperty("env").addAll(versions);
        }
        resources.ifPresent(
                derived -> complete.set("resources", derived.from(app.get().lasting())));
        return complete;
    }

    private static JsonNode variable(String name, String annotation) {
        ObjectNode variable = JsonNodeFactory.instance.objectNode().put("name", name);
        variable.putObject("valueFrom")
                .putObject("fieldRef")
                .put("apiVersion", "v1")
                .put("fieldPath", "metadata.annotations['" + annotation + "']");
        return variable;
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
