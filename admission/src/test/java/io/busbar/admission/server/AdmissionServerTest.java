package io.busbar.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.AdmissionRules;
import io.busbar.common.guard.Faults;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AdmissionServerTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static TestServer server;
    private static volatile @Nullable Throwable thrown;

    record Reply(int code, String type, String body) {
        JsonNode json() {
            try {
                return MAPPER.readTree(body);
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException(body, e);
            }
        }

        JsonNode response() {
            return json().path("response");
        }
    }

    @BeforeAll
    static void start() {
        Map<String, AdmissionRule> rules = Map.of(
                "/mutate-pod",
                request -> request.metadata().at("/labels/team").asText().equals("payments")
                        ? AdmissionRules.changed(
                                request,
                                pod -> pod.withObject("/metadata/labels").put("seen", "yes"))
                        : AdmissionDecision.allowed(),
                "/refuse",
                request -> AdmissionDecision.forbidden("not today"),
                "/warn",
                request -> new AdmissionDecision.Allowed(List.of("two\nlines")),
                "/fail",
                request -> {
                    throw new IllegalStateException("a secret of the operator");
                },
                "/throw",
                request -> {
                    Faults.raise(thrown);
                    return AdmissionDecision.allowed();
                },
                "/dry-run",
                request -> request.dryRun() ? AdmissionDecision.forbidden("dry") : AdmissionDecision.allowed());
        server = new TestServer(rules);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void patches_what_a_rule_changes_and_echoes_uid_and_version() throws Exception {
        Reply reply = post("/mutate-pod", Reviews.podCreate());

        assertThat(reply.code()).isEqualTo(200);
        assertThat(reply.type()).isEqualTo("application/json");
        assertThat(reply.json().path("apiVersion").asText()).isEqualTo("admission.k8s.io/v1");
        assertThat(reply.json().path("kind").asText()).isEqualTo("AdmissionReview");
        assertThat(reply.response().path("uid").asText()).isEqualTo("0df28fbd-5f5f-11e8-bc74-36e6bb280816");
        assertThat(reply.response().path("allowed").asBoolean()).isTrue();
        assertThat(reply.response().path("patchType").asText()).isEqualTo("JSONPatch");
        assertThat(MAPPER.readTree(Base64.getDecoder()
                        .decode(reply.response().path("patch").asText())))
                .isEqualTo(MAPPER.readTree("[{\"op\":\"add\",\"path\":\"/metadata/labels/seen\",\"value\":\"yes\"}]"));
    }

    @Test
    void answers_v1beta1_in_v1beta1() {
        Reply reply =
                post("/mutate-pod", Reviews.podCreate().replace("admission.k8s.io/v1", "admission.k8s.io/v1beta1"));

        assertThat(reply.json().path("apiVersion").asText()).isEqualTo("admission.k8s.io/v1beta1");
        assertThat(reply.response().path("allowed").asBoolean()).isTrue();
    }

    @Test
    void leaves_out_the_patch_when_nothing_changes() {
        Reply reply = post("/mutate-pod", Reviews.create("{\"metadata\":{\"name\":\"a\"}}"));

        assertThat(reply.response().path("allowed").asBoolean()).isTrue();
        assertThat(reply.response().has("patch")).isFalse();
        assertThat(reply.response().has("patchType")).isFalse();
    }

    @Test
    void refuses_with_the_status_of_the_rule() {
        Reply reply = post("/refuse", Reviews.podCreate());

        assertThat(reply.code()).isEqualTo(200);
        assertThat(reply.response().path("allowed").asBoolean(true)).isFalse();
        assertThat(reply.response().at("/status/code").asInt()).isEqualTo(403);
        assertThat(reply.response().at("/status/reason").asText()).isEqualTo("Forbidden");
        assertThat(reply.response().at("/status/message").asText()).isEqualTo("not today");
    }

    @Test
    void sends_warnings_in_one_line_each() {
        assertThat(post("/warn", Reviews.podCreate())
                        .response()
                        .at("/warnings/0")
                        .asText())
                .isEqualTo("two lines");
    }

    @Test
    void tells_rules_of_a_dry_run() {
        String dry = Reviews.podCreate().replace("\"dryRun\":false", "\"dryRun\":true");

        assertThat(post("/dry-run", dry).response().at("/status/message").asText())
                .isEqualTo("dry");
        assertThat(post("/dry-run", Reviews.podCreate())
                        .response()
                        .path("allowed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void names_the_webhook_but_not_the_reason_when_a_rule_throws_and_lives_on() {
        Reply reply = post("/fail", Reviews.podCreate());

        assertThat(reply.code()).isEqualTo(200);
        assertThat(reply.response().path("allowed").asBoolean(true)).isFalse();
        assertThat(reply.response().at("/status/code").asInt()).isEqualTo(500);
        assertThat(reply.response().at("/status/message").asText())
                .contains("/fail", "0df28fbd-5f5f-11e8-bc74-36e6bb280816")
                .doesNotContain("secret", "Exception", "\n");
        assertThat(post("/mutate-pod", Reviews.podCreate()).code()).isEqualTo(200);
    }

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    @SuppressWarnings("StaticAssignmentOfThrowable") // It is what the rule is to throw.
    void counts_what_a_rule_throws_and_answers_the_next(Throwable failure) {
        double before = panics();
        thrown = failure;
        Reply reply = post("/throw", Reviews.podCreate());

        assertThat(reply.code()).isEqualTo(200);
        assertThat(reply.response().at("/status/code").asInt()).isEqualTo(500);
        assertThat(reply.response().at("/status/message").asText()).contains("/throw");
        assertThat(panics()).isEqualTo(before + 1);
        thrown = null;
        assertThat(post("/throw", Reviews.podCreate())
                        .response()
                        .path("allowed")
                        .asBoolean())
                .isTrue();
        assertThat(panics()).isEqualTo(before + 1);
    }

    private static double panics() {
        return server.registry
                .get("controller.runtime.webhook.panics")
                .tag("webhook", "/throw")
                .counter()
                .count();
    }

    @Test
    void answers_404_to_an_unknown_path() {
        Reply reply = post("/nobody", Reviews.podCreate());

        assertThat(reply.code()).isEqualTo(404);
        assertThat(reply.body()).isEqualTo("no webhook at /nobody\n");
    }

    @Test
    void answers_405_to_another_method() {
        Reply reply = send(HttpMethod.GET, "/mutate-pod", "application/json", "");

        assertThat(reply.code()).isEqualTo(405);
        assertThat(reply.body()).isEqualTo("method is GET, expected POST\n");
    }

    @Test
    void answers_415_to_another_content_type_and_takes_parameters_of_the_right_one() {
        assertThat(send(HttpMethod.POST, "/mutate-pod", "application/yaml", Reviews.podCreate())
                        .code())
                .isEqualTo(415);
        assertThat(send(HttpMethod.POST, "/mutate-pod", "Application/JSON; charset=utf-8", Reviews.podCreate())
                        .code())
                .isEqualTo(200);
    }

    @Test
    void answers_400_in_one_line_to_what_is_no_review() {
        Map<String, String> bodies = Map.of(
                "", "the body is not a JSON object\n",
                "[1]", "the body is not a JSON object\n",
                "{\"kind\":\"Pod\"}", "kind is 'Pod', expected AdmissionReview\n",
                "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\"}", "the review has no request\n",
                "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":null}",
                        "the review has no request\n",
                "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{}}",
                        "the request has no uid\n",
                "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":7}}",
                        "request.uid is not a string\n",
                "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v9\",\"request\":{\"uid\":\"7\"}}",
                        "apiVersion is 'admission.k8s.io/v9', expected admission.k8s.io/v1 or admission.k8s.io/v1beta1\n");
        bodies.forEach((body, answer) -> {
            Reply reply = post("/mutate-pod", body);
            assertThat(reply.code()).as(body).isEqualTo(400);
            assertThat(reply.body()).as(body).isEqualTo(answer);
        });
    }

    @Test
    void answers_400_to_malformed_json_wherever_it_breaks() {
        String good = Reviews.podCreate();
        for (String body :
                List.of(good.substring(0, 5000), good.strip() + "}", good.replace("\"spec\":", "\"spec\""))) {
            Reply reply = post("/mutate-pod", body);
            assertThat(reply.code()).isEqualTo(400);
            assertThat(reply.body().lines()).hasSize(1);
        }
    }

    @Test
    void answers_413_to_more_than_7_mib_announced_or_not() {
        Buffer large = Buffer.buffer(new byte[7 * 1024 * 1024 + 1]);

        Reply announced = sendBuffer("/mutate-pod", large, false);
        assertThat(announced.code()).isEqualTo(413);
        assertThat(announced.body()).isEqualTo("the review is larger than 7340032 bytes\n");
        assertThat(sendBuffer("/mutate-pod", large, true).code()).isEqualTo(413);
        assertThat(post("/mutate-pod", Reviews.podCreate()).code()).isEqualTo(200);
    }

    @Test
    void takes_a_review_of_just_under_7_mib() {
        String filler = "x".repeat(7 * 1024 * 1024 - 1000);
        String review =
                Reviews.create("{\"metadata\":{\"labels\":{\"team\":\"payments\"}},\"data\":\"" + filler + "\"}");

        assertThat(post("/mutate-pod", review).response().has("patch")).isTrue();
    }

    @Test
    void answers_itself_over_tls() {
        TestServer.await(server.server.selfCheck());
    }

    @Test
    void counts_requests_by_webhook_and_code() {
        double before = requests("/mutate-pod", "400");
        post("/mutate-pod", "{");

        assertThat(requests("/mutate-pod", "400")).isEqualTo(before + 1);
        assertThat(server.inFlight("/mutate-pod")).isZero();
        assertThat(server.registry
                        .get("controller.runtime.webhook.latency")
                        .tag("webhook", "/mutate-pod")
                        .timer()
                        .count())
                .isPositive();
    }

    private static double requests(String webhook, String code) {
        var counter = server.registry
                .find("controller.runtime.webhook.requests")
                .tags("webhook", webhook, "code", code)
                .counter();
        return counter == null ? 0 : counter.count();
    }

    private static Reply post(String path, String body) {
        return send(HttpMethod.POST, path, "application/json", body);
    }

    private static Reply send(HttpMethod method, String path, String type, String body) {
        return reply(server.send(method, path, type, body));
    }

    private static Reply sendBuffer(String path, Buffer body, boolean chunked) {
        return reply(TestServer.await(server.client()
                .request(server.to(path).setMethod(HttpMethod.POST).putHeader("content-type", "application/json"))
                .compose(request -> {
                    request.setChunked(chunked);
                    if (!chunked) {
                        request.putHeader("content-length", Integer.toString(body.length()));
                    }
                    Future<TestServer.Reply> reply = request.response().compose(TestServer::reply);
                    for (int at = 0; at < body.length(); at += 65536) {
                        request.write(body.slice(at, Math.min(body.length(), at + 65536)));
                    }
                    request.end();
                    return reply;
                })));
    }

    private static Reply reply(TestServer.Reply reply) {
        return new Reply(reply.code(), reply.type(), reply.body());
    }
}
