package io.busbar.sandbox.priority;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.admission.Plugin;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Gives each new Pod the priority of its class, or of the default class, and lets there be one default only.
 *
 * <p>One context. What the admission plugin Priority does.
 */
public final class Priorities implements Plugin {

    private static final GroupResource PODS = GroupResource.core("pods");
    private static final List<String> NUMBERS = List.of("priority", "preemptionPolicy");

    private final MemoryStore store;

    public Priorities(MemoryStore store) {
        this.store = store;
    }

    @Override
    public void mutate(AdmissionAttributes attributes, ObjectNode object) {
        if (!attributes.target().resource().storage().equals(PODS)
                || !attributes.target().subresource().isEmpty()) {
            return;
        }
        ObjectNode spec = object.withObject("/spec");
        ObjectNode before = attributes.before();
        if (attributes.operation().equals("CREATE")) {
            create(Metadata.of(object).name(), spec);
        } else if (before != null) {
            for (String field : NUMBERS) {
                if (!spec.has(field) && before.path("spec").has(field)) {
                    spec.set(field, before.path("spec").get(field));
                }
            }
        }
    }

    private void create(String pod, ObjectNode spec) {
        String name = spec.path("priorityClassName").asText();
        ObjectNode found = name.isEmpty()
                ? defaultClass().orElse(null)
                : store.shelf(SystemClasses.RESOURCE).get(ObjectKey.of(name));
        if (found == null && !name.isEmpty()) {
            throw refused(PODS, pod, "no PriorityClass with name " + name + " was found");
        }
        int priority = found == null ? 0 : found.path("value").asInt();
        String policy = found == null
                ? "PreemptLowerPriority"
                : found.path("preemptionPolicy").asText("PreemptLowerPriority");
        if (found != null) {
            spec.put("priorityClassName", Metadata.of(found).name());
        }
        if (spec.path("priority").asInt(priority) != priority) {
            throw refused(
                    PODS,
                    pod,
                    "the integer value of priority (" + spec.path("priority").asInt()
                            + ") must not be provided in pod spec; priority admission controller computed " + priority
                            + " from the given PriorityClass name");
        }
        String given = spec.path("preemptionPolicy").asText(policy);
        if (!given.equals(policy)) {
            throw refused(
                    PODS,
                    pod,
                    "the string value of PreemptionPolicy (" + given
                            + ") must not be provided in pod spec; priority admission controller computed " + policy
                            + " from the given PriorityClass name");
        }
        spec.put("priority", priority).put("preemptionPolicy", policy);
    }

    @Override
    public void validate(AdmissionAttributes attributes, ObjectNode object) {
        if (!attributes.target().resource().storage().equals(SystemClasses.RESOURCE)
                || !object.path("globalDefault").asBoolean()) {
            return;
        }
        String name = Metadata.of(object).name();
        defaultClass().map(other -> Metadata.of(other).name()).ifPresent(other -> {
            if (attributes.operation().equals("CREATE") || !other.equals(name)) {
                throw refused(
                        SystemClasses.RESOURCE,
                        name,
                        "PriorityClass " + other + " is already marked as default. Only one default can exist");
            }
        });
    }

    /** The least of them, should there be several. */
    private Optional<ObjectNode> defaultClass() {
        return store.shelf(SystemClasses.RESOURCE).objects("").values().stream()
                .filter(known -> known.path("globalDefault").asBoolean())
                .min(Comparator.comparingInt(known -> known.path("value").asInt()));
    }

    private static StatusException refused(GroupResource resource, String name, String why) {
        return StatusException.forbidden(resource, name, why);
    }
}
