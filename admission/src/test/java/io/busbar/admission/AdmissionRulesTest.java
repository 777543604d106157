package io.busbar.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.admission.AdmissionDecision.Allowed;
import io.busbar.admission.AdmissionDecision.Denied;
import io.busbar.admission.AdmissionDecision.Patched;
import io.busbar.admission.review.Review;
import io.busbar.admission.review.ReviewReader;
import io.busbar.admission.review.ReviewWriter;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdmissionRulesTest {

    private static final String DEPLOYMENT = """
            {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},
             "spec":{"future":{"x":1},"selector":{"matchLabels":{"a":"b"}},
              "template":{"spec":{"containers":[{"name":"a","resizePolicy":[{"alpha":1}],"image":"i"}]}}}}
            """;

    private static final AdmissionRule REPLICAS = AdmissionRules.defaulting(Deployment.class, (deployment, request) -> {
        if (deployment.getSpec().getReplicas() == null) {
            deployment.getSpec().setReplicas(3);
        }
        deployment
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .forEach(container -> container.setImagePullPolicy("Always"));
        return deployment;
    });

    private static final AdmissionRule KEYS = AdmissionRules.validating(ConfigMap.class, new Validator<>() {
        @Override
        public Verdict create(ConfigMap object, AdmissionRequest request) {
            List<FieldProblem> problems = new ArrayList<>();
            Map<String, String> data = object.getData() == null ? Map.of() : object.getData();
            data.forEach((key, value) -> {
                if (value.startsWith("bad")) {
                    problems.add(FieldProblem.invalid("data[" + key + "]", value, "must be good"));
                }
            });
            return new Verdict(problems, List.of("looked at " + data.size()));
        }

        @Override
        public Verdict update(ConfigMap before, ConfigMap after, AdmissionRequest request) {
            return before.getData().equals(after.getData())
                    ? Verdict.ok()
                    : Verdict.of(List.of(FieldProblem.forbidden("data", "must not change")));
        }

        @Override
        public Verdict delete(ConfigMap object, AdmissionRequest request) {
            return Verdict.of(List.of(FieldProblem.forbidden("metadata.name", "is needed")));
        }
    });

    @Test
    void a_defaulter_patches_only_what_it_filled_in() throws Exception {
        Patched patched = (Patched) REPLICAS.review(create("apps", "Deployment", DEPLOYMENT));

        assertThat(patched.patch()).isEqualTo(new ObjectMapper().readTree("""
                                [{"op":"add","path":"/spec/template/spec/containers/0/imagePullPolicy","value":"Always"},
                                 {"op":"add","path":"/spec/replicas","value":3}]
                                """));
    }

    @Test
    void a_defaulter_is_silent_when_nothing_is_missing() {
        String complete = DEPLOYMENT
                .replace("\"future\"", "\"replicas\":1,\"future\"")
                .replace("\"image\":", "\"imagePullPolicy\":\"Always\",\"image\":");

        assertThat(REPLICAS.review(create("apps", "Deployment", complete))).isEqualTo(AdmissionDecision.allowed());
    }

    @Test
    void an_object_that_does_not_fit_the_type_is_refused_with_field_and_value() {
        Denied denied = (Denied) REPLICAS.review(
                create("apps", "Deployment", DEPLOYMENT.replace("\"future\"", "\"replicas\":\"many\",\"future\"")));

        assertThat(denied.code()).isEqualTo(422);
        assertThat(denied.message())
                .isEqualTo(
                        "Deployment.apps \"web\" is invalid: spec.replicas: Invalid value: \"many\": must be of type integer");
        assertThat(denied.causes()).extracting(FieldProblem::path).containsExactly("spec.replicas");
    }

    @Test
    void an_object_that_does_not_fit_deep_in_a_list_is_named_by_its_index() {
        Denied denied = (Denied) REPLICAS.review(
                create("apps", "Deployment", DEPLOYMENT.replace("\"image\":\"i\"", "\"image\":[\"i\"]")));

        assertThat(denied.causes())
                .extracting(FieldProblem::path)
                .containsExactly("spec.template.spec.containers[0].image");
    }

    @Test
    void an_object_of_another_kind_is_refused_with_what_is_expected() {
        Denied denied = (Denied) KEYS.review(create("apps", "Deployment", DEPLOYMENT));

        assertThat(denied.code()).isEqualTo(400);
        assertThat(denied.message())
                .isEqualTo("expected an object of kind ConfigMap in v1, got kind 'Deployment' in 'apps/v1'");
    }

    @Test
    void a_single_problem_is_worded_as_the_api_server_would() {
        Denied denied = (Denied) KEYS.review(create("", "ConfigMap", configMap("{\"a\":\"bad1\"}")));

        assertThat(denied.code()).isEqualTo(422);
        assertThat(denied.reason()).isEqualTo("Invalid");
        assertThat(denied.message())
                .isEqualTo("ConfigMap \"settings\" is invalid: data[a]: Invalid value: \"bad1\": must be good");
        assertThat(denied.warnings()).containsExactly("looked at 1");
    }

    @Test
    void several_problems_stand_in_brackets() {
        Denied denied = (Denied) KEYS.review(create("", "ConfigMap", configMap("{\"a\":\"bad1\",\"b\":\"bad2\"}")));

        assertThat(denied.message())
                .isEqualTo("ConfigMap \"settings\" is invalid: [data[a]: Invalid value: \"bad1\": must be good, "
                        + "data[b]: Invalid value: \"bad2\": must be good]");
        assertThat(denied.causes()).hasSize(2);
    }

    @Test
    void a_valid_object_passes_with_its_warnings() {
        assertThat(KEYS.review(create("", "ConfigMap", configMap("{\"a\":\"good\"}"))))
                .isEqualTo(new Allowed(List.of("looked at 1")));
    }

    @Test
    void an_update_is_given_both_objects() {
        String same = review("", "ConfigMap", "UPDATE", configMap("{\"a\":\"1\"}"), configMap("{\"a\":\"1\"}"));
        String other = review("", "ConfigMap", "UPDATE", configMap("{\"a\":\"1\"}"), configMap("{\"a\":\"2\"}"));

        assertThat(KEYS.review(read(same))).isInstanceOf(Allowed.class);
        assertThat(((Denied) KEYS.review(read(other))).message()).contains("data: Forbidden: must not change");
    }

    @Test
    void a_delete_is_given_the_stored_object_and_passes_when_that_cannot_be_read() {
        String good = review("", "ConfigMap", "DELETE", "null", configMap("{}"));
        String spoilt = review("", "ConfigMap", "DELETE", "null", configMap("[]"));

        assertThat(((Denied) KEYS.review(read(good))).message()).contains("metadata.name: Forbidden: is needed");
        assertThat(KEYS.review(read(spoilt))).isInstanceOf(Allowed.class);
    }

    @Test
    void a_stored_object_that_cannot_be_read_does_not_stop_its_repair_which_is_checked_as_if_it_were_new() {
        String spoilt = configMap("[]");
        Allowed repaired =
                (Allowed) KEYS.review(read(review("", "ConfigMap", "UPDATE", configMap("{\"a\":\"good\"}"), spoilt)));
        Denied bad =
                (Denied) KEYS.review(read(review("", "ConfigMap", "UPDATE", configMap("{\"a\":\"bad1\"}"), spoilt)));

        String warning = "the stored object cannot be read, so that the new one was checked as if it were created: "
                + "ConfigMap \"settings\" is invalid: data: Invalid value: \"[]\": must be of type object";
        assertThat(repaired.warnings()).containsExactly("looked at 1", warning);
        assertThat(bad.message()).contains("data[a]: Invalid value: \"bad1\": must be good");
        assertThat(bad.warnings()).containsExactly("looked at 1", warning);
    }

    @Test
    void a_stored_object_beyond_what_a_decoder_takes_does_not_stop_its_repair() {
        String odd = configMap("{\"" + "x".repeat(60_000) + "\":\"1\"}");

        assertThat(KEYS.review(read(review("", "ConfigMap", "UPDATE", configMap("{\"a\":\"good\"}"), odd))))
                .isInstanceOf(Allowed.class);
        assertThat(KEYS.review(read(review("", "ConfigMap", "DELETE", "null", odd))))
                .isInstanceOf(Allowed.class);
    }

    @Test
    void an_object_that_cannot_be_read_may_change_its_metadata() {
        String before = withMetadata(configMap("[]"), "\"finalizers\":[\"a/b\"]");
        String after = configMap("[]");

        Allowed allowed = (Allowed) KEYS.review(read(review("", "ConfigMap", "UPDATE", after, before)));
        assertThat(allowed.warnings().get(0)).startsWith("not validated: ConfigMap \"settings\" is invalid: data: ");
        String deployment = DEPLOYMENT.replace("\"future\"", "\"replicas\":\"many\",\"future\"");
        Allowed notDefaulted = (Allowed) REPLICAS.review(
                read(review("apps", "Deployment", "UPDATE", withMetadata(deployment, "\"labels\":{}"), deployment)));
        assertThat(notDefaulted.warnings().get(0)).startsWith("no defaults were filled in: Deployment.apps \"web\"");
    }

    @Test
    void an_object_that_cannot_be_read_may_not_change_in_any_other_way() {
        String before = configMap("[]");
        String after = configMap("[1]");

        assertThat(KEYS.review(read(review("", "ConfigMap", "UPDATE", after, before))))
                .isInstanceOf(Denied.class);
        String deployment = DEPLOYMENT.replace("\"future\"", "\"replicas\":\"many\",\"future\"");
        assertThat(REPLICAS.review(
                        read(review("apps", "Deployment", "UPDATE", deployment, deployment.replace("many", "more")))))
                .isInstanceOf(Denied.class);
    }

    @Test
    void an_object_that_is_being_deleted_may_change_its_metadata_whatever_else_is_wrong_with_it() {
        AdmissionRule strict = AdmissionRules.validating(ConfigMap.class, new Validator<>() {
            @Override
            public Verdict create(ConfigMap object, AdmissionRequest request) {
                return update(object, object, request);
            }

            @Override
            public Verdict update(ConfigMap before, ConfigMap after, AdmissionRequest request) {
                return Verdict.of(List.of(FieldProblem.required("data", "since the last release")));
            }
        });
        String going = "\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"";
        String before = withMetadata(configMap("{}"), going + ",\"finalizers\":[\"a/b\"]");
        String after = withMetadata(configMap("{}"), going);

        assertThat(strict.review(read(review("", "ConfigMap", "UPDATE", after, before))))
                .isEqualTo(AdmissionDecision.allowed());
        assertThat(strict.review(read(review(
                        "", "ConfigMap", "UPDATE", after.replace("\"data\":{}", "\"data\":{\"a\":\"1\"}"), before))))
                .isInstanceOf(Denied.class);
        assertThat(strict.review(read(review("", "ConfigMap", "UPDATE", configMap("{}"), configMap("{}")))))
                .isInstanceOf(Denied.class);
    }

    @Test
    void resources_and_subresources_of_one_webhook_have_rules_of_their_own() {
        AdmissionRule rule = AdmissionRules.byResource(Map.of(
                "pods", request -> AdmissionDecision.forbidden("pod"),
                "pods/eviction",
                        AdmissionRules.validating(Eviction.class, new Validator<>() {
                            @Override
                            public Verdict create(Eviction object, AdmissionRequest request) {
                                return Verdict.of(List.of(FieldProblem.forbidden("deleteOptions", "eviction")));
                            }

                            @Override
                            public Verdict update(Eviction before, Eviction after, AdmissionRequest request) {
                                return Verdict.ok();
                            }
                        }),
                "*/scale", request -> AdmissionDecision.forbidden("scale")));

        assertThat(message(rule, "pods", "")).isEqualTo("pod");
        assertThat(message(rule, "pods", "eviction")).contains("deleteOptions: Forbidden: eviction");
        assertThat(message(rule, "deployments", "scale")).isEqualTo("scale");
        assertThat(message(rule, "pods", "status")).isEqualTo("allowed");
        assertThat(message(rule, "services", "")).isEqualTo("allowed");
    }

    private static String message(AdmissionRule rule, String resource, String part) {
        String review = review(
                "policy",
                "Eviction",
                "CREATE",
                "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"a\"}}",
                "null");
        AdmissionDecision decision = rule.review(read(review.replace(
                "\"operation\"",
                "\"resource\":{\"group\":\"\",\"version\":\"v1\",\"resource\":\"" + resource + "\"},\"subResource\":\""
                        + part + "\",\"operation\"")));
        return decision instanceof Denied denied ? denied.message() : "allowed";
    }

    @Test
    void a_decision_says_to_the_audit_log_what_is_a_key_there() throws Exception {
        AdmissionRule rule = request -> AdmissionDecision.forbidden("no")
                .audited("why.not_now", "never")
                .audited("long", "x".repeat(20_000))
                .audited("why.not_now", "because");
        Review review = (Review) create("", "ConfigMap", configMap("{}"));
        JsonNode response = new ObjectMapper().readTree(ReviewWriter.write(review, rule.review(review)));

        JsonNode annotations = response.at("/response/auditAnnotations");
        assertThat(annotations.path("why.not_now").asText()).isEqualTo("because");
        assertThat(annotations.path("long").asText()).hasSize(10_240);
        for (String key : List.of("", "a/b", "-a", "a b", "x".repeat(64))) {
            assertThatThrownBy(() -> AdmissionDecision.allowed().audited(key, ""))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("key of an audit annotation: '" + key + "'; allowed: ");
        }
    }

    @Test
    void a_verdict_says_to_the_audit_log_whether_it_allows_or_not() {
        AdmissionRule rule = AdmissionRules.validating(ConfigMap.class, new Validator<>() {
            @Override
            public Verdict create(ConfigMap object, AdmissionRequest request) {
                return (object.getData() == null
                                ? Verdict.ok()
                                : Verdict.of(List.of(FieldProblem.forbidden("data", "x"))))
                        .audited("checked", "yes");
            }

            @Override
            public Verdict update(ConfigMap before, ConfigMap after, AdmissionRequest request) {
                return Verdict.ok();
            }
        });
        assertThat(rule.review(create("", "ConfigMap", configMap("null")))
                        .audit()
                        .values())
                .isEqualTo(Map.of("checked", "yes"));
        assertThat(rule.review(create("", "ConfigMap", configMap("{}"))).audit().values())
                .isEqualTo(Map.of("checked", "yes"));
    }

    @Test
    void namespaces_can_be_left_out() {
        AdmissionRule rule =
                AdmissionRules.outside(Set.of("kube-system"), request -> AdmissionDecision.forbidden("no"));
        String review = review("", "ConfigMap", "CREATE", configMap("{}"), "null");

        assertThat(rule.review(read(review.replace("\"uid\"", "\"namespace\":\"kube-system\",\"uid\""))))
                .isEqualTo(AdmissionDecision.allowed());
        assertThat(rule.review(read(review))).isInstanceOf(Denied.class);
    }

    private static String configMap(String data) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"settings\"},\"data\":" + data
                + "}";
    }

    private static String withMetadata(String object, String members) {
        return object.replace("\"metadata\":{", "\"metadata\":{" + members + ",");
    }

    private static AdmissionRequest create(String group, String kind, String object) {
        return read(review(group, kind, "CREATE", object, "null"));
    }

    private static String review(String group, String kind, String operation, String object, String oldObject) {
        return """
                {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u",
                 "kind":{"group":"%s","version":"v1","kind":"%s"},"operation":"%s","object":%s,"oldObject":%s}}""".formatted(group, kind, operation, object, oldObject);
    }

    private static AdmissionRequest read(String review) {
        return ReviewReader.read(review.getBytes(StandardCharsets.UTF_8));
    }
}
