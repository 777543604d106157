package io.busbar.admission.server;

import static io.busbar.admission.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.server.TestServer.Reply;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Of clients that would rather speak HTTP/2, and tell so by ALPN. */
class Http2Test {

    private static final String REVIEW = Reviews.create("{\"metadata\":{\"name\":\"a\"}}");

    /** Kept: Vert.x closes a client that nobody holds any more. */
    private HttpClient client;

    @Test
    void is_not_spoken_unless_it_is_allowed() {
        try (TestServer server = server(false)) {
            assertThat(version(server)).isEqualTo(HttpVersion.HTTP_1_1);
        }
        try (TestServer server = server(true)) {
            assertThat(version(server)).isEqualTo(HttpVersion.HTTP_2);
        }
    }

    @Test
    void a_review_does_not_wait_for_another_on_its_connection_nor_fall_with_it() {
        try (TestServer server = server(true)) {
            HttpClient client = client(server);
            Begun slow = begin(server, client);
            Buffer tooLarge = Buffer.buffer(new byte[BodyLimits.defaults().most() + 1]);

            assertThat(await(post(server, client, tooLarge)).code()).isEqualTo(413);
            assertThat(await(post(server, client, Buffer.buffer(REVIEW))).code())
                    .isEqualTo(200);
            assertThat(slow.end().body()).contains("\"allowed\":true");
        }
    }

    @Test
    void a_review_that_does_not_arrive_in_time_leaves_the_others_alone() {
        try (TestServer server = server(true)) {
            HttpClient client = client(server);
            Begun slow = begin(server, client);
            Future<Reply> late = client.request(to(server, "/allow?timeout=300ms"))
                    .compose(request -> {
                        request.setChunked(true).write("{");
                        return request.response().compose(TestServer::reply);
                    });

            assertThat(await(late).code()).isEqualTo(504);
            assertThat(slow.end().code()).isEqualTo(200);
        }
    }

    /**
     * Asked of the server: to Vert.x's client, the end of a stream can overtake its answer once the connection is to
     * go.
     */
    @Test
    void a_review_in_flight_is_answered_before_the_server_stops() {
        TestServer server = server(true);
        HttpClient client = client(server);
        Begun slow = begin(server, client);
        server.awaitInFlight(1);

        Future<Void> stopped = server.server.close();
        slow.request().end(REVIEW.substring(50));
        await(stopped);
        assertThat(server.registry
                        .get("controller.runtime.webhook.requests")
                        .tags("webhook", "/allow", "code", "200")
                        .counter()
                        .count())
                .isOne();
        await(server.vertx.close());
    }

    private static TestServer server(boolean http2) {
        return new TestServer(
                AdmissionServerOptions.defaults().withHttp2(http2),
                Map.of("/allow", request -> AdmissionDecision.allowed()),
                new EphemeralCertificates(List.of("127.0.0.1")));
    }

    private HttpClient client(TestServer server) {
        client = server.vertx.createHttpClient(
                new HttpClientOptions()
                        .setSsl(true)
                        .setTrustAll(true)
                        .setVerifyHost(false)
                        .setUseAlpn(true)
                        .setProtocolVersion(HttpVersion.HTTP_2),
                new PoolOptions().setHttp2MaxSize(1));
        return client;
    }

    private static RequestOptions to(TestServer server, String path) {
        return server.to(path).setMethod(HttpMethod.POST).putHeader("content-type", "application/json");
    }

    private static Future<Reply> post(TestServer server, HttpClient client, Buffer body) {
        return client.request(to(server, "/allow")).compose(request -> {
            request.send(body).onFailure(told -> {}); // of what is cut short the answer tells
            return request.response().compose(TestServer::reply);
        });
    }

    private HttpVersion version(TestServer server) {
        return await(client(server)
                .request(to(server, "/allow"))
                .compose(request -> request.send(REVIEW))
                .map(HttpClientResponse::version));
    }

    /**
     * A review of which a part is sent.
     *
     * @param reply awaited from the beginning: who asks for an answer that is there already, asks too late
     */
    private record Begun(HttpClientRequest request, Future<Reply> reply) {

        /** Sends the rest. */
        Reply end() {
            request.end(REVIEW.substring(50));
            return await(reply);
        }
    }

    private static Begun begin(TestServer server, HttpClient client) {
        return await(client.request(to(server, "/allow")).compose(request -> {
            Begun begun = new Begun(request, request.response().compose(TestServer::reply));
            return request.setChunked(true).write(REVIEW.substring(0, 50)).map(begun);
        }));
    }
}
