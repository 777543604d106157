package io.busbar.operator.sidecarset;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.review.ReviewReader;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookRule;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.DeclaredBundle;
import io.busbar.runtime.bundle.Webhook;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Webhooks for SidecarSets, as replicas of several builds have to answer them behind one Service. */
class SidecarSetBundleTest {

    /** Where any build has had them. */
    private static final String MUTATE = "/mutate-apps-kruise-io-sidecarset";

    private static final List<String> VALIDATE =
            List.of("/validate-apps-kruise-io-sidecarset", "/validate-apps-kruise-io-v1alpha1-sidecarset");

    private static final Listers NOTHING_STORED = new Listers() {
        @Override
        public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
            return new StoredObjects<>();
        }
    };

    private final DeclaredBundle bundle =
            DeclaredBundle.of(new SidecarSetBundle(), BundleContext.declaring("busbar-system"));

    @Test
    void asks_about_sets_where_and_as_builds_that_stored_v1alpha1_answer() {
        List<WebhookManifest> aboutSets = bundle.registrations().stream()
                .filter(webhook -> webhook.rules().stream()
                        .anyMatch(rule -> rule.resources().contains("sidecarsets")))
                .toList();

        assertThat(aboutSets).extracting(WebhookManifest::path).containsExactly(MUTATE, VALIDATE.get(0));
        assertThat(aboutSets)
                .flatExtracting(WebhookManifest::rules)
                .flatExtracting(WebhookRule::versions)
                .containsOnly("v1alpha1");
        assertThat(aboutSets).allMatch(webhook -> webhook.policy().match() == null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1alpha1", "v1beta1"})
    void answers_in_both_versions_wherever_a_build_asks(String version) {
        assertThat(rule(MUTATE).review(created(version, "{\"selector\":{\"matchLabels\":{\"a\":\"b\"}}}")))
                .isInstanceOfSatisfying(
                        AdmissionDecision.Patched.class,
                        patched ->
                                assertThat(patched.patch().toString()).contains("\"path\":\"/spec/updateStrategy\""));
        for (String path : VALIDATE) {
            assertThat(rule(path).review(created(version, "{}")))
                    .as(path)
                    .isInstanceOfSatisfying(
                            AdmissionDecision.Denied.class,
                            denied -> assertThat(denied.message()).contains("no selector defined for SidecarSet"));
        }
    }

    @Test
    void says_of_v1alpha1_what_is_wrong_with_the_field_that_it_alone_has() {
        AdmissionDecision decision = rule(VALIDATE.get(0)).review(created("v1alpha1", "{\"namespace\":\"A_b\"}"));

        assertThat(decision)
                .isInstanceOfSatisfying(
                        AdmissionDecision.Denied.class,
                        denied -> assertThat(denied.message()).contains("spec.namespace: Invalid value: \"A_b\""));
    }

    private AdmissionRule rule(String path) {
        Webhook webhook = bundle.webhooks().stream()
                .filter(declared -> declared.paths().contains(path))
                .findFirst()
                .orElseThrow();
        return webhook.rule(NOTHING_STORED, Conversions.of(bundle.conversions()));
    }

    private static AdmissionRequest created(String version, String spec) {
        return ReviewReader.read("""
                {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u","operation":"CREATE",
                 "object":{"apiVersion":"apps.kruise.io/%s","kind":"SidecarSet","metadata":{"name":"s"},"spec":%s}}}
                """.formatted(version, spec).getBytes(StandardCharsets.UTF_8));
    }
}
