package io.busbar.admission.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.FakeApiServer;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.certificates.ServingCertificate;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WebhookRegistrarTest {

    private static final ServingCertificate CERTIFICATE = new EphemeralCertificates(List.of("127.0.0.1")).read();
    private static final List<HasMetadata> CONFIGURATIONS = List.of(
            new MutatingWebhookConfigurationBuilder()
                    .withNewMetadata()
                    .withName("busbar")
                    .endMetadata()
                    .addNewWebhook()
                    .withName("mpod.kb.io")
                    .withNewClientConfig()
                    .withUrl("https://127.0.0.1:9443/mutate-pod")
                    .endClientConfig()
                    .withFailurePolicy("Fail")
                    .withSideEffects("None")
                    .withAdmissionReviewVersions("v1", "v1beta1")
                    .endWebhook()
                    .build(),
            new ValidatingWebhookConfigurationBuilder()
                    .withNewMetadata()
                    .withName("busbar")
                    .endMetadata()
                    .addNewWebhook()
                    .withName("vpod.kb.io")
                    .withNewClientConfig()
                    .withUrl("https://127.0.0.1:9443/validate-pod")
                    .endClientConfig()
                    .withFailurePolicy("Ignore")
                    .withSideEffects("None")
                    .withAdmissionReviewVersions("v1", "v1beta1")
                    .endWebhook()
                    .build());

    private final FakeApiServer server = new FakeApiServer();
    private final KubernetesClient client = server.client();
    private final WebhookRegistrar registrar = new WebhookRegistrar(client, CONFIGURATIONS);

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void registers_and_writes_nothing_when_nothing_differs() {
        registrar.certificateRead(CERTIFICATE);
        registrar.certificateRead(CERTIFICATE);

        assertThat(server.writes()).isEqualTo(2);
        MutatingWebhook webhook = mutating().getWebhooks().get(0);
        assertThat(webhook.getName()).isEqualTo("mpod.kb.io");
        assertThat(webhook.getClientConfig().getUrl()).isEqualTo("https://127.0.0.1:9443/mutate-pod");
        assertThat(webhook.getClientConfig().getCaBundle()).isEqualTo(base64(CERTIFICATE.caBundle()));
        assertThat(validating().getWebhooks().get(0).getFailurePolicy()).isEqualTo("Ignore");
    }

    @Test
    void overlooks_what_the_api_server_has_added() {
        registrar.certificateRead(CERTIFICATE);
        MutatingWebhookConfiguration defaulted = mutating();
        defaulted.getWebhooks().get(0).setTimeoutSeconds(10);
        client.resource(defaulted).update();

        registrar.certificateRead(CERTIFICATE);

        assertThat(server.writes()).isEqualTo(3);
    }

    @Test
    void puts_right_what_others_have_changed_and_keeps_their_labels() {
        registrar.certificateRead(CERTIFICATE);
        MutatingWebhookConfiguration changed = mutating();
        changed.getWebhooks().get(0).setFailurePolicy("Ignore");
        changed.getMetadata().setLabels(Map.of("team", "platform"));
        client.resource(changed).update();

        registrar.certificateRead(CERTIFICATE);

        assertThat(mutating().getWebhooks().get(0).getFailurePolicy()).isEqualTo("Fail");
        assertThat(mutating().getMetadata().getLabels()).containsEntry("team", "platform");
    }

    @Test
    void leaves_to_whoever_manages_a_configuration_what_may_be_chosen() {
        MutatingWebhookConfiguration charts = new MutatingWebhookConfigurationBuilder(
                        (MutatingWebhookConfiguration) CONFIGURATIONS.get(0))
                .editMetadata()
                .addToLabels("app.kubernetes.io/managed-by", "Helm")
                .endMetadata()
                .editFirstWebhook()
                .withFailurePolicy("Ignore")
                .withTimeoutSeconds(3)
                .withNewObjectSelector()
                .addToMatchLabels("injected", "yes")
                .endObjectSelector()
                .withSideEffects("NoneOnDryRun")
                .endWebhook()
                .build();
        client.resource(charts).create();

        registrar.certificateRead(CERTIFICATE);
        registrar.certificateRead(CERTIFICATE);

        MutatingWebhook webhook = mutating().getWebhooks().get(0);
        assertThat(webhook.getClientConfig().getCaBundle()).isEqualTo(base64(CERTIFICATE.caBundle()));
        assertThat(webhook.getFailurePolicy()).isEqualTo("Ignore");
        assertThat(webhook.getTimeoutSeconds()).isEqualTo(3);
        assertThat(webhook.getObjectSelector().getMatchLabels()).containsEntry("injected", "yes");
        assertThat(webhook.getSideEffects()).as("not to be chosen").isEqualTo("None");
        assertThat(server.writes()).isEqualTo(3);
    }

    @Test
    void renews_the_bundle_with_the_certificate() {
        registrar.certificateRead(CERTIFICATE);
        ServingCertificate next = new EphemeralCertificates(List.of("127.0.0.1")).read();

        registrar.certificateRead(next);

        assertThat(mutating().getWebhooks().get(0).getClientConfig().getCaBundle())
                .isEqualTo(base64(next.caBundle()))
                .isNotEqualTo(base64(CERTIFICATE.caBundle()));
    }

    @Test
    void keeps_the_bundle_of_others_when_it_has_none() {
        registrar.certificateRead(CERTIFICATE);
        MutatingWebhookConfiguration changed = mutating();
        changed.getWebhooks().get(0).setFailurePolicy("Ignore");
        client.resource(changed).update();

        registrar.certificateRead(new ServingCertificate(CERTIFICATE.chain(), CERTIFICATE.key(), ""));

        assertThat(mutating().getWebhooks().get(0).getFailurePolicy()).isEqualTo("Fail");
        assertThat(mutating().getWebhooks().get(0).getClientConfig().getCaBundle())
                .isEqualTo(base64(CERTIFICATE.caBundle()));
    }

    @Test
    void sends_what_the_api_server_is_too_old_for_once_and_again_when_others_have_changed_it() {
        MutatingWebhookConfiguration conditional = new MutatingWebhookConfigurationBuilder(
                        (MutatingWebhookConfiguration) CONFIGURATIONS.get(0))
                .editFirstWebhook()
                .addNewMatchCondition("!request.dryRun", "not-dry")
                .endWebhook()
                .build();
        WebhookRegistrar conditions = new WebhookRegistrar(client, List.of(conditional));
        server.dropsOfWebhooks("matchConditions");
        conditions.certificateRead(CERTIFICATE);
        conditions.certificateRead(CERTIFICATE);
        conditions.certificateRead(CERTIFICATE);
        assertThat(server.writes()).isOne();

        MutatingWebhookConfiguration changed = mutating();
        changed.getWebhooks().get(0).setFailurePolicy("Ignore");
        client.resource(changed).update();
        server.dropsOfWebhooks("");
        conditions.certificateRead(CERTIFICATE);
        conditions.certificateRead(CERTIFICATE);

        assertThat(server.writes()).isEqualTo(3);
        assertThat(mutating().getWebhooks().get(0).getMatchConditions()).hasSize(1);
    }

    @Test
    void takes_away_what_narrows_the_webhook_and_is_not_declared_any_more() {
        registrar.certificateRead(CERTIFICATE);
        MutatingWebhookConfiguration narrowed = new MutatingWebhookConfigurationBuilder(mutating())
                .editFirstWebhook()
                .addNewMatchCondition("false", "never")
                .endWebhook()
                .build();
        client.resource(narrowed).update();

        registrar.certificateRead(CERTIFICATE);

        assertThat(mutating().getWebhooks().get(0).getMatchConditions()).isEmpty();
    }

    @Test
    void leaves_webhooks_that_cannot_answer_yet_as_they_are_or_out() {
        WebhookRegistrar waiting = new WebhookRegistrar(client, CONFIGURATIONS, Set.of("mpod.kb.io"));
        waiting.certificateRead(CERTIFICATE);
        assertThat(client.admissionRegistration()
                        .v1()
                        .mutatingWebhookConfigurations()
                        .withName("busbar")
                        .get())
                .as("nothing to register")
                .isNull();
        assertThat(validating().getWebhooks()).hasSize(1);

        registrar.certificateRead(CERTIFICATE);
        MutatingWebhookConfiguration changed = mutating();
        changed.getWebhooks().get(0).setFailurePolicy("Ignore");
        client.resource(changed).update();
        waiting.certificateRead(new EphemeralCertificates(List.of("127.0.0.1")).read());

        assertThat(mutating().getWebhooks()).isEqualTo(changed.getWebhooks());
    }

    private MutatingWebhookConfiguration mutating() {
        return client.resources(MutatingWebhookConfiguration.class)
                .withName("busbar")
                .get();
    }

    private ValidatingWebhookConfiguration validating() {
        return client.resources(ValidatingWebhookConfiguration.class)
                .withName("busbar")
                .get();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
