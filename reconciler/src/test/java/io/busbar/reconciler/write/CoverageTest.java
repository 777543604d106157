package io.busbar.reconciler.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class CoverageTest {

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    @Test
    void what_the_api_server_added_does_not_count() {
        assertCovers("{spec: {replicas: 1, strategy: {type: RollingUpdate}}, status: {a: 1}}", "{spec: {replicas: 1}}");
    }

    @Test
    void a_different_value_and_a_missing_field_do() {
        assertLacks("{spec: {replicas: 2}}", "{spec: {replicas: 1}}");
        assertLacks("{spec: {}}", "{spec: {replicas: 1}}");
        assertLacks("{}", "{metadata: {labels: {a: b}}}");
    }

    @Test
    void containers_are_found_by_name_among_others_and_with_defaults() {
        assertCovers(
                "{containers: [{name: injected}, {name: a, image: x, imagePullPolicy: Always}]}",
                "{containers: [{name: a, image: x}]}");
        assertLacks("{containers: [{name: a, image: x}]}", "{containers: [{name: a, image: y}]}");
        assertLacks("{containers: [{name: b, image: x}]}", "{containers: [{name: a, image: x}]}");
    }

    @Test
    void ports_are_found_by_number_and_protocol() {
        assertCovers("{ports: [{containerPort: 80, protocol: TCP}]}", "{ports: [{containerPort: 80}]}");
        assertLacks("{ports: [{port: 80, protocol: UDP}]}", "{ports: [{port: 80}]}");
    }

    @Test
    void other_lists_must_be_the_same_element_by_element() {
        assertCovers("{rules: [{verbs: [get], x: defaulted}]}", "{rules: [{verbs: [get]}]}");
        assertLacks("{args: [a, b]}", "{args: [b, a]}");
        assertLacks("{args: [a, b]}", "{args: [a]}");
    }

    @Test
    void finalizers_are_a_set() {
        assertCovers("{metadata: {finalizers: [x/a, x/b]}}", "{metadata: {finalizers: [x/b]}}");
    }

    @Test
    void quantities_compare_by_amount_where_quantities_stand() {
        assertCovers(
                "{resources: {limits: {cpu: '1', memory: 1Gi}}}",
                "{resources: {limits: {cpu: 1000m, memory: 1024Mi}}}");
        assertLacks("{resources: {limits: {cpu: '2'}}}", "{resources: {limits: {cpu: 1000m}}}");
        assertLacks("{env: [{name: a, value: '1'}]}", "{env: [{name: a, value: 1000m}]}");
    }

    @Test
    void an_empty_list_is_as_good_as_none_but_an_empty_object_is_not() {
        assertCovers("{spec: {}}", "{spec: {args: []}}");
        assertLacks("{volumes: [{name: a, configMap: {}}]}", "{volumes: [{name: a, emptyDir: {}}]}");
    }

    private static void assertCovers(String current, String desired) {
        assertThat(Coverage.covers(json(current), json(desired))).isTrue();
    }

    private static void assertLacks(String current, String desired) {
        assertThat(Coverage.covers(json(current), json(desired))).isFalse();
    }

    private static JsonNode json(String yaml) {
        return YAML.unmarshal("---\n" + yaml, JsonNode.class);
    }
}
