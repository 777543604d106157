package io.busbar.blueprint.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.check.CheckedPlan.CheckedStep;
import io.busbar.blueprint.render.Rendering.Fate;
import io.busbar.blueprint.render.Rendering.Step;
import io.busbar.blueprint.source.Problem;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RendererTest {

    private static final String SCHEMA = """
            spec:
              name: string
              count: integer | default=1
              tags: "[]string"
              any: object
            """;

    private List<String> problems = List.of();

    @Test
    void a_web_application_is_made_in_order_as_its_parts_become_ready() {
        Rendering first = example("web-application", false);

        assertThat(fates(first))
                .isEqualTo(Map.of("deployment", Fate.MADE, "service", Fate.WAITING, "ingress", Fate.WAITING));

        Rendering second = example("web-application", true);

        assertThat(objects(second)).isEqualTo(Blueprints.objects(Blueprints.file("web-application-objects.yaml")));
        assertThat(second.status())
                .hasToString("{\"availableReplicas\":2,\"endpoint\":\"http://front-web.shop\","
                        + "\"conditionTypes\":[\"Available\",\"Progressing\"],"
                        + "\"connection\":{\"port\":80,\"protocol\":\"TCP\"}}");
        assertThat(second.unknown()).isEmpty();
    }

    @Test
    void what_is_shared_is_read_and_what_is_not_in_it_left_out() {
        Rendering without = example("shared-config", false);

        assertThat(without.steps())
                .extracting(Step::why)
                .containsExactly(
                        "the ConfigMap 'platform' is not there",
                        "the Secret 'echo' is not there",
                        "'settings' is not ready");

        assertThat(objects(example("shared-config", true)))
                .isEqualTo(Blueprints.objects(Blueprints.file("shared-config-objects.yaml")).stream()
                        .toList());
    }

    @Test
    void a_collection_has_an_object_for_each_combination() {
        Rendering rendering = example("worker-pool", false);

        assertThat(objects(rendering)).isEqualTo(Blueprints.objects(Blueprints.file("worker-pool-objects.yaml")));
        assertThat(rendering.status()).hasToString("{\"total\":4}");
        assertThat(rendering.unknown()).hasSize(2);
    }

    @Test
    void a_collection_is_ready_when_each_of_its_objects_is() {
        String pods = objects(example("worker-pool", false)).stream()
                .filter(object -> object.path("kind").asText().equals("Pod"))
                .map(object -> object.toString().replaceFirst("}$", ",\"status\":{\"phase\":\"Running\"}}"))
                .collect(Collectors.joining("\n---\n"));

        Rendering almost = render(
                Blueprints.file("worker-pool.yaml"),
                Blueprints.file("worker-pool-instance.yaml"),
                pods.replaceFirst("Running", "Pending"));
        assertThat(fates(almost)).containsEntry("summary", Fate.WAITING);
        assertThat(almost.status()).hasToString("{\"total\":4,\"running\":3,\"allRunning\":false}");

        Rendering all = render(Blueprints.file("worker-pool.yaml"), Blueprints.file("worker-pool-instance.yaml"), pods);
        assertThat(objects(all).get(4).path("data"))
                .hasToString("{\"workers\":\"pool-east-alice, pool-east-carol, pool-west-alice, pool-west-carol\","
                        + "\"count\":\"4\"}");
        assertThat(all.status()).hasToString("{\"total\":4,\"running\":4,\"allRunning\":true}");
    }

    @Test
    void what_reads_what_is_left_out_is_left_out() {
        Rendering rendering = render(
                "{count: 1}",
                map("a", "x", "includeWhen: [\"${schema.spec.count > 1}\"]")
                        + map("b", "${a.data.x}", "")
                        + map("c", "${b.data.x}", "")
                        + map("d", "y", ""));

        assertThat(rendering.steps())
                .extracting(Step::why)
                .containsExactlyInAnyOrder("its includeWhen does not hold", "'a' is left out", "'b' is left out", "");
        assertThat(objects(rendering)).hasSize(1);
    }

    private static String each() {
        return map("a", "${t}", "forEach: [{t: \"${schema.spec.tags}\"}]").replace("name: a", "name: \"${t}\"");
    }

    @Test
    void an_empty_list_makes_no_objects() {
        Rendering rendering = render("{tags: []}", each());

        assertThat(rendering.steps()).containsExactly(new Step("a", Fate.MADE, List.of(), true, ""));
    }

    /** What does nothing else is looked up without CEL. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "text",
                "number",
                "yes",
                "none",
                "missing",
                "inner",
                "inner.text",
                "inner.text.text",
                "list",
                "my__dash__name"
            })
    void a_field_that_is_selected_alone_is_what_it_is_within_an_expression(String field) {
        String spec = "{any: {text: a, number: 1.5, yes: true, none: null, inner: {text: b}, list: [1], my-name: c}}";
        List<JsonNode> both = new ArrayList<>();
        List<String> flaws = new ArrayList<>();
        for (String expression : List.of("${schema.spec.any.%s}", "${[schema.spec.any.%s][0]}")) {
            Rendering rendering = render(spec, """
                    - id: a
                      template: {apiVersion: example.com/v1, kind: Any, metadata: {name: a}, x: "%s"}
                    """.formatted(expression.formatted(field)));
            both.add(
                    objects(rendering).isEmpty()
                            ? NullNode.instance
                            : objects(rendering).get(0).path("x"));
            flaws.add(problems.toString().replaceAll(".*cannot be evaluated", ""));
        }

        assertThat(both.get(0)).isEqualTo(both.get(1));
        assertThat(flaws.get(0)).isEqualTo(flaws.get(1));
    }

    @Test
    void functions_of_lists_and_encodings_are_evaluated() {
        String all = "${schema.spec.tags.sortBy(t, t).join(',')} ${schema.spec.tags.sort().reverse().join(',')}"
                + " ${lists.range(3).map(i, string(i)).join('')} ${base64.encode(bytes('a'))} ${string(math.least(2, 1))}";

        assertThat(objects(render("{tags: [b, a]}", map("a", all, "")))
                        .get(0)
                        .path("data")
                        .path("x")
                        .asText())
                .isEqualTo("a,b b,a 012 YQ== 1");
    }

    /** As kro's functions give it; hashes as sha256sum and md5sum print them, fnv64a as its authors do. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    '%x'.format([hash.sha256('abc')])      | ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
                    '%X'.format([hash.md5('abc')])         | 900150983CD24FB0D6963F7D28E17F72
                    '%x'.format([hash.fnv64a('foobar')])   | 85944171f73967e8
                    random.seededString(10, 'abc')         | r6qfjs5dr6
                    string(random.seededInt(-10, 10, 'abc')) | 4
                    json.marshal({'b': [1, 2.5, null], 'a': schema.spec.name}) | {"a":"abc","b":[1,2.5,null]}
                    string(json.unmarshal('{"a": [1, {"b": 3}]}').a[1].b + 1.0) | 4
                    string(json.unmarshal('{"n":2}').n * 1.5) + '%' | 3%
                    json.marshal({'a': 1.0, 'b': '<&>'}) | {"a":1,"b":"\\u003c\\u0026\\u003e"}
                    '%x'.format([hash.sha256(json.marshal({'a': 1.0, 'b': '<&>'}))]) | d9294461bc36d101b4edcc7618af552a5d0ffebdf14fb71f0f32aa184812074d
                    json.marshal([0.1, 1e20, 1e21, 1.25e-7, -0.5, 18446744073709551615u]) | [0.1,100000000000000000000,1e+21,1.25e-7,-0.5,18446744073709551615]
                    string(ip('2001:DB8::1')) + ' ' + string(semver('v1.2', true).minor()) + ' ' + string(cidr('10.1.2.3/8').masked()) | 2001:db8::1 2 10.0.0.0/8
                    json.marshal(duration('1h30m')) | "1h30m0s"
                    json.marshal(timestamp('2026-01-02T03:04:00.5Z')) | "2026-01-02T03:04:00Z"
                    json.marshal(b'hello') | "aGVsbG8="
                    json.marshal(json.unmarshal('{"name":"test","count":42,"r":1.5}')) | {"count":42,"name":"test","r":1.5}
                    json.marshal({'a': 1}.merge({'a': 2, 'b': 2})) | {"a":2,"b":2}
                    json.marshal({'a': {'b': 1, 'c': 1}}.deepMerge({'a': {'c': 2}, 'd': [1]})) | {"a":{"b":1,"c":2},"d":[1]}
                    json.marshal(lists.insertAtIndex([1, 2], 2, 3)) | [1,2,3]
                    json.marshal(lists.setAtIndex(lists.removeAtIndex([1, 2, 3], 0), 0, 9)) | [9,3]
                    """)
    void functions_of_kro_come_to_what_they_do_there(String code, String value) {
        assertThat(objects(render("{name: abc}", map("a", "\"${" + code.replace("\"", "\\\"") + "}\"", "")))
                        .get(0)
                        .path("data")
                        .path("x")
                        .asText())
                .isEqualTo(value);
    }

    @Test
    void numbers_and_times_are_written_as_go_writes_them() {
        Rendering rendering = render("{name: abc}", """
                - id: a
                  template:
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata: {name: a}
                    spec:
                      replicas: "${json.unmarshal('{\\"n\\":2}').n}"
                      selector: {matchLabels: {a: b}}
                      template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: d}]}}
                - id: b
                  template:
                    apiVersion: example.com/v1
                    kind: Any
                    metadata: {name: b}
                    x: ["${duration('1h30m')}", "${timestamp('2026-01-02T03:04:00Z')}", "${[2.0, 2.5, {'a': -1e3}]}"]
                """);

        assertThat(problems).isEmpty();
        assertThat(objects(rendering).get(0).at("/spec/replicas")).hasToString("2");
        assertThat(objects(rendering).get(1).path("x"))
                .hasToString("[\"1h30m0s\",\"2026-01-02T03:04:00Z\",[2,2.5,{\"a\":-1000}]]");
    }

    @Test
    void a_field_an_entry_and_an_item_that_omit_themselves_are_left_out() {
        Rendering rendering = render("{name: abc, count: 0}", """
                - id: a
                  template:
                    apiVersion: v1
                    kind: ConfigMap
                    metadata:
                      name: a
                      labels: "${schema.spec.count > 0 ? {'n': string(schema.spec.count)} : omit()}"
                      annotations: "${{'a': schema.spec.name, 'b': omit()}}"
                      finalizers: ["${schema.spec.count > 0 ? 'x.example.com/y' : omit()}", "x.example.com/z"]
                    data:
                      x: "${schema.spec.count > 0 ? 'some' : omit()}"
                      y: "${schema.spec.count == 0 ? 'none' : omit()}"
                """);

        assertThat(problems).isEmpty();
        assertThat(objects(rendering).get(0).path("metadata"))
                .hasToString("{\"name\":\"a\",\"annotations\":{\"a\":\"abc\"},\"finalizers\":[\"x.example.com/z\"],"
                        + "\"namespace\":\"here\"}");
        assertThat(objects(rendering).get(0).path("data")).hasToString("{\"y\":\"none\"}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
                    ${string(int(schema.spec.name))} # 'string(int(schema.spec.name))' cannot be evaluated: type conversion error from 'string' to 'int'; schema.spec.name is 'abc'
                    ${string(1 / (schema.spec.count - 1))} # cannot be evaluated: division by zero; schema.spec.count is 1
                    ${schema.spec.tags[0]}           # 'schema.spec.tags[0]' cannot be evaluated: no such key: tags
                    ${schema.spec.any.a}             # 'schema.spec.any.a' does not fit: must be a string, and is 5
                    '${schema.spec.any.a == 5 ? 5 : omit()}' # does not fit: must be a string, and is 5
                    '${string(schema.spec.any.deepMerge([1]).a)}' # deepMerge needs two maps, and has one and a list; schema.spec.any is
                    ${schema.spec.any.b}             # cannot be evaluated: no such key: b; schema.spec.any is
                    "a ${schema.spec.any.a}"         # 'schema.spec.any.a' is 5; within a text it must be a string
                    ${string(lists.range(10001).size())} # lists.range: 10001 is more than 10000
                    '${string(lists.range(10000).map(a, lists.range(10000)).size())}' # cannot be evaluated: operation cancelled: actual cost limit exceeded
                    '${cel.bind(a, "xxxxxxxxxx", cel.bind(b, a+a+a+a+a+a+a+a+a+a, cel.bind(c, b+b+b+b+b+b+b+b+b+b, cel.bind(d, c+c+c+c+c+c+c+c+c+c, cel.bind(e, d+d+d+d+d+d+d+d+d+d, cel.bind(f, e+e+e+e+e+e+e+e+e+e, cel.bind(g, f+f+f+f+f+f+f+f+f+f, g+g+g+g+g+g+g+g)))))))}' # operation cancelled
                    '${"%.999999999f".format([1.0])}' # exceeds maximum allowed precision
                    '${random.seededString(10001, schema.spec.name)}' # length must be positive, and no more than 10000, and is 10001; schema.spec.name is 'abc'
                    '${string(random.seededInt(5, 5, "a"))}' # min must be less than max, and they are 5 and 5
                    '${dyn([[0]].map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]))}' # cannot be evaluated: operation cancelled: actual cost limit exceeded
                    '${schema.spec.any.deepMerge({"b": [[0]].map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a]).map(a,[a,a])}).c}' # cannot be evaluated: operation cancelled: actual cost limit exceeded
                    '${json.unmarshal("{").a}' # json.unmarshal failed to parse JSON: Unexpected end-of-input
                    '${json.unmarshal("1 2").a}' # json.unmarshal failed to parse JSON: Trailing token
                    '${string(lists.removeAtIndex([1], 1)[0])}' # lists.removeAtIndex: the index 1 is out of bounds; allowed: 0 to 0
                    """)
    void what_fails_is_told_with_the_expression_and_its_values(String value, String problem) {
        render("{name: abc, any: {a: 5}}", map("a", value, ""));

        assertThat(problems)
                .singleElement()
                .asString()
                .startsWith("spec.resources[0].template.data.x: line 19")
                .contains(problem);
    }

    @Test
    void what_its_conditions_leave_out_waits_for_nothing() {
        String unready = map("a", "x", "readyWhen: [\"${a.data.y == 'y'}\"]");
        Rendering rendering = render(
                "{count: 1}",
                unready
                        + map("b", "${a.data.x}", "includeWhen: [\"${schema.spec.count > 1}\"]")
                        + map("c", "x", "includeWhen: [\"${a.data.x == 'y'}\", \"${schema.spec.count > 1}\"]")
                        + map("d", "${b.data.x}", "")
                        + map("e", "x", "includeWhen: [\"${a.data.x == 'y'}\"]"));

        assertThat(fates(rendering))
                .isEqualTo(Map.of(
                        "a", Fate.MADE,
                        "b", Fate.LEFT_OUT,
                        "c", Fate.LEFT_OUT,
                        "d", Fate.LEFT_OUT,
                        "e", Fate.WAITING));
        assertThat(problems).isEmpty();
    }

    @Test
    void a_value_of_another_type_is_a_failure_and_one_that_is_not_there_yet_is_waited_for() {
        String text = "apiVersion: example.com/v1\nkind: Other\nmetadata: {name: b}\n";
        String live = text + "spec: {text: secret, none: null, number: 1, list: [1]}\n";
        String other = "- id: b\n  externalRef: {apiVersion: example.com/v1, kind: Other, metadata: {name: b}}\n";
        String blueprint = Blueprints.with(
                SCHEMA,
                other
                        + map("number", "${string(b.spec.number + schema.spec.count)}", "")
                        + map("none", "${string(b.spec.none + 1)}", "")
                        + map("missing", "${string(b.spec.missing + 1)}", "")
                        + map("text", "${string(b.spec.text + schema.spec.count)}", ""));
        Rendering rendering = render(blueprint, instance("{count: 2}"), live);

        assertThat(fates(rendering))
                .isEqualTo(Map.of(
                        "b", Fate.READ,
                        "number", Fate.MADE,
                        "none", Fate.WAITING,
                        "missing", Fate.WAITING,
                        "text", Fate.WAITING));
        assertThat(problems)
                .singleElement()
                .asString()
                .endsWith(
                        "'string(b.spec.text + schema.spec.count)' cannot be evaluated: no such overload; b.spec.text is"
                                + " a string; schema.spec.count is 2")
                .doesNotContain("secret");
    }

    @Test
    void a_name_that_is_there_twice_or_empty_is_refused() {
        render("{tags: [a, a]}", each());
        assertThat(problems).singleElement().asString().endsWith("two objects of 'a' have the name 'a'");

        render("{name: ''}", map("a", "x", "").replace("name: a", "name: \"${schema.spec.name}\""));
        assertThat(problems).singleElement().asString().endsWith("the name of an object must not be empty");
    }

    @Test
    void an_object_is_in_the_namespace_of_its_instance_if_it_is_in_any() {
        Rendering rendering = render("{}", map("a", "x", "") + """
                - id: b
                  template: {apiVersion: v1, kind: Namespace, metadata: {name: b}}
                - id: c
                  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: elsewhere}}
                """);

        assertThat(objects(rendering))
                .extracting(object -> object.path("metadata").path("namespace").asText())
                .containsExactly("here", "", "elsewhere");
    }

    /** A check cannot tell that of a kind that nobody knows. */
    @Test
    void an_object_in_a_namespace_must_say_which_where_the_instance_is_in_none() {
        Problems found = new Problems();
        Renderer renderer =
                new Renderer(Blueprints.checked(Blueprints.with("scope: Cluster\nspec: {ns: string}\n", """
                        - id: a
                          template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: "${schema.spec.ns}"}}
                        - id: b
                          template: {apiVersion: example.com/v1, kind: Other, metadata: {name: b}}
                        """)));
        Rendering rendering = renderer.render(
                Blueprints.documents("apiVersion: busbar.io/v1\nkind: Test\nmetadata: {name: it}\nspec: {ns: ''}\n")
                        .get(0),
                new LiveObjects(List.of()),
                found);

        assertThat(objects(rendering))
                .extracting(object -> object.at("/metadata/name").asText())
                .containsExactly("b");
        assertThat(found.list())
                .singleElement()
                .asString()
                .endsWith("the field 'metadata.namespace' is empty: instances are in none, and a ConfigMap is in one");
    }

    @Test
    void a_step_about_an_object_in_a_namespace_must_say_which_where_the_instance_is_in_none() {
        CheckedBlueprint blueprint = Blueprints.checked(Blueprints.with("scope: Cluster\n" + SCHEMA, "") + """
                  plans:
                    - name: work
                      phases:
                        - name: all
                          steps:
                            - name: nowhere
                              apply: {apiVersion: example.com/v1, kind: Other, metadata: {name: x}}
                            - name: there
                              apply: {apiVersion: example.com/v1, kind: Other, metadata: {name: x, namespace: y}}
                """);
        SourceNode instance = Blueprints.documents("apiVersion: busbar.io/v1\nkind: Test\nmetadata: {name: it}\n")
                .get(0);
        PlanRendering plan = new Renderer(blueprint)
                .plan(instance, new LiveObjects(List.of()), JsonNodeFactory.instance.objectNode());
        Map<String, CheckedStep> steps = blueprint.plans().get(0).steps();
        Problems found = new Problems();

        assertThat(plan.object(steps.get("there"), found).object()).isPresent();
        assertThat(found.list()).isEmpty();
        assertThat(plan.object(steps.get("nowhere"), found).object()).isEmpty();
        assertThat(found.list())
                .singleElement()
                .asString()
                .startsWith("spec.plans[0].phases[0].steps[0].apply: ")
                .endsWith("the field 'metadata.namespace' is empty: instances are in none, and a Other is in one");
    }

    @Test
    void several_objects_are_read_by_a_selector() {
        String blueprint = Blueprints.with(SCHEMA, """
                - id: shared
                  externalRef:
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {selector: {matchLabels: {team: "${schema.spec.name}"}}}
                """ + map("a", "${shared.map(s, s.metadata.name).join(',')}", ""));
        Rendering rendering = render(blueprint, instance("{name: red}"), """
                {apiVersion: v1, kind: ConfigMap, metadata: {name: one, labels: {team: red}}}
                ---
                {apiVersion: v1, kind: ConfigMap, metadata: {name: two, labels: {team: blue}}}
                ---
                {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: ConfigMap, metadata: {name: three, labels: {team: red}}}]}
                """);

        assertThat(objects(rendering).get(0).path("data").path("x").asText()).isEqualTo("one,three");
    }

    @Test
    void bytes_are_what_they_stand_for_and_base64_where_they_are_written() {
        Rendering rendering = render(Blueprints.with(SCHEMA, """
                - id: secret
                  externalRef: {apiVersion: v1, kind: Secret, metadata: {name: login}}
                - id: same
                  template:
                    apiVersion: v1
                    kind: Secret
                    metadata: {name: same}
                    data: ${secret.data}
                - id: some
                  template:
                    apiVersion: v1
                    kind: Secret
                    metadata: {name: some}
                    data:
                      copied: ${secret.data.password}
                      chosen: "${has(secret.data.password) ? secret.data.password : b''}"
                      made: ${base64.encode(b'x')}
                - id: texts
                  template:
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {name: texts}
                    data:
                      password: ${string(secret.data.password)}
                      url: mysql://root:${string(secret.data.password)}@db
                      encoded: ${base64.encode(secret.data.password)}
                      age: ${string(secret.metadata.creationTimestamp + duration('1h'))}
                      merged: ${string(secret.data.merge({'b':b'c'}).password)}
                      deeper: ${string(dyn({'a':{'b':b'd'}}).deepMerge({'a':{'c':secret.data.password}}).a.c)}
                """), instance("{}"), """
                apiVersion: v1
                kind: Secret
                metadata: {name: login, creationTimestamp: "2026-01-01T00:00:00Z"}
                data: {password: aHVudGVyMg==}
                """);

        assertThat(problems).isEmpty();
        assertThat(objects(rendering))
                .extracting(object -> object.path("data").toString())
                .containsExactly(
                        "{\"password\":\"aHVudGVyMg==\"}",
                        "{\"copied\":\"aHVudGVyMg==\",\"chosen\":\"aHVudGVyMg==\",\"made\":\"eA==\"}",
                        "{\"password\":\"hunter2\",\"url\":\"mysql://root:hunter2@db\",\"encoded\":\"aHVudGVyMg==\","
                                + "\"age\":\"2026-01-01T01:00:00Z\",\"merged\":\"hunter2\",\"deeper\":\"hunter2\"}");
    }

    @Test
    void nothing_is_read_by_a_selector_that_comes_to_none() {
        String blueprint = Blueprints.with(
                "spec: {labels: object, team: string}", """
                - id: all
                  externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {selector: "${schema.spec.labels}"}}
                - id: some
                  externalRef:
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {selector: {matchLabels: {team: "${schema.spec.team}"}}}
                """ + map("a", "${all.map(s, s.metadata.name).join(',')}", ""));
        Rendering rendering = render(blueprint, instance("{labels: {tier: db}, team: 'a b'}"), """
                {apiVersion: v1, kind: ConfigMap, metadata: {name: one, labels: {team: red}}}
                """);

        assertThat(objects(rendering)).isEmpty();
        assertThat(problems)
                .extracting(problem -> problem.replaceFirst("^.*column \\d+: ", ""))
                .containsExactly(
                        "'schema.spec.labels' does not fit: tier is an unknown field of an object LabelSelector",
                        "matchLabels[team]: 'a b' is no value of a label");
    }

    @Test
    void a_whole_object_of_the_instance_keeps_its_names() {
        Rendering rendering = render(
                Blueprints.with("spec: {labels: {app-name: string, namespace: string}}", """
                        - id: a
                          template:
                            apiVersion: v1
                            kind: ConfigMap
                            metadata: {name: a}
                            data: ${schema.spec.labels}
                        """),
                instance("{labels: {app-name: x, namespace: y}}"),
                "");

        assertThat(objects(rendering).get(0).path("data")).hasToString("{\"app-name\":\"x\",\"namespace\":\"y\"}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
                    {name: 5}             # spec.name: line 4, column 14: 5 is not of the type string
                    {colour: red}         # spec.colour: line 4, column 8: unknown field
                    {tags: [a, 1]}        # spec.tags[1]: line 4, column 18: 1 is not of the type string
                    []                    # spec: line 4, column 7: [] is not of the type object
                    """)
    void an_instance_must_be_valid(String spec, String problem) {
        SourceNode instance = Blueprints.documents(instance(spec)).get(0);

        assertThat(new Renderer(Blueprints.checked(Blueprints.with(SCHEMA, "")))
                        .check(instance)
                        .list())
                .extracting(Problem::toString)
                .containsExactly(problem);
    }

    private static String map(String id, String value, String more) {
        return """
                - id: %s
                  template:
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {name: %s}
                    data: {x: %s}
                  %s
                """.formatted(id, id, value.startsWith("$") ? "\"" + value.replace("\"", "'") + "\"" : value, more);
    }

    private static String instance(String spec) {
        return "apiVersion: busbar.io/v1\nkind: Test\nmetadata: {name: it, namespace: here}\nspec: " + spec + "\n";
    }

    private Rendering example(String name, boolean live) {
        return render(
                Blueprints.file(name + ".yaml"),
                Blueprints.file(name + "-instance.yaml"),
                live ? Blueprints.file(name + "-live.yaml") : "");
    }

    private Rendering render(String spec, String resources) {
        return render(Blueprints.with(SCHEMA, resources), instance(spec), "");
    }

    private Rendering render(String blueprint, String instance, String live) {
        Problems found = new Problems();
        Renderer renderer = new Renderer(Blueprints.checked(blueprint));
        SourceNode document = Blueprints.documents(instance).get(0);
        assertThat(renderer.check(document).list()).isEmpty();
        Rendering rendering = renderer.render(document, new LiveObjects(Blueprints.objects(live)), found);
        problems = found.list().stream().map(Problem::toString).toList();
        return rendering;
    }

    private static Map<String, Fate> fates(Rendering rendering) {
        return rendering.steps().stream().collect(Collectors.toMap(Step::id, Step::fate));
    }

    private static List<JsonNode> objects(Rendering rendering) {
        return rendering.steps().stream()
                .flatMap(step -> step.objects().stream())
                .map(JsonNode.class::cast)
                .toList();
    }
}
