package io.busbar.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.AdmissionRules;
import io.busbar.common.internal.json.JsonMutations;
import io.fabric8.kubernetes.api.model.Pod;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ten thousand broken reviews, half of them new in each run: each is answered, and the server is as before. */
class ReviewFuzzTest {

    private static final int MUTATIONS = 5_000;
    private static final List<String> PATHS = List.of("/raw", "/typed");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static List<Long> seeds() {
        return List.of(20_260_101L, System.nanoTime());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void answers_each_mutation_of_a_review_and_lives_on(long seed) {
        try (TestServer server = new TestServer(Map.of(
                "/raw",
                ReviewFuzzTest::label,
                "/typed",
                AdmissionRules.defaulting(Pod.class, (pod, request) -> pod)))) {
            JsonMutations mutations = new JsonMutations(Reviews.podCreate(), new Random(seed));
            for (int done = 0; done < MUTATIONS; done += 200) {
                List<Future<?>> batch = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    Buffer body = Buffer.buffer(mutations.next());
                    batch.add(server.post(PATHS.get(i % 2), body).map(reply -> {
                        assertSensible(reply, body, seed);
                        return reply;
                    }));
                }
                TestServer.await(Future.all(batch));
            }

            TestServer.Reply good = TestServer.await(server.post("/raw", Buffer.buffer(Reviews.podCreate())));
            assertThat(good.code()).isEqualTo(200);
            assertThat(good.body()).contains("\"patch\"");
            assertThat(server.inFlight("/raw") + server.inFlight("/typed")).isZero();
        }
    }

    private static AdmissionDecision label(AdmissionRequest request) {
        return request.object() == null
                ? AdmissionDecision.allowed()
                : AdmissionRules.changed(request, object -> object.put("seen", "yes"));
    }

    private static void assertSensible(TestServer.Reply reply, Buffer body, long seed) {
        Supplier<String> about = () -> "seed " + seed + ", answer " + reply + " to " + body;
        if (reply.code() == 400) {
            assertThat(reply.body().lines()).as(about).hasSize(1);
            return;
        }
        assertThat(reply.code()).as(about).isEqualTo(200);
        JsonNode response = json(reply.body()).path("response");
        assertThat(response.path("uid").asText()).as(about).isNotEmpty();
        assertThat(response.path("allowed").isBoolean()).as(about).isTrue();
        // No rule here throws, so 500 would be ours.
        assertThat(response.at("/status/code").asInt()).as(about).isNotEqualTo(500);
    }

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (IOException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
