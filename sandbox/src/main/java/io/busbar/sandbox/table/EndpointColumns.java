package io.busbar.sandbox.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Columns of what tells the Pods behind a Service. Any thread. */
final class EndpointColumns {

    private static final int SHOWN = 3;

    /** By plural and group. */
    static final Map<String, List<Column>> ALL = Map.of(
            "endpoints",
            List.of(Column.NAME, Column.text("Endpoints", EndpointColumns::addresses), Column.AGE),
            "endpointslices.discovery.k8s.io",
            List.of(
                    Column.NAME,
                    Column.text(
                            "AddressType", slice -> slice.path("addressType").asText()),
                    Column.text("Ports", slice -> some(slice.path("ports").findValuesAsText("port"), "<unset>")),
                    Column.text("Endpoints", EndpointColumns::endpoints),
                    Column.AGE));

    private EndpointColumns() {}

    private static String addresses(ObjectNode endpoints) {
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
        return some(shown, "<none>");
    }

    private static String endpoints(ObjectNode slice) {
        List<String> shown = new ArrayList<>();
        for (JsonNode endpoint : slice.path("endpoints")) {
            endpoint.path("addresses").forEach(address -> shown.add(address.asText()));
        }
        return some(shown, "<unset>");
    }

    private static String some(List<String> all, String none) {
        if (all.isEmpty()) {
            return none;
        }
        String shown = String.join(",", all.subList(0, Math.min(SHOWN, all.size())));
        return all.size() <= SHOWN ? shown : shown + " + " + (all.size() - SHOWN) + " more...";
    }
}
