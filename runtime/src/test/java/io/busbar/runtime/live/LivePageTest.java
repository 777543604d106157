package io.busbar.runtime.live;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

@TestInstance(Lifecycle.PER_CLASS)
class LivePageTest {

    private LiveOperator operator;
    private HttpClient http;
    /** Has begun a session. */
    private String holder;

    private record Answer(int code, String text) {

        JsonObject json() {
            return new JsonObject(text);
        }
    }

    @BeforeAll
    void run() throws Exception {
        operator = new LiveOperator(true);
        http = operator.vertx.createHttpClient();
        holder = session(operator.address());
    }

    @AfterAll
    void stop() throws Exception {
        operator.close();
    }

    @Test
    void the_page_is_for_anyone_and_what_it_shows_for_who_has_the_token() throws Exception {
        for (String path : List.of("/live", "/live/page.js", "/live/page.css", "/live/icon.svg")) {
            assertThat(get(path, "").code()).as(path).isEqualTo(200);
        }
        for (String path : List.of("/live/state", "/live/events", "/live/objects?find=", "/live/object")) {
            assertThat(get(path, "").code()).as(path).isEqualTo(401);
            assertThat(get(path, "Bearer another").code()).as(path).isEqualTo(401);
        }
        assertThat(send(HttpMethod.POST, "/live/reconcile?controller=maps&object=default/a", "")
                        .code())
                .isEqualTo(401);
        assertThat(get("/live/state", holder).json().getJsonObject("operator").getString("name"))
                .isEqualTo("shop");
    }

    @Test
    void a_printed_address_begins_one_session_and_the_next_is_printed_then() throws Exception {
        String address = operator.address();
        assertThat(address).startsWith("http://127.0.0.1:" + operator.port() + "/live#");
        String printed = "Bearer " + address.substring(address.indexOf('#') + 1);
        assertThat(get("/live/state", printed).code()).as("before the session").isEqualTo(401);

        String session = session(address);
        assertThat(get("/live/state", session).code()).isEqualTo(200);
        assertThat(get("/live/state", holder).code()).as("the session before").isEqualTo(200);
        assertThat(send(HttpMethod.POST, "/live/session", printed))
                .isEqualTo(new Answer(
                        401,
                        "Unauthorized: the address that was printed last is needed; each is good for one session\n"));
        assertThat(get("/live/state", printed).code()).isEqualTo(401);
        assertThat(operator.address()).startsWith("http://127.0.0.1:").isNotEqualTo(address);
    }

    @Test
    void the_content_of_an_object_is_told_without_what_the_watch_leaves_out() throws Exception {
        operator.createMap("told");
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(past("default/told")).isNotEmpty());

        JsonObject content =
                get("/live/content?controller=maps&object=default/told", holder).json();
        assertThat(content.getString("leftOut")).isEqualTo("metadata.managedFields");
        assertThat(content.getString("text")).contains("name: \"told\"").doesNotContain("managedFields");
        assertThat(get("/live/content?controller=secrets&object=default/told", holder))
                .isEqualTo(new Answer(403, "the content of Secrets is not shown to anyone\n"));
        assertThat(get("/live/content?controller=maps&object=default/nobody", holder))
                .isEqualTo(new Answer(404, "default/nobody is not there, or not listed yet\n"));
    }

    @Test
    void a_reconcile_in_flight_is_seen_with_its_cause_and_stands_out_when_it_takes_long() throws Exception {
        operator.hold("long");
        operator.createMap("long");

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            JsonObject state = state();
            assertThat(controller(state).getJsonArray("inFlight"))
                    .filteredOn(one -> ((JsonObject) one).getString("object").equals("default/long"))
                    .singleElement()
                    .satisfies(one -> {
                        assertThat(((JsonObject) one).getString("why")).startsWith("added ConfigMap default/long @");
                        assertThat(((JsonObject) one).getString("worker")).contains("maps");
                    });
            assertThat(problemsOf(state, "default/long")).containsExactly("the reconcile takes long");
        });
        operator.release("long");
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(problemsOf(state(), "default/long")).isEmpty();
            assertThat(past("default/long")).isNotEmpty();
            assertThat(past("default/long").getJsonObject(0).getString("outcome"))
                    .isEqualTo("await change");
        });
    }

    @Test
    void the_past_of_an_object_tells_what_was_written() {
        operator.createMap("copied");

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            JsonArray past = past("default/copied");
            assertThat(past).isNotEmpty();
            assertThat(past.getJsonObject(past.size() - 1).getJsonArray("written"))
                    .singleElement()
                    .satisfies(written -> {
                        JsonObject one = (JsonObject) written;
                        assertThat(one.getString("method")).isEqualTo("POST");
                        assertThat(one.getString("path")).isEqualTo("/api/v1/namespaces/default/secrets");
                        assertThat(one.getInteger("code")).isEqualTo(201);
                    });
        });
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(
                                get("/live/objects?find=t/copied", holder).text())
                        .isEqualTo("[{\"controller\":\"maps\",\"object\":\"default/copied\"},"
                                + "{\"controller\":\"secrets\",\"object\":\"default/copied-copy\"}]"));
    }

    @Test
    void one_that_fails_again_and_again_stands_out_with_its_reason() {
        operator.createMap("bad");

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(problemsOf(state(), "default/bad"))
                        .singleElement()
                        .satisfies(problem ->
                                assertThat(problem).startsWith("has failed ").contains(LiveOperator.HOSTILE)));
    }

    @Test
    void is_reconciled_for_who_asks_and_what_cannot_be_is_said() throws Exception {
        operator.createMap("asked");
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(past("default/asked")).isNotEmpty());

        assertThat(send(HttpMethod.POST, "/live/reconcile?controller=maps&object=default/asked", holder)
                        .code())
                .isEqualTo(202);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> assertThat(past("default/asked").getJsonObject(0).getString("why"))
                                .isEqualTo("source by-hand"));
        assertThat(send(HttpMethod.POST, "/live/reconcile?controller=maps&object=default/nobody", holder))
                .isEqualTo(
                        new Answer(409, "this replica does not work on default/nobody, or it is not there any more\n"));
        assertThat(send(HttpMethod.POST, "/live/reconcile?controller=maps&object=east/default/asked", holder))
                .isEqualTo(new Answer(
                        400,
                        "object: 'east/default/asked' is in another cluster; allowed: those of the"
                                + " operator's own, which knows who asks\n"));
        assertThat(send(HttpMethod.POST, "/live/reconcile?controller=cards&object=default/asked", holder))
                .isEqualTo(new Answer(404, "controller: 'cards' is none of this operator's\n"));
        assertThat(send(HttpMethod.POST, "/live/reconcile?controller=maps&object=a/b/c/d", holder)
                        .text())
                .startsWith("object: not a key: 'a/b/c/d', allowed: ");
        assertThat(get("/live/objects?find=" + "x".repeat(301), holder).text())
                .isEqualTo("find: 301 characters; allowed: 300 at most\n");
    }

    @Test
    void is_paused_and_resumed_for_who_asks() throws Exception {
        operator.createMap("paused");
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(past("default/paused")).isNotEmpty());

        assertThat(send(HttpMethod.POST, "/live/pause?controller=maps&object=default/paused", holder)
                        .code())
                .isEqualTo(200);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(object("default/paused").getBoolean("paused"))
                        .isTrue());
        assertThat(send(HttpMethod.POST, "/live/resume?controller=maps&object=default/paused", holder)
                        .code())
                .isEqualTo(200);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(object("default/paused").getBoolean("paused"))
                        .isFalse());
        assertThat(send(HttpMethod.POST, "/live/pause?controller=maps&object=default/nobody", holder))
                .isEqualTo(new Answer(
                        404, "the annotation busbar.io/paused cannot be set: configmaps \"nobody\" not found\n"));
    }

    @Test
    void a_stream_tells_all_first_and_then_only_what_has_changed() throws Exception {
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        StringBuilder rest = new StringBuilder();
        http.request(HttpMethod.GET, operator.port(), "127.0.0.1", "/live/events")
                .compose(request -> request.putHeader("Authorization", holder)
                        .send()
                        .onSuccess(response -> response.handler(chunk -> {
                            rest.append(chunk);
                            for (int end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
                                events.add(rest.substring(0, end));
                                rest.delete(0, end + 2);
                            }
                        })));
        for (String section : List.of("operator", "problems", "shards", "controllers", "streams", "webhooks")) {
            assertThat(events.poll(60, SECONDS)).startsWith("event: " + section + "\ndata: ");
        }

        try {
            operator.client.resource(LiveOperator.secret("bad-one")).create();
        } catch (KubernetesClientException refused) {
            assertThat(refused.getCode()).isEqualTo(403);
        }
        String event = events.poll(60, SECONDS);
        while (event != null && !event.contains("default/bad-one")) {
            assertThat(event).doesNotStartWith("event: operator");
            event = events.poll(60, SECONDS);
        }
        JsonArray reviews = new JsonArray(String.valueOf(event).replaceFirst("event: webhooks\ndata: ", ""));
        assertThat(reviews)
                .filteredOn(one -> ((JsonObject) one).getString("object").equals("default/bad-one"))
                .singleElement()
                .satisfies(one -> assertThat(((JsonObject) one).getString("refusal"))
                        .startsWith(LiveOperator.HOSTILE)
                        .hasSizeLessThan(1100));
    }

    @Test
    void in_a_cluster_it_is_for_those_whom_the_cluster_allows() throws Exception {
        try (LiveOperator inCluster = new LiveOperator(false)) {
            HttpClient secure = inCluster.vertx.createHttpClient(
                    new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false));
            String reader = "Bearer " + inCluster.account("reader", Optional.of("live-reader"));
            String anyone = "Bearer " + inCluster.account("anyone", Optional.empty());
            inCluster.createMap("guarded");

            assertThat(send(secure, inCluster, HttpMethod.GET, "/live", "").code())
                    .isEqualTo(200);
            assertThat(send(secure, inCluster, HttpMethod.GET, "/live/state", "")
                            .code())
                    .isEqualTo(401);
            assertThat(send(secure, inCluster, HttpMethod.GET, "/live/state", anyone))
                    .isEqualTo(new Answer(
                            403,
                            "Forbidden: system:serviceaccount:default:anyone may not get /live; a ClusterRole such as"
                                    + " live-reader allows it\n"));
            assertThat(send(secure, inCluster, HttpMethod.GET, "/live/state", reader)
                            .code())
                    .isEqualTo(200);
            String guarded = "/live/reconcile?controller=maps&object=default/guarded";
            assertThat(send(secure, inCluster, HttpMethod.POST, guarded, reader))
                    .isEqualTo(new Answer(
                            403,
                            "Forbidden: system:serviceaccount:default:reader may not update configmaps default/guarded;"
                                    + " the kind's editor role allows it\n"));
            String admin = "Bearer " + inCluster.account("admin", Optional.of("cluster-admin"));
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(send(secure, inCluster, HttpMethod.POST, guarded, admin)
                                    .code())
                            .isEqualTo(202));
            String content = "/live/content?controller=maps&object=default/guarded";
            assertThat(send(secure, inCluster, HttpMethod.GET, content, reader))
                    .isEqualTo(new Answer(
                            403,
                            "Forbidden: system:serviceaccount:default:reader may not get configmaps default/guarded;"
                                    + " the kind's viewer role allows it\n"));
            assertThat(send(secure, inCluster, HttpMethod.GET, content, admin).text())
                    .contains("guarded");
            String pause = "/live/pause?controller=maps&object=default/guarded";
            assertThat(send(secure, inCluster, HttpMethod.POST, pause, reader).code())
                    .isEqualTo(403);
            assertThat(send(secure, inCluster, HttpMethod.POST, pause, admin)).isEqualTo(new Answer(200, ""));
        }
    }

    /** What is to be sent by who has opened an address. */
    private String session(String address) throws Exception {
        String printed = "Bearer " + address.substring(address.indexOf('#') + 1);
        return "Bearer "
                + send(HttpMethod.POST, "/live/session", printed).json().getString("token");
    }

    private JsonObject state() throws Exception {
        return get("/live/state", holder).json();
    }

    private static JsonObject controller(JsonObject state) {
        return state.getJsonArray("controllers").getJsonObject(0);
    }

    private static List<String> problemsOf(JsonObject state, String object) {
        return state.getJsonArray("problems").stream()
                .map(JsonObject.class::cast)
                .filter(problem -> problem.getString("object").equals(object))
                .map(problem -> problem.getString("what"))
                .toList();
    }

    private JsonArray past(String object) throws Exception {
        return object(object).getJsonArray("past");
    }

    private JsonObject object(String key) throws Exception {
        return get("/live/object?controller=maps&object=" + key, holder).json();
    }

    private Answer get(String path, String authorization) throws Exception {
        return send(HttpMethod.GET, path, authorization);
    }

    private Answer send(HttpMethod method, String path, String authorization) throws Exception {
        return send(http, operator, method, path, authorization);
    }

    private static Answer send(
            HttpClient client, LiveOperator operator, HttpMethod method, String path, String authorization)
            throws Exception {
        return client.request(method, operator.port(), "127.0.0.1", path)
                .compose(request -> request.putHeader("Authorization", authorization)
                        .send()
                        .compose(response -> response.body()
                                .map(Buffer::toString)
                                .map(text -> new Answer(response.statusCode(), text))))
                .await(60, SECONDS);
    }
}
