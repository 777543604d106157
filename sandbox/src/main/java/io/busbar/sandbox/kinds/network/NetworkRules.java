package io.busbar.sandbox.kinds.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.cel.Cidr;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.syntax.GoText;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rules of Ingresses and NetworkPolicies. Any thread. */
public final class NetworkRules {

    public static final RulesFile RULES = RulesFile.beside(
            NetworkRules.class,
            Map.of(
                    "policyTypes", NetworkRules::policyTypes,
                    "endPort", NetworkRules::endPort,
                    "except", NetworkRules::except,
                    "path", NetworkRules::path));

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

    private static void path(Place path) {
        String text = path.value().asText();
        if (!text.startsWith("/")) {
            path.invalid(GoText.quote(text), "must be an absolute path");
        }
        for (String forbidden : List.of("//", "/./", "/../", "%2f", "%2F")) {
            path.invalid(text.contains(forbidden) ? List.of("must not contain '" + forbidden + "'") : List.of());
        }
    }
}
