package io.busbar.sandbox.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class FaultsTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private static final Vertx VERTX = Vertx.vertx();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static Sandbox sandbox;

    @BeforeAll
    static void start() throws Exception {
        sandbox = get(VertxSandbox.start(VERTX, SandboxOptions.defaults().withTls(false)));
    }

    @AfterEach
    void clear() {
        sandbox.faults().clear().join();
    }

    @AfterAll
    static void stop() {
        VERTX.close();
    }

    @Test
    void refuses_a_verb_on_a_kind_as_often_as_told() throws Exception {
        InjectedFault fault = sandbox.faults()
                .inject(Fault.on("create", "configmaps")
                        .refused(429)
                        .retryAfter(Duration.ofSeconds(3))
                        .times(2));
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> refused = create("refused");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("3");
            assertThat(refused.body()).contains("\"reason\":\"TooManyRequests\"", "\"retryAfterSeconds\":3");
            assertThat(send("GET", MAPS, "").statusCode()).isEqualTo(200);
        }
        assertThat(fault.hits()).isEqualTo(2);
        assertThat(create("refused").statusCode()).isEqualTo(201);
    }

    @Test
    void answers_with_the_status_of_a_server_in_trouble() throws Exception {
        for (int code : new int[] {400, 401, 403, 404, 409, 410, 418, 429, 500, 503, 504}) {
            sandbox.faults().inject(Fault.on("list", "secrets").refused(code));
            HttpResponse<String> refused = send("GET", "/api/v1/secrets", "");
            assertThat(refused.statusCode()).isEqualTo(code);
            assertThat(refused.body()).contains("\"kind\":\"Status\"", "\"code\":" + code);
        }
    }

    @Test
    void a_caller_is_told_in_the_words_of_rbac_which_right_is_lacking() throws Exception {
        create("kept");
        sandbox.faults().inject(Fault.on("get", "configmaps").refused(403));
        sandbox.faults().inject(Fault.on("list", "configmaps").refused(403));

        assertThat(send("GET", MAPS + "/kept", "").body())
                .contains(
                        "configmaps \\\"kept\\\" is forbidden: User \\\"somebody\\\" cannot get resource"
                                + " \\\"configmaps\\\" in API group \\\"\\\" in the namespace \\\"default\\\": a fault was injected");
        assertThat(send("GET", MAPS, "").body()).contains("configmaps is forbidden: User ");
    }

    @Test
    void the_next_update_of_one_object_comes_second() throws Exception {
        create("contended");
        create("left-alone");
        sandbox.faults().inject(Fault.conflict("update", "configmaps").named("contended"));
        String body = "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"k\":\"v\"}}";
        assertThat(send("PUT", MAPS + "/left-alone", body.formatted("left-alone"))
                        .statusCode())
                .isEqualTo(200);
        HttpResponse<String> second = send("PUT", MAPS + "/contended", body.formatted("contended"));
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("the object has been modified");
        assertThat(send("PUT", MAPS + "/contended", body.formatted("contended")).statusCode())
                .isEqualTo(200);
    }

    @Test
    void a_request_that_is_delayed_is_carried_out_all_the_same() throws Exception {
        InjectedFault fault =
                sandbox.faults().inject(Fault.on("create", "configmaps").delayed(Duration.ofMillis(50)));
        long start = System.nanoTime();
        assertThat(create("delayed").statusCode()).isEqualTo(201);
        assertThat(System.nanoTime() - start)
                .isGreaterThan(Duration.ofMillis(49).toNanos());
        assertThat(fault.hits()).isEqualTo(1);
    }

    @Test
    void watches_that_are_dropped_go_on_from_where_they_were() throws Exception {
        create("before");
        String version = version();
        try (BufferedReader events = watch("0")) {
            assertThat(events.readLine()).contains("ADDED");
            get(sandbox.faults().dropWatches());
            assertThatThrownBy(() -> events.lines().forEach(line -> {})).isInstanceOf(UncheckedIOException.class);
        }
        create("meanwhile");
        try (BufferedReader events = watch(version)) {
            assertThat(events.readLine()).contains("ADDED", "meanwhile");
        }
    }

    @Test
    void resource_versions_expire() throws Exception {
        create("old");
        String version = version();
        String more = send("GET", MAPS + "?limit=1", "").body();
        String token = more.replaceAll(".*\"continue\":\"([^\"]*)\".*", "$1");
        get(sandbox.faults().expire());
        try (BufferedReader events = watch(version)) {
            assertThat(events.readLine()).contains("ERROR", "\"code\":410");
        }
        HttpResponse<String> refused = send("GET", MAPS + "?limit=1&continue=" + token, "");
        assertThat(refused.statusCode()).isEqualTo(410);
        String fresh = refused.body().replaceAll(".*\"continue\":\"([^\"]*)\".*", "$1");
        HttpResponse<String> rest = send("GET", MAPS + "?continue=" + fresh, "");
        assertThat(rest.body()).contains("\"name\":\"old\"").doesNotContain("\"continue\"");
        try (BufferedReader events = watch(version())) {
            create("new");
            assertThat(events.readLine()).contains("ADDED", "new");
        }
    }

    @Test
    void a_server_that_was_away_is_back_with_its_data_on_its_port() throws Exception {
        create("kept");
        try (BufferedReader events = watch(version())) {
            get(sandbox.faults().stop());
            assertThatThrownBy(() -> send("GET", MAPS + "/kept", "")).isInstanceOf(IOException.class);
            assertThatThrownBy(events::readLine).isInstanceOf(IOException.class);
            get(sandbox.faults().start());
        }
        isThere("kept");
        get(sandbox.faults().whileStopped(() -> CompletableFuture.completedFuture(null)));
        isThere("kept");
    }

    @Test
    void listens_again_at_once_as_often_as_it_is_stopped() throws Exception {
        URI address = URI.create(sandbox.url());
        for (int i = 0; i < 200; i++) {
            get(sandbox.faults().whileStopped(() -> CompletableFuture.completedFuture(null)));
            try (Socket client = new Socket(address.getHost(), address.getPort())) {
                assertThat(client.isConnected()).isTrue();
            }
        }
    }

    /** A client may find out only by its next request that its connection was cut. */
    private static void isThere(String name) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(
                        () -> assertThat(send("GET", MAPS + "/" + name, "").statusCode())
                                .isEqualTo(200));
    }

    @Test
    void what_is_removed_does_not_happen() throws Exception {
        sandbox.faults().inject(Fault.on("*", "*").refused(500)).remove();
        assertThat(send("GET", MAPS, "").statusCode()).isEqualTo(200);
    }

    @Test
    void refuses_what_makes_no_sense() {
        assertThatThrownBy(() -> Fault.on("get", "pods").times(0)).hasMessageContaining("times: 0");
        assertThatThrownBy(() -> Fault.on("get", "pods").refused(200)).hasMessageContaining("code: 200");
        assertThatThrownBy(() -> Fault.on("get", "pods").delayed(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String version() throws Exception {
        return send("GET", MAPS, "").body().replaceAll(".*?\"resourceVersion\":\"(\\d+)\".*", "$1");
    }

    private static HttpResponse<String> create(String name) throws Exception {
        return send("POST", MAPS, map(name));
    }

    private static String map(String name) {
        return "{\"metadata\":{\"name\":\"" + name + "\"}}";
    }

    private static BufferedReader watch(String version) throws Exception {
        HttpResponse<InputStream> response = HTTP.send(
                request("GET", MAPS + "?watch=true&resourceVersion=" + version, ""), BodyHandlers.ofInputStream());
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    private static HttpResponse<String> send(String method, String path, String body) throws Exception {
        return HTTP.send(request(method, path, body), BodyHandlers.ofString());
    }

    private static HttpRequest request(String method, String path, String body) {
        return HttpRequest.newBuilder(URI.create(sandbox.url() + path))
                .timeout(Duration.ofSeconds(20))
                .header("Authorization", "Bearer " + sandbox.token())
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
    }

    private static <T> T get(Future<T> future) throws Exception {
        return get(future.toCompletionStage());
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
