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

    static final Map<String, Check> ALL = Map.of(
            "ports", ServiceChecks::ports,
            "externalName", ServiceChecks::externalName,
            "addresses", ServiceChecks::addresses,
            "ordinary", ServiceChecks::ordinary,
            "portNames", ServiceChecks::portNames,
            "slicePorts", ServiceChecks::slicePorts,
            "sliceAddress", ServiceChecks::sliceAddress,
            "sameClass", ServiceChecks::sameClass);

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

    /** One port needs no name, of several each does. */
    private static void portNames(Place ports) {
        for (Place port : ports.each()) {
            if (port.field("name").isBlank() && ports.value().size() > 1) {
                port.field("name").required();
            }
        }
    }

    /** Of a slice's ports one may have no name. */
    private static void slicePorts(Place ports) {
        Set<String> names = new HashSet<>();
        for (Place port : ports.each()) {
            if (!names.add(port.text("name"))) {
                port.field("name").duplicate(GoText.quote(port.text("name")));
            }
        }
    }

    /** An address of the kind that its slice has. Loopback addresses are allowed: webhooks of tests are there. */
    private static void sliceAddress(Place address) {
        String text = address.value().asText();
        String kind = address.root().text("addressType");
        if (kind.equals("FQDN")) {
            String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
            List<String> complaints = Names.dnsSubdomain(name);
            if (!complaints.isEmpty()) {
                address.invalid(GoText.quote(name), String.join(",", complaints));
            } else if (!name.contains(".")) {
                address.invalid(GoText.quote(name), "should be a domain with at least two segments separated by dots");
            }
        } else if (kind.matches("IPv[46]")) {
            boolean six = text.contains(":");
            if (!Names.ipAddress(text).isEmpty() || six != kind.equals("IPv6")) {
                address.invalid("must be a valid " + kind + " address");
            }
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
}
