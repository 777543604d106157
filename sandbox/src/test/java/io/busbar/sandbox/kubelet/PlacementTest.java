package io.busbar.sandbox.kubelet;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacementTest {

    private static final ObjectNode A = node("a", "{}", "True");
    private static final ObjectNode B = node("b", "{}", "True");
    private static final ObjectNode POD = object("{spec: {}}");

    @Test
    void takes_the_node_with_the_fewest_pods_then_the_first_by_name() {
        assertThat(Placement.choose(POD, List.of(B, A), Map.of())).contains("a");
        assertThat(Placement.choose(POD, List.of(A, B), Map.of("a", 2, "b", 1))).contains("b");
    }

    @Test
    void passes_over_nodes_that_are_not_ready_or_cordoned() {
        ObjectNode cordoned = node("a", "{unschedulable: true}", "True");

        assertThat(Placement.choose(POD, List.of(cordoned, node("b", "{}", "False")), Map.of()))
                .isEmpty();
    }

    @Test
    void obeys_selectors_and_taints() {
        ObjectNode tainted = node("a", "{taints: [{key: 'k', value: 'v', effect: 'NoSchedule'}]}", "True");
        ObjectNode tolerant = object("{spec: {tolerations: [{key: 'k', operator: 'Equal', value: 'v'}]}}");

        assertThat(Placement.choose(POD, List.of(tainted), Map.of())).isEmpty();
        assertThat(Placement.choose(tolerant, List.of(tainted), Map.of())).contains("a");
        assertThat(Placement.choose(object("{spec: {nodeSelector: {host: 'b'}}}"), List.of(A, B), Map.of()))
                .contains("b");
    }

    @Test
    void addresses_are_never_given_twice() {
        PodAddresses addresses = new PodAddresses();
        assertThat(addresses.next()).isEqualTo("10.128.0.1");
        addresses.seen("10.128.0.253");
        addresses.seen("");

        assertThat(addresses.next()).isEqualTo("10.128.0.254");
        assertThat(addresses.next()).isEqualTo("10.128.1.1");
    }

    private static ObjectNode node(String name, String spec, String ready) {
        return object("{metadata: {name: '" + name + "', labels: {host: '" + name + "'}}, spec: " + spec
                + ", status: {conditions: [{type: 'Ready', status: '" + ready + "'}]}}");
    }
}
