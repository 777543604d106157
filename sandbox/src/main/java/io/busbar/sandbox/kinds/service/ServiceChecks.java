package io.busbar.sandbox.kinds.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.rules.Check;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is valid of a Service beyond the single field. This cluster has addresses of version 4 alone. Any thread. */
final class ServiceChecks {

    static final Map<String, Check> ALL = Map.ofEntries(
            Map.entry("ports", ServiceChecks::ports),
            Map.entry("portNumber", ServiceChecks::portNumber),
            Map.entry("type", ServiceChecks::type),
            Map.entry("externalName", ServiceChecks::externalName),
            Map.entry("traffic", ServiceChecks::traffic),
            Map.entry("addresses", ServiceChecks::addresses),
            Map.entry("families", ServiceChecks::families),
            Map.entry("familyPolicy", ServiceChecks::familyPolicy),
            Map.entry("ordinary", ServiceChecks::ordinary),
            Map.entry("sameClass", ServiceChecks::sameClass));

    private ServiceChecks() {}

    private static boolean isHeadless(Place spec) {
        return spec.text("clusterIP").equals("None");
    }

    private static void ports(Place spec) {
        Place ports = spec.field("ports");
        if (ports.isBlank() && !isHeadless(spec) && !spec.text("type").equals("ExternalName")) {
            ports.required();
        }
        Set<String> names = new HashSet<>();
        Set<List<JsonNode>> numbers = new HashSet<>();
        Set<List<JsonNode>> nodePorts = new HashSet<>();
        List<Place> each = ports.each();
        for (Place port : each) {
            Place name = port.field("name");
            if (name.isBlank() && each.size() > 1) {
                name.required();
            } else if (!name.isBlank() && !names.add(name.value().asText())) {
                name.duplicate();
            }
            if (!numbers.add(List.of(port.get("protocol"), port.get("port")))) {
                port.duplicate(shown(port));
            }
            Place node = port.field("nodePort");
            boolean given = node.value().asInt() != 0;
            if (given && spec.text("type").matches("ClusterIP|ExternalName")) {
                node.forbidden("may not be used when `type` is '" + spec.text("type") + "'");
            } else if (given && !nodePorts.add(List.of(port.get("protocol"), node.value()))) {
                node.duplicate();
            }
        }
    }

    /** What two ports have in common: the pair that no second one may have. */
    private static String shown(Place port) {
        return "{\"Name\":\"\",\"Protocol\":" + GoText.quote(port.text("protocol"))
                + ",\"AppProtocol\":null,\"Port\":" + port.get("port").asInt()
                + ",\"TargetPort\":0,\"NodePort\":0}";
    }

    private static void portNumber(Place port) {
        int number = port.get("port").asInt();
        if (number < 1 || number > 65_535) {
            port.field("port").invalid(Integer.toString(number), "must be between 1 and 65535, inclusive");
        }
    }

    private static void type(Place spec) {
        Place type = spec.field("type");
        if (type.isBlank()) {
            type.required();
        }
        if (isHeadless(spec) && spec.text("type").matches("NodePort|LoadBalancer")) {
            spec.field("clusterIPs")
                    .each()
                    .forEach(address ->
                            address.invalid("may not be set to 'None' for " + spec.text("type") + " services"));
        }
        if (spec.text("type").equals("ExternalName") && !spec.field("clusterIP").isBlank()) {
            spec.field("clusterIPs").forbidden("may not be set when `type` is 'ExternalName'");
        }
    }

    /** Not an address that means something else on every machine. */
    private static void ordinary(Place address) {
        String ip = address.value().asText();
        if (ip.matches("0\\.0\\.0\\.0|::")) {
            address.invalid("may not be unspecified (" + ip + ")");
        }
        if (ip.matches("127\\..*|::1")) {
            address.invalid("may not be in the loopback range (127.0.0.0/8, ::1/128)");
        }
        if (ip.matches("169\\.254\\..*|fe[89ab].:.*")) {
            address.invalid("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
        }
        if (ip.matches("224\\.0\\.0\\..*|ff02:.*")) {
            address.invalid("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
        }
    }

    private static void sameClass(Place name) {
        boolean balanced = name.parent().before().path("type").asText().equals("LoadBalancer");
        if (balanced && name.changed()) {
            name.invalid("may not change once set");
        }
    }

    /** A name in DNS may end with a dot. */
    private static void externalName(Place name) {
        String text = name.value().asText();
        String host = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        name.invalid(GoText.quote(host), Names.dnsSubdomain(host));
    }

    private static void traffic(Place spec) {
        Place policy = spec.field("externalTrafficPolicy");
        boolean external = spec.text("type").matches("NodePort|LoadBalancer")
                || (spec.text("type").equals("ClusterIP")
                        && !spec.field("externalIPs").isBlank());
        if (!policy.isBlank() && !external) {
            policy.invalid("may only be set for externally-accessible services");
        }
        Place health = spec.field("healthCheckNodePort");
        boolean local = spec.text("type").equals("LoadBalancer")
                && spec.text("externalTrafficPolicy").equals("Local");
        if (health.value().asInt() != 0 && !local) {
            health.invalid("may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
        }
    }

    private static void addresses(Place spec) {
        List<Place> addresses = spec.each("clusterIPs");
        if (!addresses.isEmpty() && !addresses.get(0).value().equals(spec.get("clusterIP"))) {
            spec.field("clusterIPs").invalid("first value must match `clusterIP`");
        }
        for (Place address : addresses) {
            if (!address.value().asText().equals("None")) {
                address.invalid(Names.ipAddress(address.value().asText()));
            }
        }
        JsonNode was = spec.before();
        String before = was.path("clusterIP").asText();
        boolean keeps = !spec.text("type").equals("ExternalName")
                && !was.path("type").asText().equals("ExternalName");
        if (spec.updates()
                && keeps
                && !before.isEmpty()
                && !spec.text("clusterIP").equals(before)) {
            spec.besides("spec.clusterIPs[0]")
                    .invalid("[" + GoText.quote(spec.text("clusterIP")) + "]", "may not change once set");
        }
    }

    private static void families(Place families) {
        for (Place family : families.each()) {
            if (!List.of("IPv4", "IPv6").contains(family.value().asText())) {
                family.unsupported(List.of("IPv4", "IPv6"));
            } else if (!family.value().asText().equals("IPv4")) {
                family.invalid("not configured on this cluster");
            }
        }
    }

    private static void familyPolicy(Place policy) {
        if (policy.isBlank()) {
            return;
        }
        if (!List.of("PreferDualStack", "RequireDualStack", "SingleStack")
                .contains(policy.value().asText())) {
            policy.unsupported(List.of("PreferDualStack", "RequireDualStack", "SingleStack"));
        } else if (policy.value().asText().equals("RequireDualStack")) {
            policy.invalid("this cluster is not configured for dual-stack services");
        }
    }
}
