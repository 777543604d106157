package io.busbar.blueprint.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.Rollout;
import io.busbar.blueprint.Rollout.Amount;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlueprintCheckTest {

    private static final String SCHEMA = """
            spec:
              name: string
              count: integer
              ratio: float
              on: boolean
              tags: "[]string"
              labels: map[string]string
              any: object
              port: {number: integer, my-name: string}
            """;

    @ParameterizedTest
    @ValueSource(strings = {"web-application", "shared-config", "worker-pool", "databases", "platform"})
    void the_documented_examples_are_fine(String name) {
        assertThat(Blueprints.problems(Blueprints.file(name + ".yaml"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
                    replicas: ${schema.spec.count}                        # OK
                    replicas: ${schema.spec.count * 2 + 1}                # OK
                    replicas: ${schema.spec.any}                          # OK
                    replicas: ${schema.spec.?count}                       # OK
                    replicas: ${schema.spec.?count.orValue(3)}            # OK
                    replicas: 3                                           # OK
                    paused: ${schema.spec.on}                             # OK
                    template: {metadata: {labels: "${schema.spec.labels}"}} # OK
                    template: {metadata: {labels: '${{"a": schema.spec.name}}'}} # OK
                    template: {metadata: {namespace: "${schema.metadata.namespace}"}} # OK
                    template: {metadata: {labels: {a: "${schema.metadata.labels.a}"}}} # OK
                    template: {spec: {priority: "${schema.spec.port.number}", hostname: "${schema.spec.port.my__dash__name}"}} # OK
                    template: {spec: {containers: [{name: a, args: "${schema.spec.tags}"}]}} # OK
                    template: {spec: {containers: [{name: a, resources: {limits: {cpu: 2, memory: "${schema.spec.count}"}}}]}} # OK
                    template: {spec: {containers: '${other.spec.template.spec.containers}'}} # OK
                    template: {spec: {containers: ['${{"name": schema.spec.name}}']}} # OK
                    template: {metadata: {labels: {q: '${quantity("1Gi").isGreaterThan(quantity("1G")) ? "a" : "b"}'}}} # OK
                    replicas: ${schema.spec.name}                         # 'schema.spec.name' is a string; the field needs an integer
                    replicas: ${schema.spec.ratio}                        # 'schema.spec.ratio' is a number; the field needs an integer
                    replicas: ${schema.spec.?name}                        # 'schema.spec.?name' is a string; the field needs an integer
                    replicas: three                                       # must be an integer, and is 'three'
                    replicas: "3"                                         # must be an integer, and is '3'
                    replicas: "1${schema.spec.name}"                      # expressions within a text make a string; the field needs an integer
                    replicas: [1]                                         # must be an integer, and is a list
                    replica: 3                                            # unknown field of an object DeploymentSpec; there is replicas
                    paused: ${schema.spec.count}                          # 'schema.spec.count' is an integer; the field needs a boolean
                    template: {metadata: {name: "${schema.spec.count}"}}  # 'schema.spec.count' is an integer; the field needs a string
                    template: {metadata: {name: "a-${schema.spec.count}"}} # 'schema.spec.count' is an integer; within a text it must be a string
                    template: {metadata: {labels: "${schema.spec.tags}"}} # 'schema.spec.tags' is a list, each item a string; the field needs a map, each value a string
                    template: {metadata: {labels: '${{"a": 1}}'}}         # is a map, each value an integer; the field needs a map, each value a string
                    template: {metadata: {labels: {"${schema.spec.name}": a}}} # there can be no expression in the name of a field
                    template: {spec: {containers: "${schema.spec.tags}"}} # the field needs a list, each item an object Container
                    template: {spec: {containers: '${other.spec.template.spec.containers[0]}'}} # is an object Container; the field needs a list, each item an object Container
                    template: {spec: {containers: ["${schema.spec.port}"]}} # is an object port; the field needs an object Container
                    template: {metadata: {name: '${quantity("1")}'}}      # is a Quantity, which is no value of JSON; the field needs a string
                    template: {metadata: {name: '${ip("::1")}'}}          # is an IP, which is no value of JSON; the field needs a string
                    replicas: ${schema.spec.cuont}                        # 'schema.spec.cuont': undefined field 'cuont'
                    replicas: ${other.spec.size}                          # 'other.spec.size': undefined field 'size'
                    replicas: "${schema.spec.count > 1 ? schema.spec.count : omit()}" # OK
                    template: {metadata: {name: "a-${omit()}"}}           # 'omit()' leaves out a field of a template; it is not allowed here
                    replicas: ${schema.status.x}                          # 'schema.status.x': undefined field 'status'
                    replicas: ${size(1)}                                  # 'size(1)': found no matching overload for 'size'
                    replicas: ${1 +}                                      # '1 +': Syntax error: mismatched input
                    replicas: ${cidr2(schema.spec.name)}                  # the function 'cidr2' is not known
                    replicas: ${schema.spec.name.length()}                # the function 'length' is not known
                    replicas: ${length}                                   # 'length' is not known here; allowed: schema, other
                    replicas: ${foo.bar}                                  # 'foo' is not known here; allowed: schema, other
                    replicas: ${it.spec.replicas}                         # 'it' refers to itself; only its readyWhen may
                    replicas: ${                                          # the expression has no closing brace
                    """)
    void an_expression_must_fit_its_field(String field, String problem) {
        var problems = Blueprints.problems(Blueprints.with(SCHEMA, """
                - id: it
                  template:
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata: {name: it}
                    spec:
                      %s
                - id: other
                  template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: other}}
                """.formatted(field)));

        if (problem.equals("OK")) {
            assertThat(problems).isEmpty();
        } else {
            assertThat(problems)
                    .singleElement()
                    .asString()
                    .contains("spec.resources[0].template.spec")
                    .contains(problem);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "service.status.?loadBalancer.?ingress[0].?hostname",
                "service.status.loadBalancer.ingress[0].hostname",
                "service.status.?loadBalancer.?ingress.orValue([]).size() > 0 ? 'a' : 'b'",
                "'https://%s.%s.svc'.format([service.metadata.name, service.metadata.namespace])",
                "schema.spec.labels.map(k, k).sort()[0]",
                "schema.spec.labels.transformMap(k, v, v + 'x').a",
                "has(schema.spec.name) ? schema.spec.name : 'none'",
                "schema.spec.tags.sortBy(t, t)[0] + schema.spec.tags.sort()[0]",
                "schema.spec.tags[?0].orValue('z')",
                "base64.encode(bytes(schema.spec.name))",
                "string(math.greatest(schema.spec.count, 3))",
                "schema.spec.name.lowerAscii().split('-')[0]",
                "url('https://a.b').getHost()",
                "string(timestamp(service.metadata.creationTimestamp).getFullYear())",
                "string(service.metadata.creationTimestamp == null)",
                "string(service.metadata.creationTimestamp.getFullYear())",
                "service.metadata.creationTimestamp + duration('1h') > timestamp('2026-01-01T00:00:00Z') ? 'a' : 'b'",
                "lists.range(3).map(i, string(i)).join('')",
                "cel.bind(x, schema.spec.name, x + x)",
                "random.seededString(8, schema.metadata.uid)",
                "string(random.seededInt(30000, 32768, schema.metadata.uid))",
                "'%x'.format([hash.sha256(schema.spec.name)]) + base64.encode(hash.md5('a')) + string(hash.fnv64a('a').size())",
                "json.marshal(schema.spec.any) + json.unmarshal(schema.spec.name).a",
                "schema.spec.labels.merge({'a': 'b'})['a']",
                "schema.spec.any.deepMerge({'a': {'b': 1}}).a.b",
                "schema.spec.labels.transformMapEntry(k, v, {v: k}).a",
                "lists.setAtIndex(schema.spec.tags, 0, 'x')[0] + lists.removeAtIndex(['a'], 0).join('')",
                "schema.spec.any.a.b.c",
                "service.spec.ports[0].targetPort",
                "string(sets.contains(schema.spec.tags, ['a']))"
            })
    void expressions_have_the_functions_of_kubernetes_and_of_cel(String code) {
        assertThat(Blueprints.problems(Blueprints.with(SCHEMA, map("a", "\"${" + code + "}\"") + """
                - id: service
                  template: {apiVersion: v1, kind: Service, metadata: {name: service}}
                """)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
            |                         # ${schema.spec.name +     # schema.spec.nope}   # line 27, column 24: .*undefined field 'nope'
            |                         # ${schema.spec.name +     # 1 +}                # line 27, column 15: .*Syntax error.*
            |-                        # text ${schema.spec.name} # ${nope}             # line 27, column 15: 'nope' is not known here.*
            >-                        # ${schema.spec.name +     # schema.spec.nope}   # line 27, column 24: .*undefined field 'nope'
            >                         # - ${schema.spec.name} -  # ${1 - 'a'}          # line 27, column 17: .*no matching overload.*
            `"`                       # ${schema.spec.name +     # schema.spec.nope}"  # line 27, column 24: .*undefined field 'nope'
            |                         # ${                       # schema.spec.count}  # line 27, column 13: 'schema.spec.count' is an integer.*
            """)
    void what_is_wrong_in_a_text_of_several_lines_is_told_with_its_line(
            String header, String first, String second, String problem) {
        String text = header + "\n" + (first + "\n" + second + "\n").indent(8).stripTrailing();

        assertThat(Blueprints.problems(Blueprints.with(SCHEMA, map("a", "").replace("x: ", "x: " + text))
                        .stripTrailing()))
                .first()
                .asString()
                .matches(".*" + problem);
    }

    @Test
    void a_cycle_is_told_whole() {
        assertThat(Blueprints.problems(Blueprints.with(
                        SCHEMA, map("a", "${b.data.x}") + map("b", "${c.data.x}") + map("c", "${a.data.x}"))))
                .containsExactly(
                        "spec.resources[2].template.data.x: line 41, column 16: the resources refer to one another in"
                                + " a cycle: a → b → c → a");
    }

    @Test
    void each_cycle_is_told_also_when_expressions_in_it_are_wrong() {
        assertThat(Blueprints.problems(Blueprints.with(
                        SCHEMA,
                        map("a", "${b.data.x + 1}")
                                + map("b", "${a.data.x}")
                                + map("c", "${d.data.x}")
                                + map("d", "${c.data.x}"))))
                .hasSize(3)
                .anySatisfy(problem -> assertThat(problem).endsWith("in a cycle: a → b → a"))
                .anySatisfy(problem -> assertThat(problem).endsWith("in a cycle: c → d → c"))
                .anySatisfy(problem -> assertThat(problem).contains("found no matching overload"));
    }

    @Test
    void a_variable_of_a_macro_is_no_reference() {
        assertThat(Blueprints.problems(Blueprints.with(
                        SCHEMA, map("a", "${schema.spec.tags.map(b, b + 'x').join(',')}") + map("b", "${a.data.x}"))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
                    readyWhen: ["${a.data.x == 'b'}"]                     # OK
                    readyWhen: ["${schema.spec.on}"]                      # readyWhen may refer to 'a' only
                    readyWhen: ["${each.data.x == 'b'}"]                  # 'each' is not known here; allowed: a
                    readyWhen: ["${a.data.x}"]                            # 'a.data.x' is a string; a condition needs a boolean
                    readyWhen: ["x ${true}"]                              # must be one expression, ${…}, and is 'x ${true}'
                    readyWhen: ${true}                                    # must be a list, and is '${true}'
                    readyWhen: [true]                                     # must be a text, and is true
                    includeWhen: ["${schema.spec.on}"]                    # OK
                    includeWhen: ["${schema.spec.on}", "${schema.spec.name}"] # 'schema.spec.name' is a string; a condition needs a boolean
                    includeWhen: ["${a.data.x == ''}"]                    # 'a' refers to itself; only its readyWhen may
                    includeWhen: ["${omit()}"]                            # 'omit()' leaves out a field of a template; it is not allowed here
                    forEach: [{t: "${omit()}"}]                           # 'omit()' leaves out a field of a template; it is not allowed here
                    forEach: [{t: "${schema.spec.name}"}]                 # 'schema.spec.name' is a string; forEach needs a list
                    forEach: [{t: "${schema.spec.tags}", u: "${[1]}"}]    # must be a map of one name to an expression
                    forEach: [{schema: "${schema.spec.tags}"}]            # 'schema' means something else in expressions
                    forEach: [{T: "${schema.spec.tags}"}]                 # 'T' is not allowed as a variable
                    forEach: [{a: "${schema.spec.tags}"}]                 # 'a' is the id of a resource
                    wen: []                                               # unknown field; allowed: id, template, externalRef
                    """)
    void conditions_and_lists_refer_to_what_they_may(String field, String problem) {
        var problems = Blueprints.problems(Blueprints.with(SCHEMA, map("a", "x") + "  " + field + "\n"));

        if (problem.equals("OK")) {
            assertThat(problems).isEmpty();
        } else {
            assertThat(problems)
                    .isNotEmpty()
                    .anySatisfy(each -> assertThat(each).contains(problem));
        }
    }

    @Test
    void the_items_of_a_list_have_their_type() {
        String resources = map("a", "${tag + 1}").replace("name: a", "name: a-${tag}")
                + "  forEach: [{tag: \"${schema.spec.tags}\"}]\n" + "  readyWhen: [\"${each.data.x == 1}\"]\n"
                + map("b", "${a.data.x}");

        assertThat(Blueprints.problems(Blueprints.with(SCHEMA, resources)))
                .hasSize(3)
                .anySatisfy(problem -> assertThat(problem).contains("'tag + 1': found no matching overload"))
                .anySatisfy(problem -> assertThat(problem).contains("'each.data.x == 1': found no matching overload"))
                .anySatisfy(
                        problem -> assertThat(problem).contains("'a.data.x': type 'list(ConfigMap)' does not support"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
                    {name: "a-${t}", namespace: "${u}"}           # OK
                    {name: "a-${t + u}"}                          # OK
                    {name: "a-${cel.bind(x, t, x)}-${hash.md5(u).size()}"} # within a text it must be a string
                    {name: "a-${t}"}                              # forEach[1].u: line 26, column 9: 'u' must be in the name or the namespace of the template: else several items ask for one object
                    {name: "a", namespace: "${t}"}                # forEach[1].u: line 26, column 9: 'u' must be in the name
                    {name: "${schema.spec.tags.map(u, u)[0] + t}"} # forEach[1].u: line 26, column 9: 'u' must be in the name
                    {name: "${nothing}"}                          # 'nothing' is not known here
                    """)
    void each_variable_of_a_collection_tells_its_objects_apart(String metadata, String problem) {
        var problems = Blueprints.problems(Blueprints.with(SCHEMA, """
                - id: it
                  template:
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: %s
                    data: {a: "${t}", b: "${u}"}
                  forEach:
                  - t: ${schema.spec.tags}
                  - u: ${schema.spec.tags}
                """.formatted(metadata)));

        if (problem.equals("OK")) {
            assertThat(problems).isEmpty();
        } else {
            assertThat(problems).singleElement().asString().contains(problem);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
                    Namespaced # {name: "${schema.spec.on ? 'a' : omit()}"}             # metadata.name
                    Namespaced # {name: a, namespace: "${omit()}"}                      # OK
                    Cluster    # {name: a, namespace: "${omit()}"}                      # metadata.namespace
                    """)
    void what_tells_which_object_it_is_cannot_be_left_out(String scope, String metadata, String field) {
        var problems = Blueprints.problems(Blueprints.with(
                SCHEMA + "scope: " + scope,
                "- {id: it, template: {apiVersion: v1, kind: ConfigMap, metadata: " + metadata + "}}\n"));

        if (field.equals("OK")) {
            assertThat(problems).isEmpty();
        } else {
            assertThat(problems)
                    .singleElement()
                    .asString()
                    .startsWith("spec.resources[0].template." + field + ": ")
                    .endsWith("'omit()' leaves out a field of a template; it is not allowed here");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"spec: {}", "", "spec: {empty: {}}", "openAPIV3Schema: {type: object, properties: {}}"})
    void a_field_that_the_definition_would_lose_is_unknown(String schema) {
        String field = schema.contains("empty") ? "schema.spec.empty" : "schema.spec";

        assertThat(Blueprints.problems(Blueprints.with(schema, map("a", "${" + field + ".nope}"))))
                .singleElement()
                .asString()
                .contains("'" + field + ".nope': undefined field 'nope'");
    }

    @Test
    void an_instance_of_the_cluster_has_no_namespace() {
        assertThat(Blueprints.problems(
                        Blueprints.with(SCHEMA + "scope: Cluster", map("a", "x").replace("name: a", """
                name: a
                namespace: ${schema.metadata.namespace}""".indent(6)
                                .strip()))))
                .singleElement()
                .asString()
                .contains("'schema.metadata.namespace': undefined field 'namespace'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "labels: {blueprints.busbar.io/resource: x}",
                "labels: {applyset.kubernetes.io/part-of: x}",
                "annotations: {blueprints.busbar.io/deletion-policy: Orphaned}"
            })
    void what_the_operator_itself_writes_on_objects_is_refused(String written) {
        assertThat(Blueprints.problems(Blueprints.with(
                        SCHEMA,
                        "- {id: a, template: {apiVersion: v1, kind: Secret, metadata: {name: a, " + written + "}}}\n")))
                .singleElement()
                .asString()
                .contains("'" + written.replaceAll(".*\\{([^:]*):.*", "$1")
                        + "' is what the operator itself writes: leave it out")
                .contains("line 18");
    }

    @Test
    void the_status_refers_to_resources_only() {
        assertThat(Blueprints.problems(Blueprints.with(
                        SCHEMA + "status: {a: \"${a.data.x}\", b: \"${schema.spec.name}\", blueprintRevision: []}",
                        map("a", "x"))))
                .containsExactly(
                        "spec.schema.status.b: line 17, column 38: expressions of the status may refer to resources only;"
                                + " allowed: a",
                        "spec.schema.status.blueprintRevision: line 17, column 58: 'blueprintRevision' is what the operator itself writes:"
                                + " choose another name");
    }

    @Test
    void a_resource_may_be_called_as_a_library_of_functions() {
        for (String id : List.of(
                "ip",
                "hash",
                "json",
                "format",
                "random",
                "math",
                "sets",
                "base64",
                "lists",
                "optional",
                "cel",
                "timestamp",
                "duration",
                "jsonpatch")) {
            assertThat(Blueprints.problems(Blueprints.with(SCHEMA, map(id, "a") + """
                            - id: reader
                              forEach: [{url: "${schema.spec.tags}"}]
                              template:
                                apiVersion: v1
                                kind: ConfigMap
                                metadata: {name: "${%1$s.metadata.name + url}"}
                                data: {a: "${base64.encode(bytes(%1$s.metadata.name))}", b: "${string(math.greatest(1, 2))}"}
                            """.formatted(id))))
                    .as(id)
                    .isEmpty();
        }
    }

    @Test
    void a_function_of_a_library_is_not_the_resource_of_its_name() {
        CheckedBlueprint checked = Blueprints.checked(Blueprints.with(
                SCHEMA,
                map("hash", "${reader.data.x}") + map("reader", "${base64.encode(hash.sha256(schema.spec.name))}")));

        assertThat(checked.resources())
                .extracting(CheckedResource::id, CheckedResource::dependencies)
                .containsExactly(tuple("reader", Set.of()), tuple("hash", Set.of("reader")));
    }

    @Test
    void what_is_read_must_be_named_or_selected() {
        assertThat(Blueprints.problems(Blueprints.with(SCHEMA, """
                - id: a
                  externalRef: {apiVersion: v1, kind: Secret, metadata: {name: b, selector: {}}}
                - id: b
                  externalRef: {apiVersion: v1, kind: Secret, metadata: {name: b, labels: {}}, data: {}}
                  template: {}
                - id: c
                  externalRef: {apiVersion: v1, kind: "${schema.spec.name}", metadata: {name: "${schema.spec.count}"}}
                """)))
                .containsExactly(
                        "spec.resources[0].externalRef.metadata: line 19, column 51: there must be either a 'name' or a"
                                + " 'selector'",
                        "spec.resources[1]: line 20, column 7: there must be either a 'template' or an 'externalRef'",
                        "spec.resources[2].externalRef.kind: line 24, column 43: there can be no expression here",
                        "spec.resources[2].externalRef.metadata.name: line 24, column 86: 'schema.spec.count' is an integer;"
                                + " the field needs a string");
    }

    /** A field that nobody knows would leave all objects selected. */
    @Test
    void a_selector_must_select_what_it_says() {
        String reference = "externalRef: {apiVersion: v1, kind: Secret, metadata: {selector: %s}}";
        assertThat(Blueprints.problems(Blueprints.with(
                        SCHEMA,
                        Stream.of(
                                        "{matchLabel: {team: x}}",
                                        "{matchLabels: {team: 1}}",
                                        "{matchLabels: {'a b': x}}",
                                        "{matchLabels: {team: 'a b'}}",
                                        "{matchExpressions: [{key: team, operator: Foo}]}",
                                        "{matchExpressions: [{key: team, operator: In}]}",
                                        "{matchExpressions: [{key: team, operator: Exists, values: [a]}]}",
                                        "{matchExpressions: [{key: example.com/team, operator: In, values: [a, '']}]}",
                                        "{}")
                                .map(selector -> "- id: r" + Integer.toHexString(selector.hashCode()) + "\n  "
                                        + reference.formatted(selector) + "\n")
                                .collect(Collectors.joining()))))
                .extracting(
                        problem -> problem.replaceFirst("^spec.resources\\[(\\d)].*?: line \\d+, column \\d+", "$1"))
                .containsExactly(
                        "0: unknown field of an object LabelSelector; there is matchLabels, matchExpressions",
                        "1: must be a string, and is 1",
                        "2: matchLabels: 'a b' is no key of a label",
                        "3: matchLabels[team]: 'a b' is no value of a label",
                        "4: matchExpressions[0]: the operator is 'Foo' without values; allowed: In or NotIn with a list of"
                                + " values, Exists or DoesNotExist without",
                        "5: matchExpressions[0]: the operator is 'In' without values; allowed: In or NotIn with a list of"
                                + " values, Exists or DoesNotExist without",
                        "6: matchExpressions[0]: the operator is 'Exists' with the values [\"a\"]; allowed: In or NotIn with"
                                + " a list of values, Exists or DoesNotExist without");
    }

    @Test
    void instances_of_the_cluster_must_say_where_their_objects_are() {
        assertThat(Blueprints.problems(Blueprints.with(SCHEMA + "scope: Cluster", map("a", "x") + """
                - id: b
                  template: {apiVersion: v1, kind: Namespace, metadata: {name: b}}
                """)))
                .containsExactly(
                        "spec.resources[0].template.metadata: line 23, column 9: the field 'namespace' is missing:"
                                + " instances are in none, and a ConfigMap is in one");
    }

    @Test
    void objects_of_kinds_in_no_namespace_must_not_say_one() {
        assertThat(Blueprints.problems(Blueprints.with(SCHEMA, """
                - id: b
                  template: {apiVersion: v1, kind: Namespace, metadata: {name: b, namespace: "${schema.metadata.namespace}"}}
                """)))
                .singleElement()
                .asString()
                .startsWith("spec.resources[0].template.metadata.namespace: ")
                .endsWith("the field 'namespace' is not allowed: a Namespace is in none");
    }

    @Test
    void openapi_serves_in_place_of_the_short_form() {
        String schema = """
                openAPIV3Schema:
                  type: object
                  properties:
                    spec:
                      type: object
                      properties:
                        count: {type: integer}
                        both: {x-kubernetes-int-or-string: true}
                        wrong: {type: strin}
                        list: {type: array}
                """;

        assertThat(Blueprints.problems(Blueprints.with(
                        schema.replaceAll("(?m)^.*(wrong|list).*\n", ""), map("a", "${schema.spec.count}"))))
                .singleElement()
                .asString()
                .contains("'schema.spec.count' is an integer; the field needs a string");
        assertThat(Blueprints.problems(Blueprints.with(schema + "spec: {}", "")))
                .containsExactly(
                        "spec.schema.openAPIV3Schema.properties.spec.properties.wrong.type: line 16, column 27: 'strin' is no"
                                + " type; allowed: array, boolean, integer, number, object, string",
                        "spec.schema.openAPIV3Schema.properties.spec.properties.list: line 17, column 13: the field 'items'"
                                + " is missing",
                        "spec.schema.spec: line 18, column 5: there can be no 'spec' beside openAPIV3Schema");
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 3_000, 100_000})
    void what_is_nested_or_long_without_end_is_refused(int times) {
        for (String code : new String[] {
            "(".repeat(times) + "'a'" + ")".repeat(times),
            "'a'" + "+'a'".repeat(times),
            "[".repeat(times) + "]".repeat(times) + ".join()",
            "{'a':".repeat(times) + "1" + "}".repeat(times)
        }) {
            assertThat(Blueprints.problems(Blueprints.with(SCHEMA, map("a", "\"${" + code + "}\""))))
                    .singleElement()
                    .asString()
                    .hasSizeLessThan(300)
                    .containsAnyOf("recursion limit", "longer than", "nested too deeply");
        }
    }

    @Test
    void an_expression_of_ten_kilobytes_is_evaluated_as_any_other() {
        String code = "'" + "x".repeat(10_000) + "'.size() > 1 ? 'a' : 'b'";

        assertThat(Blueprints.problems(Blueprints.with(SCHEMA, map("a", "\"${" + code + "}\""))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
                    a: 1                                   # no Blueprint
                    hello                                  # no Blueprint
                    [1]                                    # no Blueprint
                    {apiVersion: kro.run/v1alpha1, kind: ResourceGraphDefinition} # a ResourceGraphDefinition is one when these two are changed
                    {apiVersion: blueprints.busbar.io/v1alpha1, kind: Blueprint}  # the field 'spec' is missing
                    {apiVersion: blueprints.busbar.io/v1alpha1, kind: Blueprint, metadata: {name: a}, spec: 1} # must be a map, and is 1
                    {apiVersion: blueprints.busbar.io/v1alpha1, kind: Blueprint, metadata: {name: a}, spec: {resources: []}} # the field 'schema' is missing
                    {apiVersion: blueprints.busbar.io/v1alpha1, kind: Blueprint, metadata: {name: a}, spec: {schema: {}}} # the field 'kind' is missing
                    """)
    void what_is_no_blueprint_is_told(String text, String problem) {
        assertThat(Blueprints.problems(text))
                .anySatisfy(each -> assertThat(each).contains(problem));
    }

    private static String map(String id, String value) {
        return """
                - id: %s
                  template:
                    apiVersion: v1
                    kind: ConfigMap
                    metadata:
                      name: %s
                    data:
                      x: %s
                """.formatted(id, id, value);
    }

    private static String planned(String steps) {
        return Blueprints.with(SCHEMA, map("a", "x")) + """
                  plans:
                    - name: backup
                      phases:
                        - name: all
                          steps:
                """ + steps.indent(12);
    }

    @Test
    void steps_of_plans_know_the_instance_the_resources_and_the_run() {
        assertThat(Blueprints.problems(planned("""
                - name: one
                  apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${run.name}"}, data: {a: "${a.data.x}"}}
                - name: two
                  job: {spec: {backoffLimit: "${schema.spec.count}", template: {spec: {containers: []}}}}
                - name: three
                  timeoutSeconds: 5
                  wait: ${run.parameters[?'to'].orValue('') != '' && run.attempt < 3 && has(a.data.x)}
                - name: four
                  delete: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${run.uid}"}}
                """))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
                    {name: a, wait: "${a.data.x}"}                                                    # steps[0].wait: line 31, column 34: 'a.data.x' is a string; a condition needs a boolean
                    {name: a, wait: "${other}"}                                                       # 'other' is not known here; allowed: a, schema, run
                    {name: a, wait: "${true}", job: {spec: {}}}                                       # there must be one of apply, patch, delete, job, wait
                    {name: A, wait: "${true}"}                                                        # 'A' is not allowed as a name; allowed: up to 30 small letters, digits and '-'
                    {name: a, wait: "${true}", timeoutSeconds: 0}                                     # steps[0].timeoutSeconds: line 31, column 58: must be a number of seconds, 1 or more, and is 0
                    {name: a, job: {spec: {backoffLimit: "${a.data.x}"}}}                             # job.spec.backoffLimit: line 31, column 55: 'a.data.x' is a string; the field needs an integer
                    {name: a, job: {metadata: {name: x}, spec: {}}}                                   # a Job is named after the run and the step: leave this out
                    {name: a, delete: {apiVersion: v1, kind: Pod, metadata: {name: x}, spec: {}}}     # delete.spec: line 31, column 82: unknown field; allowed: apiVersion, kind, metadata
                    {name: a, patch: {apiVersion: v1, kind: Pod}}                                     # the field 'metadata.name' is missing
                    {name: a, apply: {kind: "${run.name}", apiVersion: v1, metadata: {name: x}}}      # apply.kind: line 31, column 39: there can be no expression here
                    """)
    void what_is_wrong_with_a_step_is_told_with_its_place(String step, String problem) {
        assertThat(Blueprints.problems(planned("- " + step + "\n")))
                .singleElement()
                .asString()
                .startsWith("spec.plans[0].phases[0].steps[0]")
                .contains(problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
                    {apply: {apiVersion: v1, kind: Namespace, metadata: {name: x, namespace: y}}}        # Namespaced # apply.metadata.namespace: .*the field 'namespace' is not allowed: a Namespace is in none
                    {delete: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}}                     # Cluster    # delete.metadata: .*the field 'namespace' is missing: instances are in none, and a ConfigMap is in one
                    {job: {metadata: {namespace: y}, spec: {template: {spec: {containers: []}}}}}        # Namespaced # job.metadata.namespace: .*the field 'namespace' is not allowed: a Job is in the namespace of its run
                    """)
    void a_step_is_where_its_kind_and_its_run_are(String step, String scope, String problem) {
        assertThat(Blueprints.problems(planned("- " + step.replaceFirst("\\{", "{name: a, ") + "\n")
                        .replace("kind: Test", "kind: Test\n    scope: " + scope)))
                .filteredOn(each -> each.startsWith("spec.plans"))
                .singleElement()
                .asString()
                .matches("spec\\.plans\\[0]\\.phases\\[0]\\.steps\\[0]\\." + problem);
    }

    @Test
    void a_step_may_be_in_another_namespace_where_it_says_which() {
        String steps = """
                - name: one
                  apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: other}}
                - name: two
                  job: {metadata: {labels: {a: b}}, spec: {template: {spec: {containers: []}}}}
                - name: three
                  delete: {apiVersion: v1, kind: Namespace, metadata: {name: x}}
                """;
        assertThat(Blueprints.problems(planned(steps))).isEmpty();
        assertThat(Blueprints.problems(planned(steps).replace("kind: Test", "kind: Test\n    scope: Cluster")))
                .noneMatch(problem -> problem.startsWith("spec.plans"));
    }

    private static String begun(String plan) {
        return Blueprints.with(SCHEMA + "status: {x: \"${a.data.x}\"}\n", map("a", "x")) + """
                  plans:
                    - phases: [{name: all, steps: [{name: a, wait: "${true}"}]}]
                """ + plan.indent(6);
    }

    @Test
    void triggers_know_the_instance_with_its_status_and_the_spec_that_it_had() {
        assertThat(Blueprints.problems(begun("""
                name: grow
                trigger: ${self.spec.count > oldSelf.spec.count && self.status.?x.orValue('') != a.data.x}
                parameters: {from: "${string(oldSelf.spec.count)}", kind: "a-${self.kind}", to: fixed}
                """))).isEmpty();
        assertThat(Blueprints.problems(begun("name: deploy\nparameters: {from: \"${self.metadata.name}\"}\n")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
                    name: grow, trigger: "${self.spec.count}"                            # trigger: .*'self.spec.count' is an integer; a condition needs a boolean
                    name: grow, trigger: "${oldSelf.status.x == ''}"                     # trigger: .*undefined field 'status'
                    name: grow, trigger: "${self.status.y == ''}"                        # trigger: .*undefined field 'y'
                    name: grow, trigger: "${schema.spec.count > 1}"                      # trigger: .*here the instance is called 'self'
                    name: grow, trigger: "${run.name == ''}"                             # trigger: .*'run' is not known here; allowed: a, self, oldSelf
                    name: grow, trigger: true                                            # trigger: .*must be a text, and is true
                    name: deploy, trigger: "${true}"                                     # trigger: .*the plan 'deploy' begins when an instance is new: leave the trigger out
                    name: delete, trigger: "${true}"                                     # trigger: .*the plan 'delete' begins before an instance goes: leave the trigger out
                    name: backup, parameters: {a: b}                                     # parameters: .*only a plan that begins by itself is given parameters.*
                    name: update, parameters: {a: "${self.spec.count}"}                  # parameters.a: .*the field needs a string
                    name: update, parameters: {a: 1}                                     # parameters.a: .*must be a text, and is 1
                    name: update, parameters: {a-b: x}                                   # parameters.a-b: .*'a-b' is not allowed as a parameter.*
                    """)
    void what_is_wrong_with_a_trigger_is_told_with_its_place(String plan, String problem) {
        assertThat(Blueprints.problems(begun(plan.replace(", ", "\n"))))
                .singleElement()
                .asString()
                .matches("spec\\.plans\\[0]\\." + problem);
    }

    @Test
    void plans_that_begin_by_themselves_need_a_namespace_and_a_field_of_the_status() {
        assertThat(Blueprints.problems(
                        begun("name: deploy\n").replace("status: {x:", "scope: Cluster\n    status: {plans:")))
                .anyMatch(problem -> problem.contains("'deploy' begins by itself, and instances are in no namespace"))
                .anyMatch(problem -> problem.contains("'plans' is what the operator itself writes"));
        assertThat(Blueprints.checked(begun("name: delete\n")).statusSchema().at("/properties/plans"))
                .isNotEmpty();
        assertThat(Blueprints.checked(begun("name: other\n")).statusSchema().at("/properties/plans"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {paused: sure}             | paused: .*must be true or false, and is .*sure.*
                    {partition: -1}            | partition: .*must be a number, 0 or more, or a percentage up to 100%, and is -1
                    {partition: 101%}          | partition: .*and is .*101%.*
                    {maxUnavailable: 0}        | maxUnavailable: .*must be a number, 1 or more, or a percentage up to 100%, and is 0
                    {maxUnavailable: 0%}       | maxUnavailable: .*and is .*0%.*
                    {maxUnavailable: 1.5}      | maxUnavailable: .*and is 1.5
                    {maxSurge: 1}              | maxSurge: .*unknown field; allowed: paused, partition, maxUnavailable
                    """)
    void what_is_wrong_with_a_rollout_is_told(String rollout, String problem) {
        assertThat(Blueprints.problems(Blueprints.with(SCHEMA, map("a", "x")) + "  rollout: " + rollout + "\n"))
                .singleElement()
                .asString()
                .matches("spec\\.rollout\\." + problem);
    }

    @Test
    void a_rollout_may_be_of_numbers_and_of_percentages() {
        String blueprint = Blueprints.with(SCHEMA, map("a", "x"));

        assertThat(Blueprints.checked(blueprint + "  rollout: {partition: 0, maxUnavailable: 2}\n")
                        .blueprint()
                        .rollout())
                .isEqualTo(new Rollout(false, Optional.of(new Amount(0, false)), Optional.of(new Amount(2, false))));
        assertThat(Blueprints.checked(blueprint + "  rollout: {maxUnavailable: 20%}\n")
                        .blueprint()
                        .rollout())
                .isEqualTo(new Rollout(false, Optional.empty(), Optional.of(new Amount(20, true))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
            template: {apiVersion: v1, kind: Secret, metadata: {name: a}}, deletionPolicy: Orphaned    # ``
            template: {apiVersion: v1, kind: Secret, metadata: {name: a}}, deletionPolicy: Delete      # ``
            template: {apiVersion: v1, kind: Secret, metadata: {name: a}}, deletionPolicy: Retain      # `spec.resources[0].deletionPolicy: line 9, column 95: 'Retain' is not allowed; allowed: Delete, Orphaned`
            externalRef: {apiVersion: v1, kind: Secret, metadata: {name: a}}, deletionPolicy: Orphaned # `there can be no deletionPolicy of an externalRef, which is read and never deleted`
            """)
    void a_deletion_policy_is_one_of_two_and_of_what_is_made(String fields, String problem) {
        var problems = Blueprints.problems(Blueprints.with("", "- {id: it, " + fields + "}\n"));
        if (problem.isEmpty()) {
            assertThat(problems).isEmpty();
        } else {
            assertThat(problems).singleElement().asString().contains(problem);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '§', textBlock = """
            ${runtime.newCondition({type: 'A', status: 'True', reason: 'B', message: it.data.text})} # ``
            ${[runtime.newCondition({'type': 'A', 'status': it.data.text})]}           # ``
            ${runtime.newCondition({type: 'A', status: runtime.condition(schema, 'Ready').status})} # ``
            ${runtime.newCondition({type: 'A', status: runtime.condition(it, 'Any').status})} # ``
            ${runtime.newCondition({type: 'A'})}                                       # runtime.newCondition needs the keys type and status
            ${runtime.newCondition({type: 'A', status: 'yes'})}                        # the status 'yes' is not allowed; allowed: True, False, Unknown
            ${runtime.newCondition({type: 'A', status: 'True', why: 'b'})}             # runtime.newCondition has no key 'why', or has it twice; allowed: type, status, reason, message
            ${runtime.newCondition('A')}                                               # runtime.newCondition needs a map with the keys type, status, reason, message
            ${runtime.newCondition({type: 'A', status: 3})}                            # found no matching overload for 'runtime.newCondition'
            ${runtime.newCondition({type: 'A', status: runtime.condition(schema, 'B').status})} # 'B' is no condition of the operator; allowed: Ready, InstanceManaged, GraphResolved, ResourcesReady
            ${runtime.newCondition({type: 'Ready', status: runtime.condition(schema, 'Ready').status})} # 'Ready' is a condition that the Blueprint itself makes: one cannot read another
            ${it.data.text}                                                            # is a string; it needs a condition, or a list of them: runtime.newCondition({…}) makes one
            ${runtime.newCondition({type: 'Twice', status: 'True'})}                   # two conditions have the type 'Twice'
            ${runtime.newCondition({type: schema.spec.a, status: 'True'})}             # expressions of the status may refer to resources only; allowed: it
            """)
    void a_condition_of_the_status_is_made_by_a_function(String expression, String problem) {
        String status = """
                status:
                  conditions:
                    - "${runtime.newCondition({type: 'Twice', status: 'True'})}"
                    - "%s"
                """.formatted(expression);
        var problems = Blueprints.problems(Blueprints.with(
                status, "- {id: it, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}\n"));
        if (problem.isEmpty()) {
            assertThat(problems).isEmpty();
        } else {
            assertThat(problems).singleElement().asString().contains(problem);
        }
    }

    @Test
    void conditions_are_made_in_the_status_alone_and_in_a_list() {
        assertThat(Blueprints.problems(Blueprints.with(
                        "status: {conditions: {a: b}, state: \"${runtime.condition(it, 'A').status}\"}\n",
                        "- {id: it, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}\n")))
                .satisfiesExactly(
                        first -> assertThat(first)
                                .contains("must be a list of expressions that make conditions, and is a map"),
                        second -> assertThat(second)
                                .contains(
                                        "'runtime' makes and reads conditions of the status; it is not allowed here"));
    }
}
