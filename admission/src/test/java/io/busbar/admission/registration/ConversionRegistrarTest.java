package io.busbar.admission.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.admission.FakeApiServer;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.certificates.ServingCertificate;
import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.conversion.Widgets;
import io.busbar.common.ObjectKey;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatusBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfig;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConversionRegistrarTest {

    private static final ServingCertificate CERTIFICATE = new EphemeralCertificates(List.of("127.0.0.1")).read();
    private static final WebhookClientConfig TARGET = ConversionRegistrar.byUrl("https://127.0.0.1:9443");

    private final FakeApiServer server = new FakeApiServer();
    private final KubernetesClient client = server.client();
    private final ConversionRegistrar registrar =
            new ConversionRegistrar(client, Conversions.of(List.of(Widgets.VERSIONS)), TARGET);

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void registers_the_webhook_and_serves_what_it_converts_and_writes_nothing_when_nothing_differs() {
        client.resource(definition()).create();

        registrar.certificateRead(CERTIFICATE);
        registrar.certificateRead(CERTIFICATE);

        assertThat(server.writes()).isEqualTo(2);
        CustomResourceConversion conversion = stored().getSpec().getConversion();
        assertThat(conversion.getStrategy()).isEqualTo("Webhook");
        assertThat(conversion.getWebhook().getConversionReviewVersions()).containsExactly("v1");
        assertThat(conversion.getWebhook().getClientConfig().getUrl()).isEqualTo(TARGET.getUrl());
        assertThat(conversion.getWebhook().getClientConfig().getCaBundle())
                .isEqualTo(Base64.getEncoder()
                        .encodeToString(CERTIFICATE.caBundle().getBytes(StandardCharsets.UTF_8)));
        assertThat(served()).containsExactly("v1", "v2");
    }

    @Test
    void does_again_what_somebody_has_undone() {
        client.resource(definition()).create();
        registrar.certificateRead(CERTIFICATE);
        CustomResourceDefinition undone = stored();
        undone.getSpec().getConversion().setStrategy("None");
        undone.getSpec().getVersions().get(0).setServed(false);
        client.resource(undone).update();

        registrar.certificateRead(CERTIFICATE);

        assertThat(stored().getSpec().getConversion().getStrategy()).isEqualTo("Webhook");
        assertThat(stored().getSpec().getVersions().get(0).getServed()).isTrue();
    }

    @Test
    void keeps_the_bundle_of_others_when_it_has_none_and_passes_over_a_definition_that_is_missing() {
        ServingCertificate withoutAuthority = new ServingCertificate(CERTIFICATE.chain(), CERTIFICATE.key(), "");
        registrar.certificateRead(withoutAuthority);
        assertThat(server.writes()).isZero();
        client.resource(definition()).create();
        registrar.certificateRead(CERTIFICATE);
        int before = server.writes();

        registrar.certificateRead(withoutAuthority);

        assertThat(server.writes()).isEqualTo(before);
    }

    @Test
    void sets_back_what_it_has_registered_and_serves_only_what_is_stored() {
        client.resource(definition()).create();
        registrar.certificateRead(CERTIFICATE);

        List<ConversionRegistrar.Outcome> outcomes = anew().unregister();

        assertThat(outcomes)
                .extracting(ConversionRegistrar.Outcome::text)
                .containsExactly("v2 is served without conversion; not served any more: v1");
        assertThat(stored().getSpec().getConversion().getStrategy()).isEqualTo("None");
        assertThat(stored().getSpec().getConversion().getWebhook()).isNull();
        assertThat(served()).containsExactly("v2");
    }

    @Test
    void leaves_what_was_set_back_while_it_runs_and_registers_again_when_it_starts() {
        client.resource(definition()).create();
        registrar.certificateRead(CERTIFICATE);
        anew().unregister();

        registrar.certificateRead(CERTIFICATE);
        assertThat(stored().getSpec().getConversion().getStrategy()).isEqualTo("None");

        anew().certificateRead(CERTIFICATE);
        assertThat(stored().getSpec().getConversion().getStrategy()).isEqualTo("Webhook");
        assertThat(ConversionRegistrar.UNREGISTERED.of(stored())).isEmpty();
        assertThat(served()).containsExactly("v1", "v2");
    }

    @Test
    void does_not_set_back_what_others_convert_or_nobody() {
        assertThat(anew().unregister())
                .extracting(ConversionRegistrar.Outcome::text)
                .containsExactly("not there");
        client.resource(definition()).create();
        assertThat(anew().unregister())
                .extracting(ConversionRegistrar.Outcome::text)
                .containsExactly("left as it is: not converted by a webhook");
        registrar.certificateRead(CERTIFICATE);
        int before = server.writes();

        ConversionRegistrar other = new ConversionRegistrar(
                client,
                Conversions.of(List.of(Widgets.VERSIONS)),
                ConversionRegistrar.byService(ObjectKey.of("shop", "webhooks")));
        assertThat(other.unregister())
                .extracting(ConversionRegistrar.Outcome::text)
                .containsExactly(
                        "left as it is: converted by https://127.0.0.1:9443/convert, not by Service shop/webhooks");
        assertThat(server.writes()).isEqualTo(before);
    }

    @Test
    void does_not_set_back_while_objects_may_be_stored_in_another_version() {
        client.resource(definition()).create();
        registrar.certificateRead(CERTIFICATE);
        CustomResourceDefinition taken = stored();
        taken.setStatus(new CustomResourceDefinitionStatusBuilder()
                .withStoredVersions("v1", "v2")
                .build());
        client.resource(taken).update();

        assertThatThrownBy(() -> anew().unregister())
                .hasMessage(
                        "widgets.example.com: status.storedVersions: [\"v1\",\"v2\"] is not allowed; allowed: [\"v2\"],"
                                + " as what is stored in another version could not be read whole without conversion");
        assertThat(stored().getSpec().getConversion().getStrategy()).isEqualTo("Webhook");
    }

    private ConversionRegistrar anew() {
        return new ConversionRegistrar(client, Conversions.of(List.of(Widgets.VERSIONS)), TARGET);
    }

    private List<String> served() {
        return stored().getSpec().getVersions().stream()
                .filter(CustomResourceDefinitionVersion::getServed)
                .map(CustomResourceDefinitionVersion::getName)
                .toList();
    }

    private CustomResourceDefinition stored() {
        return client.resources(CustomResourceDefinition.class)
                .withName("widgets.example.com")
                .require();
    }

    /** Its last version is one that the operator does not convert. */
    private static CustomResourceDefinition definition() {
        return new CustomResourceDefinitionBuilder()
                .withNewMetadata()
                .withName("widgets.example.com")
                .endMetadata()
                .withNewSpec()
                .withGroup("example.com")
                .withVersions(version("v1", false), version("v2", true), version("v0", false))
                .endSpec()
                .build();
    }

    private static CustomResourceDefinitionVersion version(String name, boolean served) {
        CustomResourceDefinitionVersion version = new CustomResourceDefinitionVersion();
        version.setName(name);
        version.setServed(served);
        version.setStorage(name.equals("v2"));
        return version;
    }
}
