package io.busbar.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.admission.AdmissionDecision.Allowed;
import io.busbar.admission.AdmissionDecision.Denied;
import io.busbar.admission.AdmissionDecision.Patched;
import io.busbar.admission.conversion.Widgets;
import io.busbar.admission.review.ReviewReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules of v2, the hub, that are asked in other versions. */
class ConvertingRuleTest {

    private static final AdmissionRule DEFAULTING =
            inAnyVersion(AdmissionRules.defaulting(Widgets.V2.class, (widget, request) -> {
                widget.getSpec().height = Math.max(widget.getSpec().height, 7);
                return widget;
            }));

    private static final AdmissionRule VALIDATING =
            inAnyVersion(AdmissionRules.validating(Widgets.V2.class, new Validator<>() {
                @Override
                public Verdict create(Widgets.V2 widget, AdmissionRequest request) {
                    return widget.getSpec().width > 100
                            ? Verdict.of(List.of(FieldProblem.forbidden("spec.width", "is too much")))
                            : new Verdict(List.of(), List.of("created " + widget.getSpec().width));
                }

                @Override
                public Verdict update(Widgets.V2 before, Widgets.V2 after, AdmissionRequest request) {
                    return new Verdict(
                            List.of(), List.of("from " + before.getSpec().width + " to " + after.getSpec().width));
                }

                @Override
                public Verdict delete(Widgets.V2 widget, AdmissionRequest request) {
                    return Verdict.of(List.of(FieldProblem.forbidden("spec.width", "stays " + widget.getSpec().width)));
                }
            }));

    private static final AdmissionRule OWN = AdmissionRules.alsoIn(
            "example.com/v1",
            AdmissionRules.validating(Widgets.V1.class, new Validator<>() {
                @Override
                public Verdict create(Widgets.V1 widget, AdmissionRequest request) {
                    return widget.getSpec().motto == null
                            ? new Verdict(List.of(), List.of("no motto"))
                            : Verdict.of(List.of(FieldProblem.forbidden("spec.motto", "is out of fashion")));
                }

                @Override
                public Verdict update(Widgets.V1 before, Widgets.V1 after, AdmissionRequest request) {
                    return create(after, request);
                }
            }),
            VALIDATING);

    @Test
    void what_a_defaulter_fills_in_is_a_patch_in_the_version_that_was_sent() throws Exception {
        Patched patched = (Patched) DEFAULTING.review(asked("CREATE", v1("3x4"), "null"));

        assertThat(patched.patch()).isEqualTo(json("[{\"op\":\"replace\",\"path\":\"/spec/size\",\"value\":\"3x7\"}]"));
    }

    @Test
    void what_the_rules_version_does_not_know_stays_as_it_was_sent() throws Exception {
        String sent = v1("3x4").replace("\"size\"", "\"motto\":\"ever\",\"future\":{\"a\":1},\"size\"");

        Patched patched = (Patched) DEFAULTING.review(asked("CREATE", sent, "null"));

        assertThat(patched.patch()).isEqualTo(json("[{\"op\":\"replace\",\"path\":\"/spec/size\",\"value\":\"3x7\"}]"));
    }

    @Test
    void nothing_is_patched_where_nothing_is_missing() {
        assertThat(DEFAULTING.review(asked("CREATE", v1("3x9"), "null"))).isEqualTo(AdmissionDecision.allowed());
        assertThat(DEFAULTING.review(asked("CREATE", v3(3, 9), "null"))).isEqualTo(AdmissionDecision.allowed());
    }

    @Test
    void a_version_that_the_rule_reads_is_shown_as_it_came() {
        List<JsonNode> seen = new ArrayList<>();
        AdmissionRule rule = AdmissionRules.inAnyVersion(Widgets.VERSIONS, List.of("v1", "v2"), request -> {
            seen.add(request.object());
            return AdmissionDecision.allowed();
        });

        rule.review(asked("CREATE", v1("3x4"), "null"));
        rule.review(asked("CREATE", v3(3, 4), "null"));

        assertThat(seen)
                .extracting(object -> object.path("apiVersion").asText())
                .containsExactly("example.com/v1", "example.com/v2");
    }

    @Test
    void both_objects_of_an_update_are_converted() {
        Allowed allowed = (Allowed) VALIDATING.review(asked("UPDATE", v1("5x4"), v1("3x4")));

        assertThat(allowed.warnings()).containsExactly("from 3 to 5");
    }

    @Test
    void what_is_deleted_is_converted() {
        Denied denied = (Denied) VALIDATING.review(asked("DELETE", "null", v1("3x4")));

        assertThat(denied.message()).contains("spec.width: Forbidden: stays 3");
    }

    @Test
    void an_object_that_cannot_be_converted_is_refused_with_the_reason() {
        Denied denied = (Denied) VALIDATING.review(asked("CREATE", v1("big"), "null"));

        assertThat(denied.code()).isEqualTo(422);
        assertThat(denied.message())
                .isEqualTo("Widget \"w\" cannot be converted from example.com/v1 to example.com/v2: "
                        + "spec.size is 'big', allowed: WIDTHxHEIGHT");
    }

    @Test
    void an_object_that_cannot_be_converted_can_be_repaired_and_deleted_and_its_metadata_changed() {
        Allowed repaired = (Allowed) VALIDATING.review(asked("UPDATE", v1("3x4"), v1("big")));
        Allowed deleted = (Allowed) VALIDATING.review(asked("DELETE", "null", v1("big")));
        Allowed labelled = (Allowed) VALIDATING.review(
                asked("UPDATE", v1("big").replace("\"name\":\"w\"", "\"name\":\"w\",\"labels\":{}"), v1("big")));

        assertThat(repaired.warnings()).hasSize(2).contains("created 3").anyMatch(warning -> warning.contains("'big'"));
        assertThat(deleted.warnings())
                .singleElement()
                .asString()
                .startsWith("not ")
                .contains("'big'");
        assertThat(labelled.warnings())
                .singleElement()
                .asString()
                .startsWith("not ")
                .contains("'big'");
    }

    @Test
    void other_kinds_and_unknown_versions_are_for_the_rule_to_judge() {
        assertThat(((Denied) VALIDATING.review(asked("CREATE", v1("3x4").replace("/v1", "/v9"), "null"))).message())
                .contains("got kind 'Widget' in 'example.com/v9'");
        assertThat(((Denied) VALIDATING.review(asked("CREATE", v1("3x4").replace("Widget", "Scale"), "null")))
                        .message())
                .contains("got kind 'Scale' in 'example.com/v1'");
    }

    @Test
    void a_rule_that_reads_none_of_the_versions_is_an_error() {
        assertThatThrownBy(() -> AdmissionRules.inAnyVersion(
                        Widgets.VERSIONS, List.of("v9"), request -> AdmissionDecision.allowed()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("versions that a rule about widgets.example.com reads: [v9];"
                        + " allowed: one or more of [v2, v1, v3]");
    }

    @Test
    void what_one_version_alone_has_is_judged_before_it_is_converted() {
        assertThat(((Denied) OWN.review(
                                asked("CREATE", v1("3x4").replace("\"size\"", "\"motto\":\"x\",\"size\""), "null")))
                        .message())
                .isEqualTo("Widget.example.com \"w\" is invalid: spec.motto: Forbidden: is out of fashion");
        assertThat(((Denied) OWN.review(asked("CREATE", v1("300x4"), "null"))).message())
                .isEqualTo("Widget.example.com \"w\" is invalid: spec.width: Forbidden: is too much");
        assertThat(OWN.review(asked("CREATE", v1("300x4"), "null")).warnings()).containsExactly("no motto");
        assertThat(OWN.review(asked("CREATE", v1("3x4"), "null")))
                .isEqualTo(new Allowed(List.of("no motto", "created 3")));
        assertThat(OWN.review(asked("CREATE", v3(3, 4), "null"))).isEqualTo(new Allowed(List.of("created 3")));
    }

    private static AdmissionRule inAnyVersion(AdmissionRule rule) {
        return AdmissionRules.inAnyVersion(Widgets.VERSIONS, List.of("v2"), rule);
    }

    private static String v1(String size) {
        return "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"},\"spec\":{\"size\":\""
                + size + "\"}}";
    }

    private static String v3(int width, int height) {
        return "{\"apiVersion\":\"example.com/v3\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"},\"spec\":{\"width\":"
                + width + ",\"height\":" + height + "}}";
    }

    private static AdmissionRequest asked(String operation, String object, String oldObject) {
        String review = """
                {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u","name":"w",
                 "kind":{"group":"example.com","version":"v1","kind":"Widget"},"operation":"%s","object":%s,"oldObject":%s}}
                """.formatted(operation, object, oldObject);
        return ReviewReader.read(review.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode json(String text) throws JsonProcessingException {
        return new ObjectMapper().readTree(text);
    }
}
