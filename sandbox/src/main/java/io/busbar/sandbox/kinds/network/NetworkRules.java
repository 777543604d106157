package io.busbar.sandbox.kinds.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import io.netty.util.NetUtil;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
        Place block = part.parent();
        if (Names.cidr(block.text("cidr")).isEmpty() && !isWithin(part.value().asText(), block.text("cidr"))) {
            part.invalid("must be a strict subset of `cidr`");
        }
    }

    private static boolean isWithin(String part, String whole) {
        int length = Integer.parseInt(whole.replaceFirst(".*/", ""));
        BigInteger inner = bits(part);
        BigInteger outer = bits(whole);
        int unused = (whole.contains(":") ? 128 : 32) - length;
        return part.contains(":") == whole.contains(":")
                && Integer.parseInt(part.replaceFirst(".*/", "")) > length
                && inner.shiftRight(unused).equals(outer.shiftRight(unused));
    }

    private static BigInteger bits(String cidr) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(cidr.replaceFirst("/.*", ""));
        return new BigInteger(1, Objects.requireNonNull(address));
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
