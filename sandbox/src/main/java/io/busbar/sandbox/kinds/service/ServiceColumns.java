package io.busbar.sandbox.kinds.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.table.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Cells of Services, and of what tells the Pods behind them. Any thread. */
final class ServiceColumns {

    static final Map<String, Function<JsonNode, String>> CELLS =
            Map.of("ports", ServiceColumns::ports, "addresses", ServiceColumns::addresses);

    private ServiceColumns() {}

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
