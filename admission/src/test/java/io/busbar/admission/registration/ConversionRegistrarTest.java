package io.busbar.admission.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.FakeApiServer;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.certificates.ServingCertificate;
import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.conversion.Widgets;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConversionRegistrarTest {

    private static final ServingCertificate CERTIFICATE = new EphemeralCertificates(List.of("127.0.0.1")).read();
    private static final WebhookClientConfig TARGET = new WebhookClientConfigBuilder()
            .withUrl("https://127.0.0.1:9443/convert")
            .build();

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
        assertThat(stored().getSpec().getVersions())
                .filteredOn(CustomResourceDefinitionVersion::getServed)
                .extracting(CustomResourceDefinitionVersion::getName)
                .containsExactly("v1", "v2");
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
