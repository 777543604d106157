package io.busbar.admission.server;

import static io.busbar.admission.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectionTest {

    private static final String REVIEW = Reviews.create("{\"metadata\":{\"name\":\"a\"}}");

    @Test
    void a_body_that_does_not_arrive_in_time_is_answered_504_and_the_connection_closed() {
        try (TestServer server = server(Duration.ofMinutes(1))) {
            NetSocket socket = server.openSocket();
            Future<String> answer = everything(socket);
            socket.write(head("/allow?timeout=300ms", 1000) + "{");

            assertThat(await(answer))
                    .startsWith("HTTP/1.1 504 ")
                    .contains("connection: close")
                    .endsWith("the review did not arrive within its timeout\n");
        }
    }

    @Test
    void a_connection_without_a_request_is_closed() {
        try (TestServer server = server(Duration.ofMillis(300))) {
            assertThat(await(everything(server.openSocket()))).isEmpty();
        }
    }

    @Test
    void a_connection_cut_in_the_middle_of_a_body_leaves_nothing_behind() {
        try (TestServer server = server(Duration.ofMinutes(1))) {
            NetSocket socket = server.openSocket();
            await(socket.write(head("/allow", 1000) + "{\"kind\""));
            server.awaitInFlight(1);
            // Whether TLS says goodbye in time does not matter here.
            socket.close();
            server.awaitInFlight(0);

            assertThat(await(server.post("/allow", Buffer.buffer(REVIEW))).code())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_request_in_flight_is_answered_before_the_server_stops() {
        TestServer server = server(Duration.ofMinutes(1));
        NetSocket socket = server.openSocket();
        Future<String> answer = everything(socket);
        await(socket.write(head("/allow", REVIEW.length()) + REVIEW.substring(0, 50)));
        server.awaitInFlight(1);

        Future<String> idle = everything(server.openSocket());
        Future<Void> stopped = server.server.close();
        await(idle);
        assertThat(stopped.isComplete()).isFalse();
        socket.write(REVIEW.substring(50));

        assertThat(await(answer)).startsWith("HTTP/1.1 200 ").contains("connection: close", "\"allowed\":true");
        await(stopped);
        await(server.vertx.close());
    }

    @Test
    void a_request_that_never_ends_does_not_keep_the_server_from_stopping() {
        TestServer server = new TestServer(
                AdmissionServerOptions.defaults().withDrainTimeout(Duration.ofMillis(500)),
                Map.of("/allow", request -> AdmissionDecision.allowed()),
                new EphemeralCertificates(List.of("127.0.0.1")));
        NetSocket socket = server.openSocket();
        Future<String> answer = everything(socket);
        await(socket.write(head("/allow", 1000) + "{"));
        server.awaitInFlight(1);

        await(server.server.close());

        assertThat(await(answer)).isEmpty();
        await(server.vertx.close());
    }

    @Test
    void requests_sent_one_after_the_other_without_waiting_are_answered_in_order() {
        try (TestServer server = server(Duration.ofSeconds(1))) {
            NetSocket socket = server.openSocket();
            Future<String> answers = everything(socket);
            socket.write(head("/allow", REVIEW.length()) + REVIEW + head("/nobody", REVIEW.length()) + REVIEW);

            String text = await(answers);
            assertThat(text.indexOf("HTTP/1.1 200 ")).isZero();
            assertThat(text.indexOf("HTTP/1.1 404 ")).isPositive();
        }
    }

    private static TestServer server(Duration idle) {
        return new TestServer(
                AdmissionServerOptions.defaults()
                        .with(ConnectionLimits.webhooks().within(idle, idle, Duration.ofSeconds(10))),
                Map.of("/allow", request -> AdmissionDecision.allowed()),
                new EphemeralCertificates(List.of("127.0.0.1")));
    }

    private static String head(String path, int length) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: " + length
                + "\r\n\r\n";
    }

    /** All that comes until the server closes. */
    private static Future<String> everything(NetSocket socket) {
        Promise<String> promise = Promise.promise();
        Buffer all = Buffer.buffer();
        socket.handler(all::appendBuffer);
        socket.closeHandler(closed -> promise.tryComplete(all.toString()));
        return promise.future();
    }
}
