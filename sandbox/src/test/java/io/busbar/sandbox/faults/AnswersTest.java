package io.busbar.sandbox.faults;

import static io.busbar.sandbox.faults.Secrets.PATH;
import static io.busbar.sandbox.faults.Secrets.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.GoAway;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.StreamResetException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AnswersTest {

    private static final Vertx VERTX = Vertx.vertx();
    private static Sandbox plain;
    private static Secrets secrets;
    private static Sandbox secure;

    @BeforeAll
    static void start() throws Exception {
        SandboxOptions options = SandboxOptions.defaults().withNodes(0);
        plain = get(VertxSandbox.start(VERTX, options.withTls(false)));
        secure = get(VertxSandbox.start(VERTX, options));
        secrets = new Secrets(plain);
    }

    @AfterEach
    void clear() throws Exception {
        get(plain.faults().clear());
        get(secure.faults().clear());
    }

    @AfterAll
    static void stop() {
        VERTX.close();
    }

    @Test
    void a_write_whose_answer_is_lost_has_been_done() throws Exception {
        plain.faults().inject(Fault.on("create", "secrets").answerLost());
        assertThatThrownBy(() -> secrets.create("lost")).isInstanceOf(IOException.class);
        assertThat(secrets.create("lost").statusCode()).isEqualTo(409);
        // The JDK's client itself reads again where a connection is cut: once would not show.
        InjectedFault reads =
                plain.faults().inject(Fault.on("get", "secrets").answerLost().untilRemoved());
        InjectedFault watches =
                plain.faults().inject(Fault.on("watch", "secrets").answerLost().untilRemoved());
        assertThatThrownBy(() -> secrets.exists("lost")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> secrets.watch("resourceVersion=0")).isInstanceOf(IOException.class);
        reads.remove();
        assertThat(secrets.exists("lost")).isTrue();
        assertThat(reads.hits()).isPositive();
        assertThat(watches.hits()).isPositive();
    }

    @Test
    void the_answer_of_a_refused_write_is_lost_too() throws Exception {
        plain.faults().inject(Fault.on("create", "secrets").refused(503).answerLost());
        assertThatThrownBy(() -> secrets.create("neither")).isInstanceOf(IOException.class);
        assertThat(secrets.exists("neither")).isFalse();
    }

    @Test
    void all_that_is_under_way_on_a_connection_is_lost_with_it() throws Exception {
        try (Http2 client = new Http2()) {
            Future<Buffer> watch = client.watch();
            secure.faults().inject(Fault.on("create", "secrets").answerLost());
            assertThatThrownBy(() -> get(client.create("lost-with-others"))).isInstanceOf(ExecutionException.class);
            assertThatThrownBy(() -> get(watch)).isInstanceOf(ExecutionException.class);
            assertThat(client.goAways).as("a cut connection says nothing").isEmpty();
        }
        try (Http2 client = new Http2()) {
            assertThat(get(client.create("lost-with-others"))).isEqualTo(409);
        }
    }

    @Test
    void a_stream_that_is_reset_concerns_no_other() throws Exception {
        try (Http2 client = new Http2()) {
            Future<Buffer> watch = client.watch();
            secure.faults().inject(Fault.on("create", "secrets").answerReset());
            assertThatThrownBy(() -> get(client.create("reset"))).hasCauseInstanceOf(StreamResetException.class);
            assertThat(get(client.create("reset"))).isEqualTo(409);
            assertThat(watch.isComplete()).isFalse();
        }
    }

    @Test
    void an_answer_comes_long_after_the_work() throws Exception {
        plain.faults().inject(Fault.on("create", "secrets").answeredAfter(Duration.ofDays(1)));
        Thread waiting = new Thread(() -> assertThatThrownBy(() -> secrets.create("slow")));
        waiting.start();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> secrets.exists("slow"));
        assertThat(waiting.isAlive()).isTrue();
        waiting.interrupt();
        plain.faults().inject(Fault.on("get", "secrets").answeredAfter(Duration.ofMillis(1)));
        assertThat(secrets.exists("slow")).isTrue();
    }

    @Test
    void a_body_comes_in_pieces_and_whole() throws Exception {
        secrets.create("dribbled");
        String whole = secrets.send("GET", PATH + "/dribbled", "").body();
        plain.faults().inject(Fault.on("get", "secrets").answeredInPieces(7, Duration.ofMillis(1)));
        HttpResponse<String> dribbled = secrets.send("GET", PATH + "/dribbled", "");
        assertThat(dribbled.body()).isEqualTo(whole);
        assertThat(dribbled.headers().firstValue("Content-Length")).hasValue(String.valueOf(whole.length()));
    }

    @Test
    void a_client_that_is_told_to_go_away_gets_all_its_answers() throws Exception {
        try (Http2 client = new Http2()) {
            Future<Buffer> watch = client.watch();
            secure.faults().inject(Fault.on("create", "secrets").goneAway());
            assertThat(get(client.create("gone-away"))).isEqualTo(201);
            GoAway told = client.goAway();
            assertThat(told.getErrorCode()).isZero();
            assertThat(told.getLastStreamId())
                    .as("the watch is 1, the request 3")
                    .isEqualTo(3);
            assertThat(watch.isComplete()).isFalse();
            assertThat(client.closed.isComplete()).isFalse();
            get(secure.faults().dropWatches());
            get(client.closed);
        }
    }

    @Test
    void a_connection_without_watches_is_closed_after_its_last_answer() throws Exception {
        try (Http2 client = new Http2()) {
            secure.faults().inject(Fault.on("list", "secrets").goneAway());
            assertThat(get(client.send(HttpMethod.GET, PATH, ""))).isEqualTo(200);
            get(client.closed);
            assertThat(client.goAways).hasSize(1);
        }
    }

    /** Requests without a body: see {@link Fault#notProcessed}. */
    @Test
    void what_was_not_processed_was_not() throws Exception {
        try (Http2 client = new Http2()) {
            get(client.create("not-processed"));
            get(client.create("too-late"));
            Future<Buffer> watch = client.watch();
            secure.faults().inject(Fault.on("delete", "secrets").notProcessed());
            Future<Integer> refused = client.delete("not-processed");
            Future<Integer> later = client.delete("too-late");
            assertThatThrownBy(() -> get(refused)).isInstanceOf(ExecutionException.class);
            assertThatThrownBy(() -> get(later)).isInstanceOf(ExecutionException.class);
            assertThat(client.goAway().getLastStreamId()).as("the watch").isEqualTo(5);
            try (Http2 next = new Http2()) {
                assertThat(get(next.delete("not-processed"))).isEqualTo(200);
                assertThat(get(next.delete("too-late"))).isEqualTo(200);
            }
            assertThat(watch.isComplete()).as(() -> "ended by " + watch.cause()).isFalse();
        }
    }

    @Test
    void only_who_speaks_http_2_can_be_told_to_go_away() throws Exception {
        InjectedFault fault = plain.faults().inject(Fault.on("list", "secrets").goneAway());
        assertThat(secrets.send("GET", PATH, "").statusCode()).isEqualTo(200);
        assertThat(fault.hits()).isZero();
    }

    @Test
    void chance_spares_some_requests() throws Exception {
        InjectedFault fault = plain.faults()
                .inject(Fault.on("get", "secrets").refused(429).withChance(0.5).untilRemoved());
        int refused = 0;
        for (int i = 0; i < 200; i++) {
            refused += secrets.send("GET", PATH + "/any", "").statusCode() == 429 ? 1 : 0;
        }
        assertThat(refused).isEqualTo(fault.hits()).isBetween(20, 180);
    }

    @Test
    void refuses_what_makes_no_sense() {
        Fault any = Fault.on("get", "pods");
        assertThatThrownBy(() -> any.withChance(0)).hasMessageContaining("chance: 0.0");
        assertThatThrownBy(() -> any.withChance(Double.NaN)).hasMessageContaining("chance: NaN");
        assertThatThrownBy(() -> any.answeredInPieces(0, Duration.ZERO)).hasMessageContaining("bytes at once: 0");
        assertThatThrownBy(() -> any.answeredAfter(Duration.ofSeconds(-1))).hasMessageContaining("a negative duration");
    }

    /** One connection by HTTP/2 to the sandbox with TLS. */
    private static final class Http2 implements AutoCloseable {

        final List<GoAway> goAways = new ArrayList<>();
        final Future<Void> closed;
        private final Promise<GoAway> goAway = Promise.promise();
        private final HttpClientAgent agent;
        private final HttpClientConnection connection;

        Http2() throws Exception {
            URI url = URI.create(secure.url());
            agent = VERTX.createHttpClient(new HttpClientOptions()
                    .setProtocolVersion(HttpVersion.HTTP_2)
                    .setSsl(true)
                    .setUseAlpn(true)
                    .setTrustAll(true)
                    .setVerifyHost(false));
            connection = get(agent.connect(new HttpConnectOptions()
                    .setHost(url.getHost())
                    .setPort(url.getPort())
                    .setSsl(true)));
            Promise<Void> end = Promise.promise();
            connection.closeHandler(end::tryComplete);
            connection.goAwayHandler(told -> {
                goAways.add(told);
                goAway.tryComplete(told);
            });
            closed = end.future();
        }

        /** Completes with the body when the watch has ended; answered already. */
        Future<Buffer> watch() throws Exception {
            Promise<Buffer> body = Promise.promise();
            int status = get(request(HttpMethod.GET, PATH + "?watch=true&resourceVersion=0", "")
                    .map(response -> {
                        assertThat(response.version()).isEqualTo(HttpVersion.HTTP_2);
                        response.body().onComplete(body);
                        return response.statusCode();
                    }));
            assertThat(status).isEqualTo(200);
            return body.future();
        }

        Future<Integer> create(String name) {
            return send(HttpMethod.POST, PATH, Secrets.secret(name));
        }

        Future<Integer> delete(String name) {
            return send(HttpMethod.DELETE, PATH + "/" + name, "");
        }

        Future<Integer> send(HttpMethod method, String path, String body) {
            return request(method, path, body)
                    .compose(response -> response.body().map(read -> response.statusCode()));
        }

        GoAway goAway() throws Exception {
            return get(goAway.future());
        }

        private Future<HttpClientResponse> request(HttpMethod method, String path, String body) {
            RequestOptions options = new RequestOptions()
                    .setMethod(method)
                    .setURI(path)
                    .putHeader("Authorization", "Bearer " + secure.token())
                    .putHeader("Content-Type", "application/json");
            return connection
                    .request(options)
                    .compose(request -> body.isEmpty() ? request.send() : request.send(Buffer.buffer(body)));
        }

        @Override
        public void close() {
            agent.close();
        }
    }
}
