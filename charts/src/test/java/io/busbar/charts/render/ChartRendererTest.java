package io.busbar.charts.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.common.ObjectKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** With Helm's own engine. */
class ChartRendererTest {

    private static final ObjectKey ONE = ObjectKey.of("shop", "one");
    private static final String KUBERNETES = "v1.33.0";

    @TempDir
    private Path folder;

    private Path chart(String template, String values) throws IOException {
        Path templates = Files.createDirectories(folder.resolve("chart/templates"));
        Files.writeString(folder.resolve("chart/Chart.yaml"), "apiVersion: v2\nname: test\nversion: 1.0.0\n");
        Files.writeString(folder.resolve("chart/values.yaml"), values);
        Files.writeString(templates.resolve("all.yaml"), template);
        return folder.resolve("chart");
    }

    private ChartRenderer renderer(String template, String values) throws IOException {
        return new ChartRenderer(ChartFolder.of(chart(template, values)), Map.of());
    }

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }

    private static final String MAP = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: "{{ .Release.Name }}", namespace: "{{ .Release.Namespace }}"}
            data: {{ toJson .Values }}
            """;

    @Test
    void merges_values_over_those_of_the_chart_and_overrides_over_both() throws Exception {
        ChartRenderer renderer = new ChartRenderer(
                ChartFolder.of(chart(MAP, "a: {x: 1, w: 2}\nb: chart\nc: chart\nd: chart")),
                Map.of(
                        "b", TextNode.valueOf("a,b={c}.d[0]\\"),
                        "a.z", BooleanNode.TRUE,
                        "new.deep", IntNode.valueOf(5),
                        "new.text", TextNode.valueOf("5"),
                        "new.list[1].a\\.b", TextNode.valueOf("false")));

        Rendering rendering = renderer.render(
                ONE, json("{'a': {'x': 3}, 'b': 'spec', 'c': 'spec', 'd': null}"), KUBERNETES, Lookups.NOTHING);

        assertThat(rendering.objects()).hasSize(1);
        assertThat(Rendering.identity(rendering.objects().get(0))).isEqualTo("v1 ConfigMap shop/one");
        assertThat(rendering.objects().get(0).path("data"))
                .isEqualTo(json("{'a': {'x': 3, 'w': 2, 'z': true}, 'b': 'a,b={c}.d[0]\\\\', 'c': 'spec',"
                        + " 'new': {'deep': 5, 'text': '5', 'list': [null, {'a.b': 'false'}]}}"));
    }

    @Test
    void renders_what_has_not_changed_only_once_whether_it_went_well_or_not() throws Exception {
        ChartRenderer renderer =
                renderer(MAP.replace("\ndata:", "\ndata: {{ required \"a is needed\" .Values.a }} #"), "");
        renderer.render(ONE, json("{'a': '{}'}"), KUBERNETES, Lookups.NOTHING);
        long first = renderer.renderings();
        renderer.render(ONE, json("{'a': '{}'}"), KUBERNETES, Lookups.NOTHING);
        assertThat(renderer.renderings()).isEqualTo(first).isEqualTo(1);

        for (int again = 0; again < 3; again++) {
            assertThatThrownBy(() -> renderer.render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING))
                    .isInstanceOf(RenderFailedException.class)
                    .hasMessage("execution error at (test/templates/all.yaml:4:9): a is needed");
        }
        assertThat(renderer.renderings()).isEqualTo(2);
    }

    @Test
    void has_another_revision_where_another_thing_is_rendered_and_not_else() throws Exception {
        String told = MAP.replace(
                "{{ toJson .Values }}", "{a: {{ .Values.a | quote }}, k: {{ .Capabilities.KubeVersion.Version }}}");
        ChartRenderer renderer = renderer(told, "a: 1");
        String first =
                renderer.render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING).revision();

        assertThat(List.of(
                        renderer.render(ONE, json("{'a': 2}"), KUBERNETES, Lookups.NOTHING)
                                .revision(),
                        renderer.render(ONE, json("{}"), "v1.34.0", Lookups.NOTHING)
                                .revision(),
                        renderer(told + "  # more", "a: 1")
                                .render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING)
                                .revision()))
                .doesNotContain(first)
                .doesNotHaveDuplicates();
        assertThat(renderer.render(ONE, json("{'a': 1, 'unused': 3}"), KUBERNETES, Lookups.NOTHING)
                        .revision())
                .isEqualTo(first);
    }

    @Test
    void finds_by_lookup_what_there_is_in_templates_and_in_values() throws Exception {
        String template = MAP.replace("{{ toJson .Values }}", """

                  none: {{ lookup "v1" "Secret" "kube-system" "x" | toJson | quote }}
                  name: {{ (lookup "v1" "Secret" "" "x").data | default "none" }}
                  given: {{ tpl .Values.given . | quote }}
                  listed: {{ range (lookup "v1" "Node" "" "").items }}{{ .metadata.name }} {{ end }}
                  within: {{ (lookup "v1" "Secret" "a" (lookup "v1" "Secret" "a" "b").data.to).data.text | quote }}
                """);
        Map<String, String> cluster = Map.of(
                "v1 Secret a/b", "{'data': {'to': 'c', 'odd': '{{ end }} \\\\'}}",
                "v1 Secret a/c", "{'data': {'text': '\u00fc<&>'}}",
                "v1 Node /", "{'items': [{'metadata': {'name': 'one'}}, {'metadata': {'name': 'two'}}]}");
        List<String> asked = new ArrayList<>();
        Lookups lookups = lookup -> {
            String key = lookup.apiVersion() + " " + lookup.kind() + " " + lookup.namespace() + "/" + lookup.name();
            asked.add(key);
            return Optional.ofNullable(cluster.get(key)).map(ChartRendererTest::read);
        };
        ChartRenderer renderer = renderer(template, "");
        JsonNode values = json("{'given': '{{ (lookup \\'v1\\' \\'Secret\\' \\'a\\' \\'b\\').data.odd }}'}");

        JsonNode data = renderer.render(ONE, values, KUBERNETES, lookups)
                .objects()
                .get(0)
                .path("data");

        assertThat(data)
                .isEqualTo(json("{'none': '{}', 'name': 'none', 'given': '{{ end }} \\\\', 'listed': 'one two',"
                        + " 'within': '\u00fc<&>'}"));
        assertThat(asked).doesNotHaveDuplicates().hasSize(5);
        long first = renderer.renderings();
        renderer.render(ONE, values, KUBERNETES, lookups);
        assertThat(renderer.renderings()).isEqualTo(first);
    }

    @Test
    void what_was_looked_up_by_other_values_is_asked_for_no_more() throws Exception {
        String template = MAP.replace(
                "{{ toJson .Values }}", "{a: {{ (lookup \"v1\" \"Secret\" \"a\" .Values.name).data | quote }}}");
        ChartRenderer renderer = renderer(template, "");
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            asked.clear();
            renderer.render(ONE, json("{'name': 'n" + i + "'}"), KUBERNETES, lookup -> {
                asked.add(lookup.name());
                return Optional.empty();
            });
            assertThat(asked).containsExactly("n" + i);
        }
    }

    @Test
    void renders_no_chart_whose_files_are_going() throws Exception {
        ChartFolder chart = ChartFolder.of(chart(MAP, ""));
        ChartRenderer renderer = new ChartRenderer(chart, Map.of());
        renderer.render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING);
        chart.end();

        assertThatThrownBy(() -> renderer.render(ONE, json("{'a': 1}"), KUBERNETES, Lookups.NOTHING))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the operator stops");
    }

    private static JsonNode read(String text) {
        try {
            return json(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void renders_again_when_what_it_has_looked_up_changes_whether_it_went_well_or_not() throws Exception {
        ChartRenderer renderer = renderer(
                MAP.replace(
                        "{{ toJson .Values }}",
                        "{a: {{ required \"wants x\" (lookup \"v1\" \"Secret\" \"a\" \"x\").data | quote }}}"),
                "");
        AtomicReference<Optional<JsonNode>> found = new AtomicReference<>(Optional.empty());
        for (int again = 0; again < 2; again++) {
            assertThatThrownBy(() -> renderer.render(ONE, json("{}"), KUBERNETES, asked -> found.get()))
                    .hasMessageEndingWith("wants x");
        }
        assertThat(renderer.renderings()).isEqualTo(2);

        for (String text : List.of("one", "two", "two")) {
            found.set(Optional.of(json("{'data': '" + text + "'}")));
            assertThat(renderer.render(ONE, json("{}"), KUBERNETES, asked -> found.get())
                            .objects()
                            .get(0)
                            .at("/data/a")
                            .asText())
                    .isEqualTo(text);
        }
        assertThat(renderer.renderings()).isEqualTo(4);
    }

    private static final String PASSWORD = """
            {{- $old := (lookup "v1" "Secret" .Release.Namespace .Release.Name).data | default dict }}
            apiVersion: v1
            kind: Secret
            metadata: {name: "{{ .Release.Name }}"}
            %s: {password: "{{ get $old "password" | %s }}"}
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "data; default (randAlphaNum 20 | b64enc)",
                "stringData; b64dec | default (randAlphaNum 20)",
            })
    void makes_a_password_up_where_it_is_found_again_by_lookup(String field, String value) throws Exception {
        ChartRenderer renderer = renderer(PASSWORD.formatted(field, value), "");
        Rendering made = renderer.render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING);
        String password = made.objects().get(0).path(field).path("password").asText();
        assertThat(password).hasSizeGreaterThanOrEqualTo(20);
        assertThat(renderer.render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING))
                .as("as long as it is not there")
                .isEqualTo(made);

        JsonNode stored = made.asFound("shop").get(new Lookup("v1", "Secret", "shop", "one"));
        for (ChartRenderer after : List.of(renderer, renderer(PASSWORD.formatted(field, value), ""))) {
            assertThat(after.render(ONE, json("{}"), KUBERNETES, asked -> Optional.of(stored)))
                    .as("once it is there")
                    .isEqualTo(made);
        }
    }

    private static final String ONCE = """
            {{- if not (lookup "v1" "Secret" .Release.Namespace .Release.Name) }}
            apiVersion: v1
            kind: Secret
            metadata: {name: "{{ .Release.Name }}"}
            data: {password: "{{ randAlphaNum 20 | b64enc }}"}
            {{- end }}
            """;

    /** What an instance has made. */
    private record Own(JsonNode object) implements Lookups {

        @Override
        public Optional<JsonNode> find(Lookup asked) {
            return Optional.of(object);
        }

        @Override
        public boolean isOwn(JsonNode found) {
            return true;
        }
    }

    @Test
    void tells_what_is_not_rendered_for_the_one_reason_that_it_is_found() throws Exception {
        ChartRenderer renderer = renderer("{{- if not .Values.off }}\n" + ONCE + "{{- end }}\n", "");
        Rendering made = renderer.render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING);
        assertThat(made.objects()).hasSize(1);
        assertThat(made.madeOnce()).isEmpty();
        Own own = new Own(made.objects().get(0));

        Rendering then = renderer.render(ONE, json("{}"), KUBERNETES, own);
        assertThat(then.objects()).isEmpty();
        assertThat(then.madeOnce()).containsExactly("v1 Secret shop/one");
        assertThat(then.inputs()).isEqualTo(made.inputs());
        renderer.forget(ONE);
        assertThat(renderer.render(ONE, json("{}"), KUBERNETES, asked -> Optional.of(own.object()))
                        .madeOnce())
                .as("of somebody else")
                .isEmpty();
        Rendering off = renderer.render(ONE, json("{'off': true}"), KUBERNETES, own);
        assertThat(off.madeOnce()).isEmpty();
        assertThat(off.inputs()).isNotEqualTo(made.inputs());
    }

    @Test
    void refuses_what_is_made_up_beside_what_is_made_only_where_it_is_not_found() throws Exception {
        ChartRenderer renderer =
                renderer(ONCE + "---\n" + MAP.replace("{{ toJson .Values }}", "{a: '{{ randAlphaNum 9 }}'}"), "");

        assertThatThrownBy(() -> renderer.render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING))
                .isInstanceOf(RenderFailedException.class)
                .hasMessageContaining("the chart comes to something else each time");
    }

    @Test
    void refuses_a_password_that_is_looked_up_where_it_is_not() throws Exception {
        String elsewhere = PASSWORD.formatted("data", "default (randAlphaNum 20 | b64enc)")
                .replace(".Release.Namespace", "\"elsewhere\"");

        assertThatThrownBy(() -> renderer(elsewhere, "").render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING))
                .hasMessageEndingWith("In one rendering there is v1 Secret /one with another data.password");
    }

    @Test
    void takes_hooks_out_in_their_order_and_leaves_tests_out() throws Exception {
        String hook =
                "---\n{apiVersion: v1, kind: Pod, metadata: {name: %s, annotations: {helm.sh/hook: '%s', helm.sh/hook-weight: '%s'%s}}}\n";
        Rendering rendering = renderer(
                        MAP
                                + hook.formatted("late", "pre-install", "5", "")
                                + hook.formatted("b", "pre-install,post-upgrade", "-1", "")
                                + hook.formatted(
                                        "a",
                                        "pre-install",
                                        "-1",
                                        ", helm.sh/hook-delete-policy: 'hook-succeeded, hook-failed'")
                                + hook.formatted("t", "test", "0", ""),
                        "")
                .render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING);

        assertThat(rendering.objects()).hasSize(1);
        assertThat(rendering.hooks("pre-install").stream().map(Hook::id)).containsExactly("Pod a", "Pod b", "Pod late");
        assertThat(rendering.hooks("post-upgrade").stream().map(Hook::id)).containsExactly("Pod b");
        assertThat(rendering.hooks()).hasSize(3);
        assertThat(rendering.hooks().get(0).deletePolicies())
                .containsExactlyInAnyOrder("hook-succeeded", "hook-failed");
    }

    @Test
    void refuses_a_chart_that_makes_something_up_and_says_where_but_not_what() throws Exception {
        ChartRenderer renderer = renderer(
                MAP.replace("{{ toJson .Values }}", "{password: '{{ .Values.password | default (randAlphaNum 20) }}'}"),
                "");

        assertThatThrownBy(() -> renderer.render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING))
                .isInstanceOf(RenderFailedException.class)
                .hasMessageEndingWith("In one rendering there is v1 ConfigMap shop/one with another data.password");
        assertThat(renderer.render(ONE, json("{'password': 'p'}"), KUBERNETES, Lookups.NOTHING)
                        .objects())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ now | date `15:04` }}",
                "{{ (now).Year }}",
                "{{ printf `%s` (now | date `2006`) }}",
                "{{ tpl .Values.a . }}"
            })
    void refuses_a_time_that_is_another_one_later(String time) throws Exception {
        assertThatThrownBy(() -> renderer(MAP.replace("{{ toJson .Values }}", "{a: '" + time + "'}"), "")
                        .render(ONE, json("{'a': '{{ now | unixEpoch }}'}"), KUBERNETES, Lookups.NOTHING))
                .hasMessageContaining("the chart comes to something else each time")
                .hasMessageEndingWith("In one rendering there is v1 ConfigMap shop/one with another data.a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{ printf \"%s\" (now | unixEpoch) }}", "{{ \"\" }}{{\nnow | unixEpoch }}"})
    void refuses_a_time_in_a_value_with_quotes_too(String time) throws Exception {
        ChartRenderer renderer =
                renderer(MAP.replace("{{ toJson .Values }}", "{a: {{ tpl .Values.a . | quote }}}"), "");
        JsonNode values = new ObjectMapper().createObjectNode().put("a", time);

        assertThatThrownBy(() -> renderer.render(ONE, values, KUBERNETES, Lookups.NOTHING))
                .hasMessageEndingWith("In one rendering there is v1 ConfigMap shop/one with another data.a");
    }

    @Test
    void takes_a_time_that_comes_to_nothing_in_what_is_rendered() throws Exception {
        String template = MAP.replace(
                "{{ toJson .Values }}",
                "{a: '{{ if gt (now | unixEpoch | int64) 9 }}x{{ end }}', b: 'now', c: {{ .Values.now }}}");

        assertThat(renderer(template, "now: 1")
                        .render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING)
                        .objects()
                        .get(0)
                        .path("data"))
                .isEqualTo(json("{'a': 'x', 'b': 'now', 'c': 1}"));
    }

    @Test
    void refuses_a_value_that_makes_something_up_too() throws Exception {
        ChartRenderer renderer =
                renderer(MAP.replace("{{ toJson .Values }}", "{a: {{ tpl .Values.a . | quote }}}"), "");

        assertThatThrownBy(() -> renderer.render(ONE, json("{'a': '{{ uuidv4 }}'}"), KUBERNETES, Lookups.NOTHING))
                .hasMessageEndingWith("with another data.a");
        assertThat(renderer.render(ONE, json("{'a': '{{ 1 }}'}"), KUBERNETES, Lookups.NOTHING)
                        .objects())
                .hasSize(1);
    }

    @Test
    void refuses_what_is_no_object_or_is_there_twice() throws Exception {
        Map<String, String> refused = Map.of(
                "a: secret", "apiVersion: '' is not allowed; allowed: a text",
                "apiVersion: v1\nmetadata: {name: a}", "kind: '' is not allowed; allowed: a text",
                "apiVersion: v1\nkind: Pod\nmetadata: {name: ''}", "metadata.name: '' is not allowed; allowed: a text",
                "apiVersion: v1\nkind: Pod\nmetadata: {generateName: a-}",
                        "metadata.name: '' is not allowed; allowed: a text: of metadata.generateName, 'a-', there would be"
                                + " another object each time",
                "apiVersion: v1\nkind: List\nitems: [secret]",
                        "a string is not allowed; allowed: an object with apiVersion, kind and metadata.name");
        refused.forEach((template, message) -> assertThatThrownBy(() ->
                        renderer(MAP + "---\n" + template, "").render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING))
                .hasMessageStartingWith("test/templates/all.yaml: " + message)
                .hasMessageNotContaining("secret"));
        assertThatThrownBy(() -> renderer(MAP + "---\n" + MAP, "").render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING))
                .hasMessage("v1 ConfigMap shop/one is rendered twice");
    }

    @Test
    void holds_values_to_the_schema_of_the_chart() throws Exception {
        Path chart = chart(MAP, "");
        Files.writeString(chart.resolve("values.schema.json"), "{\"properties\": {\"size\": {\"type\": \"integer\"}}}");
        ChartRenderer renderer = new ChartRenderer(ChartFolder.of(chart), Map.of());

        assertThatThrownBy(() -> renderer.render(ONE, json("{'size': 'large'}"), KUBERNETES, Lookups.NOTHING))
                .hasMessageContaining("size")
                .hasMessageContaining("integer");
    }

    @Test
    void renders_in_several_threads_at_once() throws Exception {
        ChartRenderer renderer = renderer(MAP, "");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<String>> tasks = new ArrayList<>();
            for (int number = 0; number < 40; number++) {
                JsonNode values = json("{'n': " + number + "}");
                ObjectKey key = ObjectKey.of("shop", "i" + number);
                tasks.add(() -> renderer.render(key, values, KUBERNETES, Lookups.NOTHING)
                        .objects()
                        .get(0)
                        .toString());
            }
            List<Future<String>> all = threads.invokeAll(tasks);
            for (int number = 0; number < all.size(); number++) {
                assertThat(all.get(number).get()).contains("\"name\":\"i" + number + "\"", "\"n\":" + number + "}");
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void leaves_no_file_with_values_or_with_what_was_looked_up_behind() throws Exception {
        ChartRenderer renderer = renderer(PASSWORD.formatted("data", "default \"\""), "");
        long before = temporary();
        renderer.render(ONE, json("{'a': 'secret'}"), KUBERNETES, Lookups.NOTHING);
        assertThat(renderer.renderings()).isEqualTo(2);
        assertThat(temporary()).isEqualTo(before);
    }

    private static long temporary() throws IOException {
        try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().matches("busbar-(values|chart).*"))
                    .count();
        }
    }

    @Test
    void reads_an_archive_with_an_archive_within() throws Exception {
        Path inner = archive(
                "inner.tgz",
                Map.of(
                        "inner/Chart.yaml",
                        "apiVersion: v2\nname: inner\nversion: 1.0.0\n",
                        "inner/templates/" + "long-name".repeat(12) + ".yaml",
                        MAP.replace("{{ .Release.Name }}", "inner")
                                .replace("\ndata:", "\ndata: {h: 'helm.sh/hook'} #")));
        Path outer = Files.createDirectories(folder.resolve("outer"));
        Files.writeString(
                outer.resolve("Chart.yaml"),
                "apiVersion: v2\nname: outer\nversion: 1.0.0\ndependencies: [{name: inner, version: 1.0.0}]\n");
        Path archive = folder.resolve("outer.tgz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
            out.write(tar("outer/Chart.yaml", Files.readAllBytes(outer.resolve("Chart.yaml"))));
            out.write(tar("outer/charts/inner.tgz", Files.readAllBytes(inner)));
            out.write(tar("outer/templates/own.yaml", MAP.getBytes(StandardCharsets.UTF_8)));
            out.write(new byte[1024]);
        }

        Rendering rendering = new ChartRenderer(ChartFolder.of(archive), Map.of())
                .render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING);

        assertThat(rendering.objects().stream().map(Rendering::identity))
                .containsExactlyInAnyOrder("v1 ConfigMap shop/inner", "v1 ConfigMap shop/one");
        assertThat(rendering.objects().toString()).contains("{\"h\":\"helm.sh/hook\"}");
    }

    @Test
    void refuses_an_archive_with_a_file_that_would_lie_outside() throws Exception {
        Path archive = archive("bad.tgz", Map.of("../../evil.yaml", "x"));

        assertThatThrownBy(() -> ChartFolder.of(archive)).hasMessageEndingWith("would lie outside: ../../evil.yaml");
        Path text = Files.writeString(folder.resolve("text.tgz"), "no archive");
        assertThatThrownBy(() -> ChartFolder.of(text)).isInstanceOf(IOException.class);
    }

    private Path archive(String name, Map<String, String> files) throws IOException {
        Path archive = folder.resolve(name);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                out.write(tar(file.getKey(), file.getValue().getBytes(StandardCharsets.UTF_8)));
            }
            out.write(new byte[1024]);
        }
        return archive;
    }

    @Test
    void reads_an_archive_of_gnu_tar_with_a_long_name() throws Exception {
        String name = "long/templates/" + "folder-of-its-own/".repeat(8) + "a.yaml";
        Path archive = folder.resolve("gnu.tgz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
            out.write(tar(
                    "long/Chart.yaml",
                    "apiVersion: v2\nname: long\nversion: 1.0.0\n".getBytes(StandardCharsets.UTF_8)));
            out.write(entry("././@LongLink", 'L', (name + "\0").getBytes(StandardCharsets.UTF_8)));
            out.write(entry(name.substring(0, 100), '0', MAP.getBytes(StandardCharsets.UTF_8)));
            byte[] dated = tar(
                    "long/templates/b.yaml",
                    MAP.replace("{{ .Release.Name }}", "b").getBytes(StandardCharsets.UTF_8));
            System.arraycopy("ustar  \0".getBytes(StandardCharsets.UTF_8), 0, dated, 257, 8);
            System.arraycopy("14000000000".getBytes(StandardCharsets.UTF_8), 0, dated, 345, 11); // when it was read
            out.write(dated);
            out.write(new byte[1024]);
        }

        assertThat(ChartFolder.of(archive).path().resolve(name.substring("long/".length())))
                .exists();
        assertThat(new ChartRenderer(ChartFolder.of(archive), Map.of())
                        .render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING)
                        .objects())
                .hasSize(2);
    }

    /** A file in a tar archive; one with a long name has that in a file before it, as in POSIX.1-2001. */
    private static byte[] tar(String name, byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (name.length() > 100) {
            String record = " path=" + name + "\n";
            String length = String.valueOf(record.length() + 3);
            out.write(entry("PaxHeader", 'x', (length + record).getBytes(StandardCharsets.UTF_8)));
        }
        out.write(entry(name.substring(0, Math.min(100, name.length())), '0', content));
        return out.toByteArray();
    }

    private static byte[] entry(String name, char kind, byte[] content) throws IOException {
        byte[] header = new byte[512];
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, 0, bytes.length);
        byte[] size = String.format("%011o", content.length).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(size, 0, header, 124, size.length);
        header[156] = (byte) kind;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(header);
        out.write(content);
        out.write(new byte[(512 - content.length % 512) % 512]);
        return out.toByteArray();
    }

    private static final String HOOK = """
            ---
            apiVersion: %s
            kind: %s
            metadata: {name: %s, annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: "%d"}}
            """;

    @Test
    void runs_hooks_by_weight_then_by_name_then_in_the_order_in_which_helm_installs_kinds() throws Exception {
        String hooks = HOOK.formatted("batch/v1", "Job", "b", 0)
                + HOOK.formatted("rbac.authorization.k8s.io/v1", "RoleBinding", "b", 0)
                + HOOK.formatted("rbac.authorization.k8s.io/v1", "Role", "b", 0)
                + HOOK.formatted("v1", "Secret", "b", 0)
                + HOOK.formatted("v1", "ServiceAccount", "b", 0)
                + HOOK.formatted("v1", "ServiceAccount", "c", 0)
                + HOOK.formatted("batch/v1", "Job", "a", 0)
                + HOOK.formatted("batch/v1", "Job", "z", -1);

        assertThat(renderer(hooks, "")
                        .render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING)
                        .hooks())
                .extracting(Hook::id)
                .containsExactly(
                        "Job z",
                        "Job a",
                        "ServiceAccount b",
                        "Secret b",
                        "Role b",
                        "RoleBinding b",
                        "Job b",
                        "ServiceAccount c");
    }

    @Test
    void deletes_no_definition_of_a_kind_whatever_its_policy_says() throws Exception {
        String policy = ", helm.sh/hook-delete-policy: \"hook-succeeded,hook-failed\"}";
        String hooks = HOOK.formatted("apiextensions.k8s.io/v1", "CustomResourceDefinition", "as.b.c", 0)
                        .replaceFirst("}", policy)
                + HOOK.formatted("v1", "ConfigMap", "z", 0).replaceFirst("}", policy);

        assertThat(renderer(hooks, "")
                        .render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING)
                        .hooks())
                .extracting(Hook::deletePolicies)
                .containsExactly(Set.of(), Set.of("hook-succeeded", "hook-failed"));
    }

    @Test
    void takes_the_last_one_of_a_key_that_is_rendered_several_times() throws Exception {
        String twice = """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: first, name: second, labels: {a: b}}
                data: {a: one}
                data: {a: two, b: one, a: three}
                """;

        assertThat(renderer(twice, "")
                        .render(ONE, json("{}"), KUBERNETES, Lookups.NOTHING)
                        .objects())
                .containsExactly((ObjectNode) json("{'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata':"
                        + " {'name': 'second', 'labels': {'a': 'b'}}, 'data': {'a': 'three', 'b': 'one'}}"));
    }
}
