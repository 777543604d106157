package io.busbar.sandbox.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.cel.Quantity;
import io.busbar.sandbox.rules.ResourceNames;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import java.time.Instant;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * How much of what quotas limit an object uses.
 *
 * <p>Immutable. The rules of {@code pkg/quota/v1/evaluator/core}.
 */
final class Usage {

    private static final GroupResource PODS = GroupResource.core("pods");
    private static final GroupResource SERVICES = GroupResource.core("services");
    private static final GroupResource CLAIMS = GroupResource.core("persistentvolumeclaims");
    private static final String OF_CLASS = ".storageclass.storage.k8s.io/";
    private static final Set<String> OF_PODS = Set.of(
            "count/pods",
            "pods",
            "cpu",
            "memory",
            "ephemeral-storage",
            "requests.cpu",
            "requests.memory",
            "requests.ephemeral-storage",
            "limits.cpu",
            "limits.memory",
            "limits.ephemeral-storage");
    /** A quota on these insists on a value in each container; a mistake of old, which others do not repeat. */
    private static final Set<String> DEMANDED =
            Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

    private Usage() {}

    /** Whether an object of a kind can use a resource of that name. */
    static boolean isOf(GroupResource kind, String name) {
        if (kind.equals(PODS)) {
            return OF_PODS.contains(name)
                    || ResourceNames.isHugePages(name)
                    || name.startsWith("requests.hugepages-")
                    || (name.startsWith("requests.") && !ResourceNames.isNative(name));
        }
        if (name.equals(counted(kind))) {
            return true;
        }
        if (kind.equals(SERVICES)) {
            return Set.of("services", "services.nodeports", "services.loadbalancers")
                    .contains(name);
        }
        if (kind.equals(CLAIMS)) {
            return Set.of("persistentvolumeclaims", "requests.storage").contains(name)
                    || name.endsWith(OF_CLASS + "persistentvolumeclaims")
                    || name.endsWith(OF_CLASS + "requests.storage");
        }
        return kind.group().isEmpty() && kind.plural().equals(name) && ResourceNames.COUNTED.contains(name);
    }

    private static String counted(GroupResource kind) {
        return "count/" + kind.plural() + (kind.group().isEmpty() ? "" : "." + kind.group());
    }

    static Amounts of(GroupResource kind, ObjectNode object, Instant now) {
        Amounts used = new Amounts().add(counted(kind), 1);
        if (kind.equals(PODS)) {
            return isOver(object, now) ? used : used.add(compute(pod(object, "requests"), pod(object, "limits")));
        }
        if (kind.equals(SERVICES)) {
            return used.add(service(object.path("spec")));
        }
        if (kind.equals(CLAIMS)) {
            return used.add(claim(object));
        }
        return kind.group().isEmpty() && ResourceNames.COUNTED.contains(kind.plural())
                ? used.add(kind.plural(), 1)
                : used;
    }

    /** Whether a Pod has ended, or should have been gone by now. */
    private static boolean isOver(ObjectNode pod, Instant now) {
        String phase = pod.path("status").path("phase").asText();
        Metadata metadata = Metadata.of(pod);
        return phase.equals("Failed")
                || phase.equals("Succeeded")
                || (metadata.deleting()
                        && now.isAfter(Instant.parse(metadata.node()
                                        .path("deletionTimestamp")
                                        .asText())
                                .plusSeconds(metadata.node()
                                        .path("deletionGracePeriodSeconds")
                                        .asLong())));
    }

    /**
     * What a Pod asks for: its containers at a time, at least what each init container does while it runs, and the
     * overhead.
     */
    static Amounts pod(JsonNode pod, String which) {
        JsonNode spec = pod.path("spec");
        Amounts sum = new Amounts();
        Amounts most = new Amounts();
        Amounts beside = new Amounts();
        spec.path("containers").forEach(container -> sum.add(asked(container, which)));
        for (JsonNode container : spec.path("initContainers")) {
            if (container.path("restartPolicy").asText().equals("Always")) {
                beside.add(asked(container, which));
                sum.add(asked(container, which));
                most.raise(beside);
            } else {
                most.raise(asked(container, which).add(beside));
            }
        }
        sum.raise(most);
        asked(spec, which).byName().forEach(sum.byName()::put);
        Amounts overhead = Amounts.of(spec.path("overhead"));
        return sum.add(which.equals("limits") ? overhead.only(sum.names()::contains) : overhead);
    }

    private static Amounts asked(JsonNode holder, String which) {
        return Amounts.of(holder.path("resources").path(which));
    }

    private static Amounts compute(Amounts requests, Amounts limits) {
        Amounts used = new Amounts().add("pods", 1);
        requests.byName().forEach((name, quantity) -> {
            boolean known = ResourceNames.COMPUTE.contains(name) || ResourceNames.isHugePages(name);
            if (known) {
                used.add(name, quantity);
            }
            if (known || ResourceNames.isExtended(name)) {
                used.add("requests." + name, quantity);
            }
        });
        limits.only(ResourceNames.COMPUTE::contains)
                .byName()
                .forEach((name, quantity) -> used.add("limits." + name, quantity));
        return used;
    }

    /** What containers of a Pod would have to say under a quota; empty when they say it. */
    static String missing(GroupResource kind, ObjectNode pod, Set<String> limited) {
        TreeMap<String, Set<String>> missing = new TreeMap<>();
        JsonNode spec = pod.path("spec");
        Amounts ofPod = compute(asked(spec, "requests"), asked(spec, "limits"));
        for (String list : kind.equals(PODS) ? Set.of("containers", "initContainers") : Set.<String>of()) {
            for (JsonNode container : spec.path(list)) {
                Amounts said = compute(asked(container, "requests"), asked(container, "limits"));
                for (String name : limited) {
                    if (DEMANDED.contains(name) && said.get(name) == null && ofPod.get(name) == null) {
                        missing.computeIfAbsent(name, absent -> new TreeSet<>())
                                .add(container.path("name").asText());
                    }
                }
            }
        }
        return missing.entrySet().stream()
                .map(entry -> entry.getKey() + " for: " + String.join(",", entry.getValue()))
                .collect(Collectors.joining("; "));
    }

    private static Amounts service(JsonNode spec) {
        String type = spec.path("type").asText();
        boolean balanced = type.equals("LoadBalancer");
        long ports = 0;
        for (JsonNode port : spec.path("ports")) {
            boolean allocated = spec.path("allocateLoadBalancerNodePorts").asBoolean(true);
            ports += type.equals("NodePort")
                            || (balanced && (allocated || port.path("nodePort").asInt() != 0))
                    ? 1
                    : 0;
        }
        return new Amounts()
                .add("services", 1)
                .add("services.loadbalancers", balanced ? 1 : 0)
                .add("services.nodeports", ports);
    }

    private static Amounts claim(ObjectNode claim) {
        String named = claim.path("metadata")
                .path("annotations")
                .path("volume.beta.kubernetes.io/storage-class")
                .asText(claim.path("spec").path("storageClassName").asText());
        Amounts used = new Amounts().add("persistentvolumeclaims", 1);
        Quantity storage = asked(claim.path("spec"), "requests").get("storage");
        if (storage != null) {
            used.add("requests.storage", storage);
        }
        Amounts ofClass = new Amounts();
        if (!named.isEmpty()) {
            used.byName().forEach((name, quantity) -> ofClass.add(named + OF_CLASS + name, quantity));
        }
        return used.add(ofClass);
    }
}
