package io.busbar.admission.server;

import static io.busbar.admission.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.server.TestServer.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Clients that do what no API server would. */
class HostileClientTest {

    private static final String REVIEW = Reviews.create("{\"metadata\":{\"name\":\"a\"}}");
    private static final Duration NEVER = Duration.ofHours(1);

    @Test
    void bodies_that_stall_make_way_for_those_that_arrive() {
        // One event loop, and room for the beginnings of four bodies.
        try (TestServer server = server(AdmissionServerOptions.defaults()
                .withInstances(1)
                .with(BodyLimits.defaults().within(NEVER, NEVER).withTogether(4 * 4 * 64 * 1024)))) {
            List<Future<String>> stalled = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                NetSocket socket = server.openSocket();
                stalled.add(everything(socket));
                await(socket.write(
                        Buffer.buffer(head("/allow?timeout=100h", 1_000_000)).appendBytes(new byte[64 * 1024])));
                server.awaitInFlight(Math.min(i + 1, 4));
            }

            assertThat(await(server.post("/allow", Buffer.buffer(REVIEW))).code())
                    .isEqualTo(200);
            for (Future<String> first : stalled.subList(0, 4)) {
                assertThat(await(first))
                        .startsWith("HTTP/1.1 503 ")
                        .contains("retry-after: 1", "connection: close")
                        .endsWith("too many reviews are arriving at once\n");
            }
        }
    }

    @Test
    void large_bodies_take_no_room_from_small_ones() {
        try (TestServer server = server(AdmissionServerOptions.defaults()
                .withInstances(1)
                .with(BodyLimits.defaults().within(NEVER, NEVER).withTogether(1024 * 1024)))) {
            NetSocket large = server.openSocket();
            await(large.write(Buffer.buffer(head("/allow", 1_000_000)).appendBytes(new byte[500_000])));
            server.awaitInFlight(1);
            NetSocket larger = server.openSocket();
            Future<String> refused = everything(large);
            await(larger.write(Buffer.buffer(head("/allow", 1_000_000)).appendBytes(new byte[700_000])));

            assertThat(await(refused)).startsWith("HTTP/1.1 503 ");
            assertThat(await(server.post("/allow", Buffer.buffer(REVIEW))).code())
                    .isEqualTo(200);
        }
    }

    @Test
    void large_bodies_are_read_in_turns_and_all_answered() {
        try (TestServer server = server(AdmissionServerOptions.defaults().withInstances(1))) {
            Buffer large = Buffer.buffer(Reviews.create("{\"metadata\":{\"name\":\"" + "a".repeat(300_000) + "\"}}"));
            List<Future<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 3 * TestServer.CONNECTIONS; i++) {
                replies.add(server.post("/allow", large));
            }

            assertThat(await(Future.all(replies)).<Reply>list())
                    .extracting(Reply::code)
                    .containsOnly(200);
        }
    }

    @Test
    void a_body_larger_than_all_may_be_together_is_refused() {
        try (TestServer server = server(
                AdmissionServerOptions.defaults().with(BodyLimits.defaults().withTogether(400_000)))) {
            Reply reply = await(server.post("/allow", Buffer.buffer(new byte[1_000_000])));

            assertThat(reply.code()).isEqualTo(503);
        }
    }

    @Test
    void a_body_that_stalls_is_answered_408_long_before_its_timeout() {
        try (TestServer server = server(
                AdmissionServerOptions.defaults().with(BodyLimits.defaults().within(NEVER, Duration.ofMillis(300))))) {
            NetSocket socket = server.openSocket();
            Future<String> answer = everything(socket);
            socket.write(head("/allow?timeout=100h", 1000) + "{");

            assertThat(await(answer)).startsWith("HTTP/1.1 408 ").endsWith("the review stalled for 300 ms\n");
        }
    }

    @Test
    void a_head_that_stalls_is_not_waited_for() {
        try (TestServer server = server(AdmissionServerOptions.defaults()
                .with(ConnectionLimits.webhooks().within(Duration.ofMillis(300), NEVER, NEVER)))) {
            NetSocket socket = server.openSocket();
            Future<String> answer = everything(socket);
            socket.write("POST /allow HTTP/1.1\r\nHost: x\r\nContent-Ty");

            assertThat(await(answer)).isEmpty();
        }
    }

    @Test
    void a_head_without_end_is_answered_431() {
        try (TestServer server = server(AdmissionServerOptions.defaults())) {
            NetSocket socket = server.openSocket();
            Future<String> answer = everything(socket);
            socket.write("POST /allow HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + "x".repeat(20_000));

            assertThat(await(answer)).startsWith("HTTP/1.1 431 ");
        }
    }

    @Test
    void connections_without_a_review_make_way_first_the_oldest_of_them() {
        try (TestServer server = server(AdmissionServerOptions.defaults()
                .withInstances(1)
                .with(ConnectionLimits.webhooks().withMost(3).within(NEVER, NEVER, NEVER)))) {
            NetSocket known = server.openSocket();
            Promise<Buffer> answered = Promise.promise();
            Future<Void> knownClosed = closed(known);
            known.handler(answered::tryComplete);
            known.write(head("/allow", REVIEW.length()) + REVIEW);
            await(answered.future());

            List<Future<Void>> idle = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                idle.add(closed(server.openSocket()));
            }
            await(Future.all(idle.subList(0, 18)));

            assertThat(knownClosed.isComplete()).isFalse();
            assertThat(idle.get(18).isComplete()).isFalse();
            assertThat(idle.get(19).isComplete()).isFalse();
        }
    }

    @Test
    void a_client_that_does_not_read_its_answer_is_cut_off() {
        try (TestServer server = large(Duration.ofMillis(300))) {
            NetSocket socket = server.openSocket();
            Future<Void> closed = closed(socket);
            // The server counts a connection a little later than the client has it; none would look like a closed one.
            server.awaitConnections(1);
            socket.pause();
            socket.write(head("/refuse", REVIEW.length()) + REVIEW);
            server.awaitConnections(0);
            socket.resume();
            await(closed);
        }
    }

    @Test
    void a_client_that_asks_again_without_reading_is_cut_off_before_it_is_answered_again() {
        try (TestServer server = large(NEVER)) {
            NetSocket socket = server.openSocket();
            Future<Void> closed = closed(socket);
            // The server counts a connection a little later than the client has it; none would look like a closed one.
            server.awaitConnections(1);
            socket.pause();
            socket.write((head("/refuse", REVIEW.length()) + REVIEW).repeat(100));
            server.awaitConnections(0);
            socket.resume();
            await(closed);

            assertThat(server.registry
                            .get("controller.runtime.webhook.requests")
                            .tags("webhook", "/refuse", "code", "200")
                            .counter()
                            .count())
                    .isLessThan(10);
        }
    }

    /** Of which an answer is more than a socket that is not read takes. */
    private static TestServer large(Duration unread) {
        String much = "x".repeat(8_000_000);
        return new TestServer(
                AdmissionServerOptions.defaults()
                        .withDrainTimeout(Duration.ofMillis(100))
                        .with(ConnectionLimits.webhooks().within(NEVER, NEVER, unread)),
                Map.of("/refuse", request -> AdmissionDecision.forbidden(much)),
                new EphemeralCertificates(List.of("127.0.0.1")));
    }

    private static TestServer server(AdmissionServerOptions options) {
        return new TestServer(
                options.withDrainTimeout(Duration.ofMillis(100)),
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
        socket.exceptionHandler(reset -> {});
        socket.closeHandler(closed -> promise.tryComplete(all.toString()));
        return promise.future();
    }

    private static Future<Void> closed(NetSocket socket) {
        Promise<Void> promise = Promise.promise();
        socket.exceptionHandler(reset -> {});
        socket.closeHandler(closed -> promise.tryComplete());
        return promise.future();
    }
}
