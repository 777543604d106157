package io.busbar.watcher.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.ObjectKey;
import io.busbar.common.internal.json.JsonScanner;
import io.busbar.common.watch.WatchSpec;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseParserTest {

    private static final WatchSpec<Pod> PODS = WatchSpec.of(Pod.class);

    private static final String POD = """
            {"metadata":{"name":"a","namespace":"n","uid":"u-1","resourceVersion":"7","generation":2,
             "managedFields":[{"manager":"m","fieldsV1":{"f:spec":{}}}],
             "labels":{"app.kubernetes.io/name":"wéb\\n\\"x\\""},"annotations":{"big":"1"}},
             "spec":{"containers":[{"name":"c","image":"i","env":[{"name":"E","value":"v"}]},{"name":"d","image":"j"}],
             "priority":0,"ratio":1.50,"huge":123456789012345678901234567890,"nothing":null,"flag":true,"empty":{},"none":[]},
             "status":{"phase":"Running"}}""";

    @Test
    void tells_of_each_item_of_a_list_and_of_its_end() throws Exception {
        List<Signal> signals = parse(
                PODS,
                "{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"more\"},\"items\":[" + POD
                        + "," + POD.replace("\"a\"", "\"b\"") + "]}");

        assertThat(signals).hasSize(3);
        assertThat(listed(signals.get(0)).key()).isEqualTo(ObjectKey.of("n", "a"));
        assertThat(listed(signals.get(0)).uid()).isEqualTo("u-1");
        assertThat(listed(signals.get(0)).resourceVersion()).isEqualTo("7");
        assertThat(listed(signals.get(1)).key()).isEqualTo(ObjectKey.of("n", "b"));
        assertThat(signals.get(2)).isEqualTo(new Signal.ListEnd("9", "more"));
    }

    @Test
    void keeps_everything_but_managed_fields_and_names_the_kind_that_items_lack() throws Exception {
        JsonObject expected = new JsonObject(POD);
        expected.getJsonObject("metadata").remove("managedFields");
        expected.put("apiVersion", "v1").put("kind", "Pod");

        assertThat(json(PODS)).isEqualTo(expected);
    }

    @Test
    void keeps_only_the_named_fields_beside_the_identity() throws Exception {
        JsonObject kept =
                json(PODS.keeping("metadata.labels", "spec.containers.name", "status.phase", "spec.priority.x"));

        assertThat(kept).isEqualTo(new JsonObject("""
                {"apiVersion":"v1","kind":"Pod",
                 "metadata":{"name":"a","namespace":"n","uid":"u-1","resourceVersion":"7","generation":2,
                   "labels":{"app.kubernetes.io/name":"wéb\\n\\"x\\""}},
                 "spec":{"containers":[{"name":"c"},{"name":"d"}]},"status":{"phase":"Running"}}"""));
    }

    @Test
    void keeps_the_members_whose_names_begin_as_asked() throws Exception {
        JsonObject metadata = json(PODS.keeping("metadata.annotations[kept.io/*]", "metadata.labels[app*]"), """
                {"metadata":{"name":"a","labels":{"app":"x","apple":"y","tier":"z"},
                  "annotations":{"kept.io/list":"1","not.kept.io/list":"2","kept.io":"3"}}}""")
                .getJsonObject("metadata");

        assertThat(metadata).isEqualTo(new JsonObject("""
                {"name":"a","labels":{"app":"x","apple":"y"},"annotations":{"kept.io/list":"1"}}"""));
        assertThat(json(PODS.keeping("metadata.annotations[kept.io/*]", "metadata.annotations"))
                        .getJsonObject("metadata")
                        .getJsonObject("annotations"))
                .isEqualTo(new JsonObject(POD).getJsonObject("metadata").getJsonObject("annotations"));
    }

    @Test
    void keeps_managed_fields_when_they_are_asked_for() throws Exception {
        JsonObject metadata = json(PODS.keeping("metadata.managedFields")).getJsonObject("metadata");

        assertThat(metadata.fieldNames())
                .containsExactlyInAnyOrder(
                        "name", "namespace", "uid", "resourceVersion", "generation", "managedFields");
        assertThat(json(PODS.keeping("metadata")).getJsonObject("metadata").fieldNames())
                .contains("annotations")
                .doesNotContain("managedFields");
    }

    @Test
    void keeps_nothing_but_metadata_where_a_server_sends_whole_objects_for_metadata_only() throws Exception {
        JsonObject kept = json(PODS.metadataOnlyWatch());

        assertThat(kept.fieldNames()).containsExactlyInAnyOrder("apiVersion", "kind", "metadata");
        assertThat(kept.getJsonObject("metadata").fieldNames())
                .contains("annotations")
                .doesNotContain("managedFields");
    }

    @Test
    void puts_the_kind_of_the_watch_in_place_of_partial_object_metadata() throws Exception {
        List<Signal> signals = parse(
                PODS.metadataOnlyWatch(),
                "{\"type\":\"ADDED\",\"object\":{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
                        + "\"metadata\":{\"name\":\"a\"}}}");

        assertThat(((Signal.Changed) signals.get(0)).object().json())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}");
    }

    @Test
    void tells_of_watch_events_whatever_stands_between_them() throws Exception {
        List<Signal> signals = parse(
                WatchSpec.of(ConfigMap.class).keeping("data"),
                "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\"}}}\n"
                        + "{\"object\":{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"2\"}},\"type\":\"MODIFIED\"}"
                        + "{\"type\":\"DELETED\",\"object\":{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"3\"}}}\n\n"
                        + "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"4\"}}}\n"
                        + "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"5\","
                        + "\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n"
                        + "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"metadata\":{},\"code\":410,"
                        + "\"reason\":\"Expired\",\"message\":\"too old\"}}\n");

        assertThat(((Signal.Changed) signals.get(0)).object().resourceVersion()).isEqualTo("1");
        assertThat(((Signal.Changed) signals.get(1)).object().resourceVersion()).isEqualTo("2");
        assertThat(((Signal.Deleted) signals.get(2)).object().resourceVersion()).isEqualTo("3");
        assertThat(signals.subList(3, 6))
                .containsExactly(
                        new Signal.Bookmark("4", false),
                        new Signal.Bookmark("5", true),
                        new Signal.Failed(410, "too old"));
    }

    @Test
    void takes_a_list_without_items() throws Exception {
        assertThat(parse(PODS, "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}"))
                .containsExactly(new Signal.ListEnd("1", ""));
        assertThat(parse(PODS, "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":null}"))
                .containsExactly(new Signal.ListEnd("1", ""));
    }

    @Test
    void reads_the_same_however_the_bytes_are_cut() throws Exception {
        String list = "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[" + POD + "," + POD + "]}";
        byte[] bytes = list.getBytes(StandardCharsets.UTF_8);
        List<String> whole = texts(parse(PODS, list));
        long seed = System.nanoTime();
        Random random = new Random(seed);

        for (int round = 0; round < 300; round++) {
            List<Signal> signals = new ArrayList<>();
            ResponseParser parser = new ResponseParser(PODS, signals::add);
            for (int at = 0; at < bytes.length; ) {
                int length = Math.min(bytes.length - at, random.nextInt(40));
                parser.feed(ByteBuffer.wrap(bytes, at, length).asReadOnlyBuffer());
                at += length;
            }
            assertThat(texts(signals)).as("seed %d, round %d", seed, round).isEqualTo(whole);
        }
    }

    @Test
    void says_nothing_of_an_object_that_has_not_come_to_its_end() throws Exception {
        assertThat(parse(PODS, "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[{\"metadata\":{\"name\":\"a\"}"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"items\":[}",
                "{\"items\":[{\"metadata\":{\"name\":\"a\",\"labels\":[}",
                "<html>",
                "17 ",
                "{\"kind\":\"Status\",\"code\":200}",
                "{\"type\":\"WHATEVER\",\"object\":{\"metadata\":{\"name\":\"a\"}}}",
                "{\"items\":[{\"metadata\":{}}]}"
            })
    void refuses_what_is_neither_a_list_nor_a_watch(String response) {
        assertThatThrownBy(() -> parse(PODS, response)).isInstanceOf(UnreadableResponseException.class);
    }

    @Test
    void refuses_more_levels_than_json_has_anywhere() {
        assertThatThrownBy(() -> parse(PODS, "{\"items\":[{\"a\":" + "[".repeat(JsonScanner.MAX_DEPTH)))
                .isInstanceOf(UnreadableResponseException.class)
                .hasMessageContaining("more than 500 levels");
    }

    @Test
    void refuses_an_object_that_does_not_come_to_its_end() throws Exception {
        ResponseParser parser = new ResponseParser(PODS, signal -> {});
        parser.feed(ByteBuffer.wrap("{\"items\":[{\"a\":\"".getBytes(StandardCharsets.UTF_8)));
        byte[] more = "x".repeat(8 << 20).getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 9; i++) {
                        parser.feed(ByteBuffer.wrap(more));
                    }
                })
                .isInstanceOf(UnreadableResponseException.class)
                .hasMessageContaining("an object of more than");
    }

    private static JsonObject json(WatchSpec<Pod> spec) throws Exception {
        return json(spec, POD);
    }

    private static JsonObject json(WatchSpec<Pod> spec, String pod) throws Exception {
        Signal signal = parse(spec, "{\"metadata\":{},\"items\":[" + pod + "]}").get(0);
        return new JsonObject(new String(listed(signal).json(), StandardCharsets.UTF_8));
    }

    private static RawObject listed(Signal signal) {
        return ((Signal.Listed) signal).object();
    }

    private static List<String> texts(List<Signal> signals) {
        return signals.stream()
                .map(signal -> signal instanceof Signal.Listed listed
                        ? new String(listed.object().json(), StandardCharsets.UTF_8)
                        : signal.toString())
                .toList();
    }

    private static List<Signal> parse(WatchSpec<?> spec, String response) throws UnreadableResponseException {
        List<Signal> signals = new ArrayList<>();
        new ResponseParser(spec, signals::add).feed(ByteBuffer.wrap(response.getBytes(StandardCharsets.UTF_8)));
        return signals;
    }
}
