package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.admission.Plugin;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;

/**
 * Lets a Pod run only in a class that there is, and gives it what the class says of its overhead and of nodes.
 *
 * <p>One context. What the admission plugin RuntimeClass does.
 */
public final class RuntimeClasses implements Plugin {

    private static final GroupResource PODS = GroupResource.core("pods");
    private static final GroupResource CLASSES = new GroupResource("node.k8s.io", "runtimeclasses");

    private final MemoryStore store;

    public RuntimeClasses(MemoryStore store) {
        this.store = store;
    }

    @Override
    public void mutate(AdmissionAttributes attributes, ObjectNode pod) {
        if (!attributes.operation().equals("CREATE")
                || !attributes.target().resource().storage().equals(PODS)
                || !attributes.target().subresource().isEmpty()) {
            return;
        }
        ObjectNode spec = Fields.in(pod, "spec");
        String name = spec.path("runtimeClassName").asText();
        ObjectNode found = name.isEmpty() ? null : store.shelf(CLASSES).get(ObjectKey.of(name));
        if (found == null && !name.isEmpty()) {
            throw refused(pod, "RuntimeClass \"" + name + "\" not found");
        }
        JsonNode overhead =
                found == null ? spec.path("none") : found.path("overhead").path("podFixed");
        if (!spec.path("overhead").isEmpty() && !spec.path("overhead").equals(overhead)) {
            throw refused(
                    pod,
                    found == null || overhead.isEmpty()
                            ? "Pod Overhead set without corresponding RuntimeClass defined Overhead"
                            : "Pod's Overhead doesn't match RuntimeClass's defined Overhead");
        }
        if (!overhead.isEmpty()) {
            spec.set("overhead", overhead.deepCopy());
        }
        if (found != null) {
            schedule(pod, spec, found.path("scheduling"));
        }
    }

    private static void schedule(ObjectNode pod, ObjectNode spec, JsonNode scheduling) {
        scheduling.path("nodeSelector").properties().forEach(label -> {
            ObjectNode selector = Fields.in(spec, "nodeSelector");
            JsonNode own = selector.get(label.getKey());
            if (own != null && !own.equals(label.getValue())) {
                throw refused(
                        pod,
                        "conflict: runtimeClass.scheduling.nodeSelector[" + label.getKey() + "] = "
                                + label.getValue().asText() + "; pod.spec.nodeSelector[" + label.getKey() + "] = "
                                + own.asText());
            }
            selector.set(label.getKey(), label.getValue());
        });
        for (JsonNode toleration : scheduling.path("tolerations")) {
            boolean there = false;
            for (JsonNode own : spec.path("tolerations")) {
                there |= own.equals(toleration);
            }
            if (!there) {
                spec.withArrayProperty("tolerations").add(toleration.deepCopy());
            }
        }
    }

    private static StatusException refused(ObjectNode pod, String why) {
        return StatusException.forbidden(PODS, Metadata.of(pod).name(), "pod rejected: " + why);
    }
}
