package io.busbar.sandbox.kinds.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.table.Columns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of Services: addresses and ports are given out when a Service is written, and refused when another has
 * them.
 *
 * <p>One context.
 */
public final class ServiceRules extends BuiltInRules {

    private static final String EXTERNAL = "ExternalName";

    public static final RulesFile RULES = RulesFile.beside(
            ServiceRules.class,
            ServiceChecks.ALL,
            Map.of("ports", ServiceRules::ports, "addresses", ServiceRules::addresses));

    private final ServiceAddresses addresses;

    public ServiceRules(Facts facts, ServiceAddresses addresses) {
        super(facts);
        this.addresses = addresses;
    }

    @Override
    protected void fillDefaults(ObjectNode service) {
        ObjectNode spec = Fields.in(service, "spec");
        Fields.each(spec.path("ports"), port -> {
            if (port.path("targetPort").asText("0").matches("0|") && port.has("port")) {
                port.set("targetPort", port.get("port"));
            }
        });
        if (spec.path("clusterIP").asText().equals("None") && !spec.has("clusterIPs")) {
            spec.putArray("clusterIPs").add("None");
        }
        if (hasNodePorts(spec)) {
            Fields.text(spec, "externalTrafficPolicy", "Cluster");
        }
        if (!spec.path("sessionAffinity").asText().equals("ClientIP")) {
            spec.remove("sessionAffinityConfig");
        }
    }

    @Override
    protected void prepareNew(ObjectNode service) {
        fill(service.withObject("/spec"));
    }

    /** What an update leaves out stays; what its type doesn't have goes. */
    @Override
    public void prepareForUpdate(ObjectNode service, ObjectNode before, String subresource) {
        super.prepareForUpdate(service, before, subresource);
        if (!subresource.isEmpty()) {
            return;
        }
        ObjectNode spec = service.withObject("/spec");
        JsonNode was = before.path("spec");
        normalizeAddresses(spec, was);
        if (type(spec).equals(EXTERNAL)) {
            if (!type(was).equals(EXTERNAL)) {
                dropAddresses(spec, was);
            }
        } else {
            if (isHealthChecked(spec)
                    && isHealthChecked(was)
                    && spec.path("healthCheckNodePort").asInt() == 0) {
                spec.set("healthCheckNodePort", was.get("healthCheckNodePort"));
            }
            for (String field : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
                if (spec.path(field).asText().isEmpty() && spec.path(field).isEmpty() && was.has(field)) {
                    spec.set(field, was.get(field).deepCopy());
                }
            }
        }
        nodePorts(spec, was);
        fill(spec);
        dropOfOtherTypes(spec, was);
        if (!type(spec).equals("LoadBalancer")) {
            Fields.in(service, "status").putObject("loadBalancer");
        }
    }

    /** Who changes the one address, or takes it away, means the list as well, unless that is changed, too. */
    private static void normalizeAddresses(ObjectNode spec, JsonNode was) {
        String address = spec.path("clusterIP").asText();
        if (!address.equals(was.path("clusterIP").asText())
                && spec.path("clusterIPs").equals(was.path("clusterIPs"))) {
            spec.remove("clusterIPs");
            if (!address.isEmpty()) {
                spec.putArray("clusterIPs").add(address);
            }
        }
    }

    /** What an alias doesn't have, unless it was changed on the way. */
    private static void dropAddresses(ObjectNode spec, JsonNode was) {
        List<String> dropped = new ArrayList<>();
        if (spec.path("clusterIP").equals(was.path("clusterIP"))
                && spec.path("clusterIPs").equals(was.path("clusterIPs"))) {
            dropped.addAll(List.of("clusterIP", "clusterIPs"));
        }
        for (String field : List.of("ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy")) {
            if (spec.path(field).equals(was.path(field))) {
                dropped.add(field);
            }
        }
        spec.remove(dropped);
    }

    @Override
    protected void check(Causes causes, ObjectNode service, @Nullable ObjectNode before, String subresource) {
        // Addresses and ports are given out once all else is right.
        JsonNode spec = service.path("spec");
        JsonNode was = before == null ? spec : before.path("spec");
        JsonNode port = spec.path("healthCheckNodePort");
        if (isHealthChecked(was) && isHealthChecked(spec) && !port.equals(was.path("healthCheckNodePort"))) {
            causes.invalid("spec.healthCheckNodePort", port, "field is immutable");
        }
        if (subresource.isEmpty() && causes.isEmpty()) {
            checkFree(causes, service.path("spec"), Metadata.of(service).key());
        }
    }

    private void fill(ObjectNode spec) {
        if (type(spec).equals(EXTERNAL)) {
            return;
        }
        String address = spec.path("clusterIP").asText();
        if (address.isEmpty()) {
            address = addresses.nextAddress();
            spec.put("clusterIP", address);
        }
        if (spec.path("clusterIPs").isEmpty()) {
            spec.putArray("clusterIPs").add(address);
        }
        if (!spec.has("ipFamilies")) {
            spec.putArray("ipFamilies").add("IPv4");
        }
        if (!spec.has("ipFamilyPolicy")) {
            spec.put("ipFamilyPolicy", "SingleStack");
        }
        if (!spec.has("internalTrafficPolicy")) {
            spec.put("internalTrafficPolicy", "Cluster");
        }
        if (isHealthChecked(spec) && spec.path("healthCheckNodePort").asInt() == 0) {
            spec.put("healthCheckNodePort", addresses.nextPort());
        }
        if (type(spec).equals("NodePort")
                || (type(spec).equals("LoadBalancer")
                        && spec.path("allocateLoadBalancerNodePorts").asBoolean(true))) {
            spec.path("ports").forEach(port -> {
                if (port.path("nodePort").asInt() == 0) {
                    ((ObjectNode) port).put("nodePort", addresses.nextPort());
                }
            });
        }
    }

    private static boolean isHealthChecked(JsonNode spec) {
        return type(spec).equals("LoadBalancer")
                && spec.path("externalTrafficPolicy").asText().equals("Local");
    }

    /** A port keeps its node port by its name, whatever else of it has changed. */
    private static void nodePorts(ObjectNode spec, JsonNode was) {
        Set<Integer> old = nodePorts(was);
        Set<Integer> used = nodePorts(spec);
        if (hasNodePorts(was) && hasNodePorts(spec)) {
            Map<String, JsonNode> byName = new HashMap<>();
            was.path("ports").forEach(port -> byName.put(port.path("name").asText(), port.path("nodePort")));
            Fields.each(spec.path("ports"), port -> {
                JsonNode kept = byName.get(port.path("name").asText());
                if (port.path("nodePort").asInt() == 0 && kept != null && kept.asInt() > 0 && used.add(kept.asInt())) {
                    port.set("nodePort", kept);
                }
            });
        } else if (hasNodePorts(was) && old.containsAll(used)) {
            Fields.each(spec.path("ports"), port -> port.remove("nodePort"));
        }
    }

    private static Set<Integer> nodePorts(JsonNode spec) {
        Set<Integer> ports = new HashSet<>();
        spec.path("ports").forEach(port -> ports.add(port.path("nodePort").asInt()));
        ports.remove(0);
        return ports;
    }

    /** What a change of the type leaves over, unless it was set with it. */
    private static void dropOfOtherTypes(ObjectNode spec, JsonNode was) {
        List<String> others = new ArrayList<>();
        if (!hasNodePorts(spec) && spec.path("externalIPs").isEmpty()) {
            others.add("externalTrafficPolicy");
        }
        if (!type(spec).equals("LoadBalancer")) {
            others.addAll(List.of("allocateLoadBalancerNodePorts", "loadBalancerClass"));
        }
        if (!isHealthChecked(spec)) {
            others.add("healthCheckNodePort");
        }
        others.removeIf(field -> !spec.path(field).equals(was.path(field)));
        spec.remove(others);
    }

    private void checkFree(Causes causes, JsonNode spec, ObjectKey key) {
        String address = spec.path("clusterIP").asText();
        if (!type(spec).equals(EXTERNAL) && !address.equals("None")) {
            ObjectKey owner = addresses.ownerOf(address);
            if (!ServiceAddresses.isInRange(address)) {
                refuse(
                        causes,
                        address,
                        "provided IP is not in the valid range. The range of valid IPs is " + ServiceAddresses.RANGE);
            } else if (owner != null && !owner.equals(key)) {
                refuse(causes, address, "provided IP is already allocated");
            }
        }
        for (int i = 0; i < spec.path("ports").size(); i++) {
            int port = spec.path("ports").path(i).path("nodePort").asInt();
            ObjectKey owner = addresses.ownerOf(port);
            String at = "spec.ports[" + i + "].nodePort";
            if (port > 0 && !ServiceAddresses.isNodePort(port)) {
                String range = "provided port is not in the valid range. The range of valid ports is 30000-32767";
                causes.add(FieldCause.invalid(at, Integer.toString(port), range));
            } else if (owner != null && !owner.equals(key)) {
                causes.add(FieldCause.invalid(at, Integer.toString(port), "provided port is already allocated"));
            }
        }
    }

    private static void refuse(Causes causes, String address, String why) {
        causes.add(FieldCause.invalid(
                "spec.clusterIPs", "[\"" + address + "\"]", "failed to allocate IP " + address + ": " + why));
    }

    private static String type(JsonNode spec) {
        return spec.path("type").asText();
    }

    private static boolean hasNodePorts(JsonNode spec) {
        return type(spec).equals("NodePort") || type(spec).equals("LoadBalancer");
    }

    private static String ports(JsonNode service) {
        List<String> ports = new ArrayList<>();
        for (JsonNode port : service.at("/spec/ports")) {
            String node = port.has("nodePort") ? ":" + port.path("nodePort").asText() : "";
            ports.add(port.path("port").asText() + node + "/"
                    + port.path("protocol").asText("TCP"));
        }
        return String.join(",", ports);
    }

    private static String addresses(JsonNode endpoints) {
        List<String> shown = new ArrayList<>();
        for (JsonNode subset : endpoints.path("subsets")) {
            List<String> addresses = subset.path("addresses").findValuesAsText("ip");
            if (subset.path("ports").isEmpty()) {
                shown.addAll(addresses);
            }
            for (JsonNode port : subset.path("ports")) {
                addresses.forEach(
                        address -> shown.add(address + ":" + port.path("port").asText()));
            }
        }
        return Columns.some(shown);
    }
}
