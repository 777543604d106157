package io.busbar.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.AdmissionRules;
import io.busbar.admission.review.ReviewReader;
import io.busbar.admission.server.ReviewLog.Decided;
import io.busbar.admission.server.TestServer.Reply;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ReviewLogTest {

    private static final String UNNAMED = Reviews.create("{\"metadata\":{}}");

    private static TestServer server;
    private static volatile String refusal = "";

    @BeforeAll
    static void start() {
        Map<String, AdmissionRule> rules = Map.of(
                "/allow",
                request -> AdmissionDecision.allowed(),
                "/patch",
                request -> AdmissionRules.changed(request, pod -> {
                    pod.withObject("/metadata/labels").put("seen", "yes");
                    pod.withObject("/metadata/annotations").put("seen", "yes");
                }),
                "/refuse",
                request -> AdmissionDecision.forbidden(refusal),
                "/fail",
                request -> {
                    throw new IllegalStateException("a bug");
                },
                "/undecided",
                request -> null);
        server = new TestServer(rules);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void keeps_the_last_decisions_the_latest_first_and_drops_older_ones() {
        for (String name : List.of("a", "b", "c")) {
            post("/allow", Reviews.create("{\"metadata\":{\"name\":\"" + name + "\"}}"));
        }

        assertThat(server.log.last()).extracting(Decided::name).containsExactly("c", "b");
    }

    @Test
    void keeps_what_was_asked_and_how_much_the_answer_changes() {
        Instant before = Instant.now();
        long begun = System.nanoTime();
        Reply reply = post("/patch", Reviews.podCreate().replace("\"dryRun\":false", "\"dryRun\":true"));
        Duration waited = Duration.ofNanos(System.nanoTime() - begun);

        Decided last = last();
        assertThat(last)
                .isEqualTo(new Decided(
                        last.at(),
                        "/patch",
                        "create",
                        "Pod",
                        "default",
                        "checkout-7d9c6b5f4-x2kqp",
                        true,
                        "",
                        200,
                        2,
                        reply.body().getBytes(StandardCharsets.UTF_8).length,
                        last.took()));
        assertThat(last.at()).isBetween(before, Instant.now());
        assertThat(last.took()).isBetween(Duration.ZERO, waited);
    }

    @Test
    void what_changes_nothing_has_no_operations_and_what_has_no_name_yet_none() {
        post("/allow", UNNAMED);

        assertThat(last().operations()).isZero();
        assertThat(last().namespace()).isEmpty();
        assertThat(last().name()).isEmpty();
        assertThat(last().dryRun()).isFalse();
    }

    @Test
    void cuts_a_long_refusal_that_who_asks_gets_whole() {
        refusal = "x".repeat(1000);
        post("/refuse", UNNAMED);
        assertThat(last().refusal()).isEqualTo(refusal);
        assertThat(last().code()).isEqualTo(403);

        refusal = "x".repeat(1000) + "y";
        Reply reply = post("/refuse", UNNAMED);
        assertThat(last().refusal()).isEqualTo("x".repeat(1000) + "…");
        assertThat(reply.body()).contains(refusal);
    }

    @Test
    void a_rule_that_fails_or_decides_nothing_is_kept_as_the_refusal_that_it_becomes() {
        for (String path : List.of("/fail", "/undecided")) {
            Reply reply = post(path, UNNAMED);

            assertThat(last().webhook()).isEqualTo(path);
            assertThat(last().code()).as(path).isEqualTo(500);
            assertThat(last().refusal())
                    .isEqualTo("webhook " + path + " failed on this request; its log tells more under uid u-1");
            assertThat(reply.body()).contains(last().refusal());
        }
    }

    @Test
    void a_refusal_without_words_is_answered_and_kept() {
        refusal = new IllegalStateException().getMessage();
        Reply reply = post("/refuse", UNNAMED);

        assertThat(reply.code()).as(reply.body()).isEqualTo(200);
        assertThat(reply.body()).contains("\"allowed\":false", "\"code\":403");
        assertThat(last().code()).isEqualTo(403);
        assertThat(last().refusal()).isEmpty();
    }

    /** A name is looked for in the metadata, which no decoder takes. */
    @Test
    void what_cannot_be_kept_is_answered_all_the_same() {
        Reply reply = post("/allow", Reviews.create("{\"metadata\":{\"generation\":" + "1".repeat(1001) + "}}"));

        assertThat(reply.code()).as(reply.body()).isEqualTo(200);
        assertThat(reply.body()).contains("\"allowed\":true");
    }

    @Test
    void checks_of_the_server_itself_and_what_is_no_review_are_no_decisions() {
        post("/allow", Reviews.create("{\"metadata\":{\"name\":\"decided\"}}"));
        post("/allow", "{");
        TestServer.await(server.server.selfCheck());

        assertThat(last().name()).isEqualTo("decided");
    }

    @Test
    void keeps_nothing_where_it_is_off() {
        ReviewLog off = ReviewLog.off();
        off.add(
                "/allow",
                ReviewReader.read(UNNAMED.getBytes(StandardCharsets.UTF_8)),
                AdmissionDecision.allowed(),
                100,
                Duration.ZERO);

        assertThat(off.isOn()).isFalse();
        assertThat(off.last()).isEmpty();
    }

    private static Reply post(String path, String body) {
        return server.send(HttpMethod.POST, path, "application/json", body);
    }

    private static Decided last() {
        return server.log.last().get(0);
    }
}
