package io.busbar.admission.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.AdmissionRules;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.conversion.Converter;
import io.busbar.admission.conversion.Versions;
import io.busbar.admission.conversion.Widgets;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConversionServerTest {

    private static final Conversions CONVERSIONS = Conversions.of(List.of(Widgets.VERSIONS));
    private static final String WIDGET = """
            {"apiVersion":"example.com/v2","kind":"Widget","metadata":{"name":"%s"},"spec":{"width":%s,"height":2}}
            """;

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer(
                AdmissionServerOptions.defaults(),
                Map.of(),
                CONVERSIONS,
                new EphemeralCertificates(List.of("127.0.0.1")));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void converts_all_objects_in_their_order() throws Exception {
        JsonNode answer = convert(WIDGET.formatted("a", 1) + "," + WIDGET.formatted("b", 2));

        assertThat(answer.path("kind").asText()).isEqualTo("ConversionReview");
        assertThat(answer.path("apiVersion").asText()).isEqualTo("apiextensions.k8s.io/v1");
        assertThat(answer.at("/response/uid").asText()).isEqualTo("u-1");
        assertThat(answer.at("/response/result/status").asText()).isEqualTo("Success");
        assertThat(answer.at("/response/convertedObjects").findValuesAsText("size"))
                .containsExactly("1x2", "2x2");
    }

    @Test
    void says_why_it_converts_none_when_one_cannot_be() throws Exception {
        JsonNode response = convert(WIDGET.formatted("a", 1) + "," + WIDGET.formatted("b", "[]"))
                .path("response");

        assertThat(response.at("/uid").asText()).isEqualTo("u-1");
        assertThat(response.at("/result/status").asText()).isEqualTo("Failure");
        assertThat(response.at("/result/message").asText())
                .startsWith("Widget \"b\" cannot be converted from example.com/v2 to example.com/v1: ")
                .contains("width");
        assertThat(response.has("convertedObjects")).isFalse();
    }

    @Test
    void does_not_convert_other_kinds() throws Exception {
        JsonNode response = convert("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"}}")
                .path("response");

        assertThat(response.at("/result/message").asText())
                .isEqualTo("Pod \"p\" cannot be converted: this webhook converts no Pod of group ''");
    }

    @Test
    void refuses_what_is_no_conversion_review() {
        assertThat(post("{}")).isEqualTo("400 kind is '', expected ConversionReview");
        assertThat(post("{")).startsWith("400 the body is not valid JSON");
        assertThat(post("""
                {"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1beta1"}
                """))
                .isEqualTo("400 apiVersion is 'apiextensions.k8s.io/v1beta1', expected apiextensions.k8s.io/v1");
        assertThat(post("""
                {"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u"}}
                """)).isEqualTo("400 the request has no desiredAPIVersion");
        assertThat(post(review("1"))).isEqualTo("400 request.objects[0] is not an object");
    }

    @Test
    void is_not_there_where_nothing_is_converted_and_no_rule_can_take_its_place() {
        try (TestServer other = new TestServer(Map.of())) {
            assertThat(other.send(HttpMethod.POST, "/convert", "application/json", "{}")
                            .code())
                    .isEqualTo(404);
        }
        assertThatThrownBy(() -> new TestServer(
                        AdmissionServerOptions.defaults(),
                        Map.of("/convert", request -> AdmissionDecision.allowed()),
                        CONVERSIONS,
                        new EphemeralCertificates(List.of("127.0.0.1"))))
                .hasMessage("not a path for a webhook: '/convert'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/convert", "/in-any-version"})
    void others_are_answered_by_the_same_event_loop_while_objects_are_converted(String path) throws Exception {
        Held held = new Held();
        Versions<Widgets.V2> versions = Versions.hub(Widgets.V2.class).spoke(Widgets.V1.class, held);
        AdmissionRule converting =
                AdmissionRules.inAnyVersion(versions, List.of("v2"), request -> AdmissionDecision.allowed());
        try (TestServer one = new TestServer(
                AdmissionServerOptions.defaults().withInstances(1),
                Map.of("/allow", request -> AdmissionDecision.allowed(), "/in-any-version", converting),
                Conversions.of(List.of(versions)),
                new EphemeralCertificates(List.of("127.0.0.1")))) {
            String widget = WIDGET.formatted("a", 1);
            String body = path.equals("/convert") ? review(widget) : Reviews.create(widget.replace("com/v2", "com/v1"));
            Future<TestServer.Reply> converted = one.post(path, Buffer.buffer(body));
            held.asked.await();

            assertThat(one.send(HttpMethod.POST, "/allow", "application/json", Reviews.create("{}"))
                            .code())
                    .isEqualTo(200);

            assertThat(converted.isComplete()).isFalse();
            held.goOn.countDown();
            assertThat(TestServer.await(converted).body()).containsAnyOf("\"Success\"", "\"allowed\":true");
        }
    }

    /** Takes its time. */
    private static final class Held implements Converter<Widgets.V1, Widgets.V2> {

        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);

        @Override
        public Widgets.V2 toHub(Widgets.V1 spoke) {
            hold();
            return new Widgets.V2();
        }

        @Override
        public Widgets.V1 fromHub(Widgets.V2 hub) {
            hold();
            return new Widgets.V1();
        }

        private void hold() {
            asked.countDown();
            try {
                goOn.await();
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        }
    }

    private static String review(String objects) {
        return """
                {"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1",
                 "request":{"uid":"u-1","desiredAPIVersion":"example.com/v1","objects":[%s]}}""".formatted(objects);
    }

    private static JsonNode convert(String objects) throws Exception {
        TestServer.Reply reply = server.send(HttpMethod.POST, "/convert", "application/json", review(objects));
        assertThat(reply.code()).isEqualTo(200);
        return new ObjectMapper().readTree(reply.body());
    }

    private static String post(String body) {
        TestServer.Reply reply = server.send(HttpMethod.POST, "/convert", "application/json", body);
        return reply.code() + " " + reply.body().strip();
    }
}
