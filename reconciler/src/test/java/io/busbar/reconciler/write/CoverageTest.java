package io.busbar.reconciler.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CoverageTest {

    private static final String CONTAINERS = """
            containers:
              type: array
              x-kubernetes-list-type: map
              x-kubernetes-list-map-keys: [name]
              items:
                type: object
                properties:
                  name: {type: string}
                  ports:
                    type: array
                    x-kubernetes-list-type: map
                    x-kubernetes-list-map-keys: [containerPort, protocol]
                    items: {type: object, properties: {protocol: {type: string, default: TCP}}}
            """;

    @Test
    void what_the_api_server_added_does_not_count() {
        assertCovers("a: {type: integer}", "{a: 1, b: {c: d}}", "{a: 1}");
    }

    @Test
    void a_different_value_and_a_missing_field_do() {
        assertLacks("", "{a: 2}", "{a: 1}");
        assertLacks("", "{}", "{a: 1}");
        assertLacks("", "{b: {}}", "{b: {a: 1}}");
    }

    @Test
    void elements_are_found_by_their_keys_among_others() {
        String schema = flow(CONTAINERS);
        assertCovers(
                schema,
                "{containers: [{name: injected}, {name: a, image: x, imagePullPolicy: Always}]}",
                "{containers: [{name: a, image: x}]}");
        assertLacks(schema, "{containers: [{name: a, image: x}]}", "{containers: [{name: a, image: y}]}");
        assertLacks(schema, "{containers: [{name: b, image: x}]}", "{containers: [{name: a, image: x}]}");
    }

    @Test
    void a_key_that_is_left_out_counts_as_its_default_in_lists_of_lists_too() {
        String schema = flow(CONTAINERS);
        String desired = "{containers: [{name: a, ports: [{containerPort: 80}]}]}";
        assertCovers(
                schema,
                "{containers: [{name: a, ports: [{containerPort: 80, protocol: UDP}, {containerPort: 80, protocol: TCP}]}]}",
                desired);
        assertLacks(schema, "{containers: [{name: a, ports: [{containerPort: 80, protocol: UDP}]}]}", desired);
    }

    @Test
    void an_element_too_many_in_a_list_that_is_one_value_counts_whatever_its_name() {
        for (String type : new String[] {"", ", x-kubernetes-list-type: atomic"}) {
            String schema = "env: {type: array, items: {type: object}" + type + "}";
            assertLacks(schema, "{env: [{name: a}, {name: theirs}]}", "{env: [{name: a}]}");
            assertLacks(schema, "{env: [{name: a}]}", "{env: [{name: a}, {name: b}]}");
            assertLacks(schema, "{env: [{name: b}, {name: a}]}", "{env: [{name: a}, {name: b}]}");
            assertCovers(schema, "{env: [{name: a}]}", "{env: [{name: a}]}");
        }
    }

    @Test
    void what_others_add_within_one_value_counts_unless_it_is_a_default() {
        String schema =
                "steps: {type: array, items: {type: object, properties: {retries: {type: integer, default: 3}}}}, "
                        + "selector: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}}";
        assertCovers(schema, "{steps: [{name: a, retries: 3}]}", "{steps: [{name: a}]}");
        assertLacks(schema, "{steps: [{name: a, retries: 4}]}", "{steps: [{name: a}]}");
        assertLacks(schema, "{steps: [{name: a, theirs: x}]}", "{steps: [{name: a}]}");
        assertLacks(schema, "{selector: {app: x, theirs: y}}", "{selector: {app: x}}");
        assertCovers(schema, "{selector: {app: x}}", "{selector: {app: x}}");
    }

    @Test
    void a_set_may_hold_more_in_any_order() {
        String schema = "tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}";
        assertCovers(schema, "{tags: [b, theirs, a]}", "{tags: [a, b]}");
        assertLacks(schema, "{tags: [a, theirs]}", "{tags: [a, b]}");
    }

    @Test
    void quantities_compare_by_amount_where_the_schema_says_that_they_are() {
        String schema = "limits: {type: object, additionalProperties: "
                + "{$ref: '#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity'}}, max: {type: string}";
        assertCovers(schema, "{limits: {cpu: '1', memory: 1Gi}}", "{limits: {cpu: 1000m, memory: 1024Mi}}");
        assertLacks(schema, "{limits: {cpu: '2'}}", "{limits: {cpu: 1000m}}");
        assertLacks(schema, "{max: '1'}", "{max: 1000m}");
    }

    @Test
    void a_number_and_a_text_of_the_same_digits_are_two_values() {
        String schema = "port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}";
        assertCovers(schema, "{port: 80}", "{port: 80}");
        assertLacks(schema, "{port: '80'}", "{port: 80}");
        assertCovers("ratio: {type: number}", "{ratio: 1}", "{ratio: 1.0}");
    }

    @Test
    void an_empty_list_is_as_good_as_none_but_an_empty_object_is_not() {
        assertCovers("", "{}", "{args: []}");
        assertLacks("", "{configMap: {}}", "{emptyDir: {}}");
    }

    private static String flow(String yaml) {
        return SchemaText.json(yaml).toString().replaceFirst("^\\{", "").replaceFirst("}$", "");
    }

    private static void assertCovers(String properties, String current, String desired) {
        assertThat(covers(properties, current, desired)).isTrue();
    }

    private static void assertLacks(String properties, String current, String desired) {
        assertThat(covers(properties, current, desired)).isFalse();
    }

    private static boolean covers(String properties, String current, String desired) {
        return Coverage.covers(
                SchemaText.thing(properties),
                SchemaText.json("{spec: " + current + ", status: {a: b}}"),
                SchemaText.json("{spec: " + desired + "}"));
    }
}
