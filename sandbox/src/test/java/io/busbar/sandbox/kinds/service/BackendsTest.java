package io.busbar.sandbox.kinds.service;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BackendsTest {

    private static final ObjectNode SERVICE =
            object("{metadata: {name: 's'}, spec: {ports: [{name: 'a', port: 80, targetPort: 'web', protocol: 'TCP'},"
                    + " {name: 'b', port: 81, targetPort: 9000, protocol: 'TCP'}]}}");

    private static ObjectNode pod(int number, String ports) {
        return object("{metadata: {name: 'p" + number + "', uid: 'u" + number
                + "'}, spec: {nodeName: 'n', containers: [{ports: " + ports
                + "}]}, status: {phase: 'Running', podIP: '10.0.0."
                + number + "', conditions: [{type: 'Ready', status: 'True'}]}}");
    }

    private static ObjectNode web(int number) {
        return pod(number, "[{name: 'web', containerPort: 8080}]");
    }

    @Test
    void ports_that_the_same_pods_have_go_together() {
        List<Backend> backends = Backend.of(SERVICE, List.of(web(1), pod(2, "[]")));
        assertThat(Subsets.of(SERVICE, backends).findValuesAsText("port")).containsExactly("8080", "9000");
        assertThat(Subsets.of(SERVICE, backends)).hasSize(2);
        assertThat(Subsets.of(SERVICE, Backend.of(SERVICE, List.of(web(1), web(2)))))
                .hasSize(1);
    }

    @Test
    void a_pod_that_has_ended_or_has_no_address_is_left_out() {
        ObjectNode ended = web(1);
        ended.withObject("/spec").put("restartPolicy", "Never");
        ended.withObject("/status").put("phase", "Failed");
        ObjectNode unplaced = web(2);
        unplaced.withObject("/status").remove("podIP");
        assertThat(Backend.of(SERVICE, List.of(ended, unplaced))).isEmpty();
    }

    @Test
    void a_slice_holds_a_hundred_and_pods_stay_in_theirs() {
        List<ObjectNode> pods = new ArrayList<>();
        for (int i = 0; i < 101; i++) {
            pods.add(web(i));
        }
        Slicing slicing = new Slicing(SERVICE, Map.of("n", "z"));
        List<Slicing.Content> first = slicing.slice(Backend.of(SERVICE, pods), List.of());
        assertThat(first).extracting(content -> content.endpoints().size()).containsExactly(100, 1);
        assertThat(first.get(0).endpoints().at("/0/zone").asText()).isEqualTo("z");
        List<ObjectNode> slices = first.stream()
                .map(content -> {
                    ObjectNode slice = object("{metadata: {name: 'slice'}}");
                    slice.set("ports", content.ports());
                    slice.set("endpoints", content.endpoints().deepCopy());
                    return slice;
                })
                .toList();
        pods.remove(0);
        List<Slicing.Content> second = slicing.slice(Backend.of(SERVICE, pods), slices);
        assertThat(second).extracting(content -> content.endpoints().size()).containsExactly(99, 1);
    }

    @Test
    void a_service_without_pods_has_an_empty_slice() {
        List<Slicing.Content> contents = new Slicing(SERVICE, Map.of()).slice(List.of(), List.of());
        assertThat(contents)
                .singleElement()
                .satisfies(content -> assertThat(content.endpoints()).isEmpty());
    }
}
