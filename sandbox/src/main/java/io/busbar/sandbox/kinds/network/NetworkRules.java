package io.busbar.sandbox.kinds.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.cel.Cidr;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The rules of Ingresses and NetworkPolicies. Any thread. */
public final class NetworkRules {

    public static final RulesFile RULES = RulesFile.beside(
            NetworkRules.class,
            Map.of(
                    "policyTypes", NetworkRules::policyTypes,
                    "endPort", NetworkRules::endPort,
                    "except", NetworkRules::except,
                    "controller", NetworkRules::controller,
                    "path", NetworkRules::path),
            Map.of(
                    "hosts", NetworkRules::hosts,
                    "balancers", NetworkRules::balancers,
                    "ports", NetworkRules::ports,
                    "parameters", NetworkRules::parameters));

    private static final int SHOWN = 3;

    private NetworkRules() {}

    private static void policyTypes(Place policy) {
        ObjectNode spec = (ObjectNode) policy.value();
        if (!spec.has("policyTypes")) {
            ArrayNode types = spec.putArray("policyTypes").add("Ingress");
            if (spec.has("egress")) {
                types.add("Egress");
            }
        }
    }

    /** A part of the block that is smaller than it. */
    private static void except(Place part) {
        Optional<Cidr> whole = Cidr.parse(part.parent().text("cidr"));
        Optional<Cidr> inner = Cidr.parse(part.value().asText());
        boolean smaller = whole.flatMap(
                        block -> inner.filter(block::contains).filter(its -> its.prefix() > block.prefix()))
                .isPresent();
        if (whole.isPresent() && !smaller) {
            part.invalid("must be a strict subset of `cidr`");
        }
    }

    private static void endPort(Place end) {
        JsonNode port = end.parent().get("port");
        if (port.isTextual() && !end.isBlank()) {
            end.invalid("may not be specified when `port` is non-numeric");
        } else if (!end.isBlank() && end.value().asInt() < port.asInt()) {
            end.invalid(port.asText(), "must be greater than or equal to `port`");
        }
    }

    /** A domain, and a path below it. */
    private static void controller(Place controller) {
        if (controller.isBlank()) {
            controller.required();
            return;
        }
        String[] parts = controller.value().asText().split("/", 2);
        if (parts.length < 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            controller.invalid("must be a domain-prefixed path (such as \"acme.io/foo\")");
        } else {
            controller.invalid(GoText.quote(parts[0]), Names.dnsSubdomain(parts[0]));
        }
    }

    private static void path(Place path) {
        String text = path.value().asText();
        if (!text.startsWith("/")) {
            path.invalid(GoText.quote(text), "must be an absolute path");
        }
        for (String forbidden : List.of("//", "/./", "/../", "%2f", "%2F")) {
            path.invalid(text.contains(forbidden) ? List.of("must not contain '" + forbidden + "'") : List.of());
        }
    }

    /** A cell: the first few hosts, of as many rules as there are. */
    private static String hosts(JsonNode ingress) {
        JsonNode rules = ingress.at("/spec/rules");
        List<String> hosts = rules.findValuesAsText("host");
        hosts.removeIf(String::isEmpty);
        if (hosts.isEmpty()) {
            return "*";
        }
        String shown = String.join(",", hosts.subList(0, Math.min(SHOWN, hosts.size())));
        return hosts.size() <= SHOWN ? shown : shown + " + " + (rules.size() - SHOWN) + " more...";
    }

    private static String balancers(JsonNode ingress) {
        Set<String> addresses = new TreeSet<>();
        for (JsonNode balancer : ingress.at("/status/loadBalancer/ingress")) {
            String ip = balancer.path("ip").asText();
            addresses.add(ip.isEmpty() ? balancer.path("hostname").asText() : ip);
        }
        addresses.remove("");
        return String.join(",", addresses);
    }

    private static String ports(JsonNode ingress) {
        return ingress.at("/spec/tls").isEmpty() ? "80" : "80, 443";
    }

    private static String parameters(JsonNode reference) {
        String group =
                reference.has("apiGroup") ? "." + reference.path("apiGroup").asText() : "";
        return reference.path("kind").asText() + group + "/"
                + reference.path("name").asText();
    }
}
