package io.busbar.reconciler.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

class PortsTest {

    private static final String DEPLOYMENT =
            "spec: {template: {spec: {containers: [%s{name: app, ports: [{name: http, containerPort: %s}]}]}}}";

    @Test
    void a_number_changed_by_hand_is_changed_back() {
        assertThat(correction(DEPLOYMENT.formatted("", 81), DEPLOYMENT.formatted("", 80)))
                .isEqualTo(json("""
                        - op: replace
                          path: /spec/template/spec/containers/0/ports
                          value: [{name: http, containerPort: 80}]
                        """));
    }

    @Test
    void the_container_is_sought_by_its_name() {
        assertThat(correction(
                                DEPLOYMENT.formatted("{name: injected, ports: [{containerPort: 9}]}, ", 81),
                                DEPLOYMENT.formatted("", 80))
                        .at("/0/path")
                        .asText())
                .isEqualTo("/spec/template/spec/containers/1/ports");
    }

    @Test
    void a_port_that_was_added_goes_and_the_others_stay_as_the_api_server_completed_them() {
        assertThat(correction(
                        "spec: {ports: [{port: 80, protocol: TCP, nodePort: 30080}, {port: 81, protocol: TCP}]}",
                        "spec: {ports: [{port: 80}]}"))
                .isEqualTo(json("""
                        - op: replace
                          path: /spec/ports
                          value: [{port: 80, protocol: TCP, nodePort: 30080}]
                        """));
    }

    @Test
    void nothing_is_corrected_where_there_are_no_others() {
        String desired = "spec: {ports: [{port: 53, protocol: UDP}, {port: 53}]}";

        assertThat(correction("spec: {ports: [{port: 53, protocol: TCP}]}", desired))
                .isEmpty();
        assertThat(correction("spec: {}", desired)).isEmpty();
        assertThat(correction("spec: {ports: [{port: 80}]}", "spec: {type: ClusterIP}"))
                .isEmpty();
    }

    private static JsonNode correction(String current, String desired) {
        return Ports.correction(json(current), json(desired));
    }

    private static JsonNode json(String yaml) {
        return Serialization.unmarshal("---\n" + yaml, JsonNode.class);
    }
}
