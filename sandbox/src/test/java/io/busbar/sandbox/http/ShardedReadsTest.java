package io.busbar.sandbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.common.internal.hash.Fnv1a;
import io.busbar.sandbox.FeatureGate;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists and watches of ranges of objects (KEP-5866). */
class ShardedReadsTest {

    private static final String METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    private static final String TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";
    private static final String LOWER = range("uid", 0, 2);
    private static final String UPPER = range("uid", 1, 2);

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final AtomicInteger NAMESPACES = new AtomicInteger();
    private static Sandbox sandbox;

    private final String namespace = "n" + NAMESPACES.incrementAndGet();
    private final String secrets = "/api/v1/namespaces/" + namespace + "/secrets";

    @BeforeAll
    static void start() {
        sandbox = Sandbox.start(SandboxOptions.defaults()
                .withTls(false)
                .withNodes(0)
                .withFeatureGate(FeatureGate.SHARDED_LIST_AND_WATCH, true));
    }

    @AfterAll
    static void stop() {
        sandbox.close();
    }

    @BeforeEach
    void makes_a_namespace() throws Exception {
        post("/api/v1/namespaces", "{'metadata':{'name':'" + namespace + "'}}");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8})
    void lists_of_ranges_have_each_object_once(int ranges) throws Exception {
        List<String> made = secrets(12);
        List<String> found = new ArrayList<>();
        for (int i = 0; i < ranges; i++) {
            JsonNode list = list(secrets, range("uid", i, ranges));
            assertThat(selector(list)).isEqualTo(range("uid", i, ranges));
            for (JsonNode item : list.path("items")) {
                assertThat(index(item.at("/metadata/uid").asText(), ranges)).isEqualTo(i);
            }
            found.addAll(names(list));
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(made);
    }

    @Test
    void several_ranges_are_one_list_whose_selector_is_told_in_its_own_form() throws Exception {
        List<String> made = secrets(6);
        JsonNode list = list(secrets, " (" + UPPER.replace(" ", "") + ")\n||" + LOWER);
        assertThat(names(list)).containsExactlyElementsOf(made);
        assertThat(selector(list)).isEqualTo(UPPER + " || " + LOWER);
    }

    @Test
    void pages_tell_the_selector_and_not_how_many_follow() throws Exception {
        secrets(12);
        List<String> found = new ArrayList<>();
        String next = "";
        do {
            JsonNode page = get(secrets + "?limit=2&continue=" + next + "&" + parameter(LOWER));
            assertThat(selector(page)).isEqualTo(LOWER);
            assertThat(page.path("metadata").has("remainingItemCount")).isFalse();
            assertThat(page.path("items").size()).isLessThanOrEqualTo(2);
            found.addAll(names(page));
            next = page.at("/metadata/continue").asText();
        } while (!next.isEmpty());
        assertThat(found).containsExactlyElementsOf(names(list(secrets, LOWER)));
    }

    @Test
    void labels_fields_and_revisions_select_among_a_range() throws Exception {
        String mine = secret("a", "mine");
        secret("b", "other");
        String own = range(mine);
        String revision = get(secrets).at("/metadata/resourceVersion").asText();
        send("DELETE", secrets + "/a", "");
        secret("a", "mine");
        assertThat(names(get(secrets + "?labelSelector=set%3Dmine&resourceVersionMatch=Exact&resourceVersion="
                        + revision + "&" + parameter(own))))
                .containsExactly("a");
        assertThat(names(get(secrets + "?labelSelector=set%3Dmine&" + parameter(own))))
                .isEmpty();
        assertThat(names(get(secrets + "?fieldSelector=metadata.name%3Db&" + parameter(own))))
                .isEmpty();
    }

    @Test
    void namespaces_are_shared_out_whole() throws Exception {
        List<String> made = secrets(4);
        int index = index(namespace, 2);
        assertThat(names(list(secrets, range("namespace", index, 2)))).containsExactlyElementsOf(made);
        assertThat(names(list(secrets, range("namespace", 1 - index, 2)))).isEmpty();
        for (JsonNode item : list("/api/v1/secrets", range("namespace", 0, 2)).path("items")) {
            assertThat(index(item.at("/metadata/namespace").asText(), 2)).isZero();
        }
    }

    @Test
    void all_kinds_can_be_shared_out() throws Exception {
        String group = namespace + ".example.com";
        post(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                "{'metadata':{'name':'jars." + group + "'},'spec':{'group':'" + group
                        + "','scope':'Namespaced','names':"
                        + "{'plural':'jars','kind':'Jar'},'versions':[{'name':'v1','served':true,'storage':true,"
                        + "'selectableFields':[{'jsonPath':'.spec.lid'}],'schema':{'openAPIV3Schema':{'type':'object',"
                        + "'properties':{'spec':{'type':'object','properties':{'lid':{'type':'string'}}}}}}}]}}");
        String jars = "/apis/" + group + "/v1/namespaces/" + namespace + "/jars";
        for (int i = 0; i < 6; i++) {
            post(
                    jars,
                    "{'apiVersion':'" + group + "/v1','kind':'Jar','metadata':{'name':'j" + i
                            + "'},'spec':{'lid':'cork'}}");
        }
        for (String kind : List.of(jars, "/api/v1/namespaces", "/apis/rbac.authorization.k8s.io/v1/clusterroles")) {
            List<String> found = new ArrayList<>(names(list(kind, LOWER)));
            found.addAll(names(list(kind, UPPER)));
            assertThat(found).as(kind).containsExactlyInAnyOrderElementsOf(names(get(kind)));
            assertThat(selector(list(kind, LOWER))).as(kind).isEqualTo(LOWER);
        }
        List<String> corked = new ArrayList<>(names(get(jars + "?fieldSelector=spec.lid%3Dcork&" + parameter(LOWER))));
        corked.addAll(names(get(jars + "?fieldSelector=spec.lid%3Dcork&" + parameter(UPPER))));
        assertThat(corked).hasSize(6);
    }

    @Test
    void other_forms_of_a_list_do_not_say_that_it_is_of_a_range() throws Exception {
        secrets(8);
        List<String> lower = names(list(secrets, LOWER));
        JsonNode metadata = json(send("GET", secrets + "?" + parameter(LOWER), "", METADATA));
        assertThat(names(metadata)).containsExactlyElementsOf(lower);
        assertThat(metadata.path("metadata").has("shardInfo")).isFalse();
        JsonNode table = json(send("GET", secrets + "?" + parameter(LOWER), "", TABLE));
        assertThat(table.path("rows").size()).isEqualTo(lower.size());
        assertThat(table.path("metadata").has("shardInfo")).isFalse();
    }

    @Test
    void protobuf_tells_the_selector() throws Exception {
        HttpResponse<String> answer =
                send("GET", secrets + "?" + parameter(LOWER), "", "application/vnd.kubernetes.protobuf");
        // Field 5 is a message of 77 bytes, whose field 1 is a text of 75.
        assertThat(answer.body()).contains("*M\nK" + LOWER);
    }

    @Test
    void an_empty_selector_is_none() throws Exception {
        List<String> made = secrets(3);
        JsonNode list = get(secrets + "?shardSelector=");
        assertThat(names(list)).containsExactlyElementsOf(made);
        assertThat(list.path("metadata").has("shardInfo")).isFalse();
    }

    @Test
    void a_wrong_selector_is_a_failure_of_the_server() throws Exception {
        List<String> made = secrets(2);
        String wrong = parameter("shardRange(object.metadata.name, 'a', 'b')");
        List<HttpResponse<String>> answers = List.of(
                send("GET", secrets + "?" + wrong, ""),
                send("GET", secrets + "?watch=true&resourceVersion=x&" + wrong, ""),
                send("DELETE", secrets + "?" + wrong, ""));
        for (HttpResponse<String> answer : answers) {
            assertThat(answer.statusCode()).isEqualTo(500);
            assertThat(json(answer))
                    .isEqualTo(json("{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Failure','message':"
                            + "'invalid shard selector: unsupported field path \\'object.metadata.name\\'; supported:"
                            + " object.metadata.uid, object.metadata.namespace','code':500}"));
        }
        assertThat(json(send("GET", secrets + "?" + parameter("shardRange("), ""))
                        .path("message")
                        .asText())
                .startsWith(
                        "invalid shard selector: CEL parse error: Syntax error: mismatched input '<EOF>' expecting ");
        assertThat(names(get(secrets))).containsExactlyElementsOf(made);
    }

    @Test
    void a_collection_is_deleted_by_ranges() throws Exception {
        secrets(8);
        List<String> lower = names(list(secrets, LOWER));
        List<String> upper = names(list(secrets, UPPER));
        JsonNode deleted = json(send("DELETE", secrets + "?" + parameter(LOWER), ""));
        assertThat(names(deleted)).containsExactlyElementsOf(lower);
        assertThat(selector(deleted)).isEqualTo(LOWER);
        assertThat(names(get(secrets))).containsExactlyElementsOf(upper);
    }

    @Test
    void watches_of_ranges_tell_each_change_once() throws Exception {
        String from = get(secrets).at("/metadata/resourceVersion").asText();
        List<BufferedReader> watches = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            watches.add(watch("resourceVersion=" + from + "&" + parameter(range("uid", i, 3))));
        }
        Map<Integer, List<String>> expected = new TreeMap<>();
        for (String name : secrets(9)) {
            String uid = get(secrets + "/" + name).at("/metadata/uid").asText();
            expected.computeIfAbsent(index(uid, 3), i -> new ArrayList<>()).add("ADDED " + name);
        }
        for (List<String> events : expected.values()) {
            for (String added : List.copyOf(events)) {
                String name = added.substring("ADDED ".length());
                send("PUT", secrets + "/" + name, "{'metadata':{'name':'" + name + "'},'data':{'k':'dg=='}}");
                send("DELETE", secrets + "/" + name, "");
                events.addAll(List.of("MODIFIED " + name, "DELETED " + name));
            }
        }
        List<String> ends = ends();
        for (int i = 0; i < 3; i++) {
            assertThat(until(watches.get(i), ends)).containsExactlyElementsOf(expected.getOrDefault(i, List.of()));
        }
    }

    @Test
    void what_leaves_the_labels_leaves_the_watch_of_its_range_alone() throws Exception {
        String uid = secret("a", "mine");
        String query = "labelSelector=set%3Dmine&resourceVersion="
                + get(secrets).at("/metadata/resourceVersion").asText() + "&";
        BufferedReader own = watch(query + parameter(range(uid)));
        BufferedReader others = watch(query + parameter(besides(uid)));
        for (String set : List.of("other", "mine", "mine")) {
            send(
                    "PUT",
                    secrets + "/a",
                    "{'metadata':{'name':'a','labels':{'set':'" + set + "'},'annotations':{'at':'" + System.nanoTime()
                            + "'}}}");
        }
        send("DELETE", secrets + "/a", "");
        secret("b", "mine");
        assertThat(next(others)).isEqualTo("ADDED b");
        assertThat(List.of(next(own), next(own), next(own), next(own)))
                .containsExactly("DELETED a", "ADDED a", "MODIFIED a", "DELETED a");
    }

    @Test
    void the_first_state_of_a_watch_is_of_its_range_and_ends_with_a_bookmark() throws Exception {
        List<String> made = secrets(8);
        List<String> told = new ArrayList<>();
        for (String range : List.of(LOWER, UPPER)) {
            BufferedReader watch =
                    watch("sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&"
                            + parameter(range));
            for (String event = next(watch); event.startsWith("ADDED "); event = next(watch)) {
                told.add(event.substring("ADDED ".length()));
            }
        }
        assertThat(told).containsExactlyInAnyOrderElementsOf(made);
        BufferedReader plain = watch(parameter(LOWER));
        for (String name : names(list(secrets, LOWER))) {
            assertThat(next(plain)).isEqualTo("ADDED " + name);
        }
    }

    @Test
    void open_api_shows_the_parameter() throws Exception {
        JsonNode apps = get("/openapi/v3/apis/apps/v1").path("paths");
        for (String path : List.of("/apis/apps/v1/deployments", "/apis/apps/v1/namespaces/{namespace}/deployments")) {
            assertThat(apps.path(path).at("/get/x-kubernetes-action").asText()).isEqualTo("list");
            assertThat(apps.path(path).at("/get/parameters").findValuesAsText("name"))
                    .containsExactly("shardSelector");
        }
    }

    @Test
    void without_the_gate_nobody_reads_the_parameter() throws Exception {
        try (Sandbox plain =
                Sandbox.start(SandboxOptions.defaults().withTls(false).withNodes(0))) {
            HttpResponse<String> all =
                    send(plain, "GET", "/api/v1/namespaces?shardSelector=shardRange(", "", "application/json");
            assertThat(names(json(all))).contains("default", "kube-system", "kube-public", "kube-node-lease");
            assertThat(json(all).path("metadata").has("shardInfo")).isFalse();
            JsonNode apps = json(send(plain, "GET", "/openapi/v3/apis/apps/v1", "", "application/json"));
            assertThat(apps.path("paths").has("/apis/apps/v1/deployments")).isFalse();
        }
    }

    /** The part of all hashes with this number, of so many of one size. */
    private static String range(String field, int index, int of) {
        return "shardRange(object.metadata." + field + ", '" + bound(index, of) + "', '" + bound(index + 1, of) + "')";
    }

    private static String bound(int index, int of) {
        return index == of ? "0x10000000000000000" : String.format("0x%016x", Long.divideUnsigned(-1, of) * index);
    }

    private static int index(String value, int of) {
        long hash = Fnv1a.hash(value);
        return IntStream.range(1, of)
                        .filter(i -> Long.compareUnsigned(hash, Long.divideUnsigned(-1, of) * i) < 0)
                        .findFirst()
                        .orElse(of)
                - 1;
    }

    /** One that nothing else is in. */
    private static String range(String uid) {
        long hash = Fnv1a.hash(uid);
        return String.format("shardRange(object.metadata.uid, '0x%016x', '0x%016x')", hash, hash + 1);
    }

    private static String besides(String uid) {
        long hash = Fnv1a.hash(uid);
        return String.format(
                "shardRange(object.metadata.uid, '0x0000000000000000', '0x%016x')"
                        + " || shardRange(object.metadata.uid, '0x%016x', '0x10000000000000000')",
                hash, hash + 1);
    }

    private static String parameter(String selector) {
        return "shardSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8);
    }

    private List<String> secrets(int count) throws Exception {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(String.format("s%02d", i));
            secret(names.get(i), "mine");
        }
        return names;
    }

    private String secret(String name, String set) throws Exception {
        return post(secrets, "{'metadata':{'name':'" + name + "','labels':{'set':'" + set + "'}}}")
                .at("/metadata/uid")
                .asText();
    }

    /** Makes Secrets until there is one in each third. */
    private List<String> ends() throws Exception {
        TreeSet<Integer> reached = new TreeSet<>();
        List<String> names = new ArrayList<>();
        while (reached.size() < 3) {
            names.add("end" + names.size());
            reached.add(index(secret(names.get(names.size() - 1), "mine"), 3));
        }
        return names;
    }

    private static List<String> until(BufferedReader events, List<String> ends) throws IOException {
        List<String> told = new ArrayList<>();
        String event = next(events);
        while (!ends.contains(event.substring(event.indexOf(' ') + 1))) {
            told.add(event);
            event = next(events);
        }
        return told;
    }

    private BufferedReader watch(String query) throws Exception {
        HttpResponse<InputStream> response = HTTP.send(
                request(sandbox, "GET", secrets + "?watch=true&" + query, "", "application/json"),
                BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    private static String next(BufferedReader events) throws IOException {
        JsonNode event = JSON.readTree(String.valueOf(events.readLine()));
        return event.path("type").asText() + " "
                + event.at("/object/metadata/name").asText();
    }

    private static JsonNode list(String path, String selector) throws Exception {
        return get(path + "?" + parameter(selector));
    }

    private static String selector(JsonNode list) {
        return list.at("/metadata/shardInfo/selector").asText();
    }

    private static List<String> names(JsonNode list) {
        List<String> names = new ArrayList<>();
        list.path("items").forEach(item -> names.add(item.at("/metadata/name").asText()));
        return names;
    }

    private static JsonNode get(String path) throws Exception {
        HttpResponse<String> answer = send("GET", path, "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer);
    }

    private static JsonNode post(String path, String body) throws Exception {
        HttpResponse<String> answer = send("POST", path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return json(answer);
    }

    private static HttpResponse<String> send(String method, String path, String body) throws Exception {
        return send(method, path, body, "application/json");
    }

    private static HttpResponse<String> send(String method, String path, String body, String accept) throws Exception {
        return send(sandbox, method, path, body, accept);
    }

    private static HttpResponse<String> send(Sandbox to, String method, String path, String body, String accept)
            throws Exception {
        return HTTP.send(request(to, method, path, body, accept), BodyHandlers.ofString());
    }

    private static HttpRequest request(Sandbox to, String method, String path, String body, String accept) {
        return HttpRequest.newBuilder(URI.create(to.url() + path))
                .timeout(Duration.ofSeconds(20))
                .header("Authorization", "Bearer " + to.token())
                .header("Content-Type", "application/json")
                .header("Accept", accept)
                .method(
                        method,
                        body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body.replace('\'', '"')))
                .build();
    }

    private static JsonNode json(HttpResponse<String> answer) throws IOException {
        return JSON.readTree(answer.body());
    }

    private static JsonNode json(String text) throws IOException {
        return JSON.readTree(text.replace("\\'", "\\\"").replace('\'', '"'));
    }
}
