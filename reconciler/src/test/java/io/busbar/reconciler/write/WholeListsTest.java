package io.busbar.reconciler.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WholeListsTest {

    private static final String PORTS = """
            {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [port, protocol],
             items: {type: object, properties: {protocol: {type: string, default: TCP}}}}""";

    private static final Shape SHAPE = SchemaText.thing("ports: " + PORTS
            + ", containers: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, properties: {ports: "
            + PORTS + "}}}, tags: {type: array, x-kubernetes-list-type: set}");

    @Test
    void a_number_changed_by_hand_is_changed_back() {
        assertThat(correction(
                        "spec.ports",
                        "spec: {ports: [{name: http, port: 81, protocol: TCP}]}",
                        "spec: {ports: [{name: http, port: 80}]}"))
                .isEqualTo(SchemaText.json("""
                        - op: replace
                          path: /spec/ports
                          value: [{name: http, port: 80}]
                        """));
    }

    @Test
    void the_lists_on_the_way_are_gone_through_by_their_keys() {
        assertThat(correction(
                                "spec.containers.ports",
                                "spec: {containers: [{name: injected, ports: [{port: 9}]}, {name: app, ports: [{port: 81}]}]}",
                                "spec: {containers: [{name: app, ports: [{port: 80}]}]}")
                        .findValuesAsText("path"))
                .containsExactly("/spec/containers/1/ports");
    }

    @Test
    void an_element_that_was_added_goes_and_the_others_stay_as_the_api_server_completed_them() {
        assertThat(correction(
                        "spec.ports",
                        "spec: {ports: [{port: 80, protocol: TCP, nodePort: 30080}, {port: 81, protocol: TCP}]}",
                        "spec: {ports: [{port: 80}]}"))
                .isEqualTo(SchemaText.json("""
                        - op: replace
                          path: /spec/ports
                          value: [{port: 80, protocol: TCP, nodePort: 30080}]
                        """));
        assertThat(correction("spec.tags", "spec: {tags: [a, theirs]}", "spec: {tags: [a]}")
                        .at("/0/value"))
                .isEqualTo(SchemaText.json("[a]"));
    }

    @Test
    void nothing_is_corrected_where_there_are_no_others_or_the_list_is_not_named() {
        String desired = "spec: {ports: [{port: 53, protocol: UDP}, {port: 53}]}";

        assertThat(correction("spec.ports", "spec: {ports: [{port: 53, protocol: TCP}]}", desired))
                .isEmpty();
        assertThat(correction("spec.ports", "spec: {}", desired)).isEmpty();
        assertThat(correction("spec.ports", "spec: {ports: [{port: 80}]}", "spec: {type: ClusterIP}"))
                .isEmpty();
        assertThat(correction("spec.tags", "spec: {ports: [{port: 80}]}", desired))
                .isEmpty();
    }

    private static JsonNode correction(String path, String current, String desired) {
        return new WholeLists(Set.of(path)).correction(SHAPE, SchemaText.json(current), SchemaText.json(desired));
    }
}
