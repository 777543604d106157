package io.busbar.manifests.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.ResourceType;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.busbar.manifests.yaml.Yaml;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookConfigurationsTest {

    private static final ResourceType WIDGETS = new ResourceType("shop.example.com", "v1", "Widget", "widgets", false);

    private final WebhookManifest defaulter =
            WebhookManifest.mutating("mwidget.example.com", WIDGETS, Operation.CREATE, Operation.UPDATE);
    private final WebhookManifest validator =
            WebhookManifest.validating("vwidget.example.com", WIDGETS, Operation.CREATE);
    private final WebhookManifest pods = WebhookManifest.mutating(
                    "mpod.example.com", ResourceType.of(Pod.class), Operation.CREATE)
            .at("/mutate-pod")
            .selecting(WebhookSelection.outside("shop-system", "kube-system"))
            .with(WebhookPolicy.standard()
                    .ignoringFailure()
                    .within(Duration.ofSeconds(5))
                    .reinvokedIfNeeded());

    @Test
    void serves_a_kind_at_the_paths_of_controller_runtime() {
        assertThat(defaulter.path()).isEqualTo("/mutate-shop-example-com-v1-widget");
        assertThat(validator.path()).isEqualTo("/validate-shop-example-com-v1-widget");
        assertThat(WebhookManifest.mutating("m.kb.io", ResourceType.of(Pod.class), Operation.CREATE)
                        .path())
                .isEqualTo("/mutate-v1-pod");
    }

    @Test
    void registers_behind_a_service() {
        List<HasMetadata> objects =
                new WebhookConfigurations("", "shop-system", List.of(validator)).byService("webhook-service", "system");

        assertThat(Yaml.writeAll(objects)).isEqualTo("""
                        apiVersion: admissionregistration.k8s.io/v1
                        kind: ValidatingWebhookConfiguration
                        metadata:
                          name: validating-webhook-configuration
                        webhooks:
                        - admissionReviewVersions:
                          - v1
                          - v1beta1
                          clientConfig:
                            service:
                              name: webhook-service
                              namespace: system
                              path: /validate-shop-example-com-v1-widget
                          failurePolicy: Fail
                          name: vwidget.example.com
                          rules:
                          - apiGroups:
                            - shop.example.com
                            apiVersions:
                            - v1
                            operations:
                            - CREATE
                            resources:
                            - widgets
                            scope: Cluster
                          sideEffects: None
                          timeoutSeconds: 10
                        """);
    }

    @Test
    void registers_by_url_with_a_ca() {
        MutatingWebhookConfiguration configuration =
                mutating(new WebhookConfigurations("shop-", "shop-system", List.of(defaulter))
                        .byUrl("https://127.0.0.1:9443", "Q0E="));

        assertThat(configuration.getMetadata().getName()).isEqualTo("shop-mutating-webhook-configuration");
        assertThat(configuration.getWebhooks().get(0).getClientConfig()).satisfies(client -> {
            assertThat(client.getUrl()).isEqualTo("https://127.0.0.1:9443/mutate-shop-example-com-v1-widget");
            assertThat(client.getCaBundle()).isEqualTo("Q0E=");
            assertThat(client.getService()).isNull();
        });
    }

    @Test
    void says_all_that_differs_from_the_standard() {
        assertThat(Yaml.writeAll(new WebhookConfigurations("", "shop-system", List.of(pods)).byService("s", "n")))
                .endsWith("""
                        clientConfig:
                            service:
                              name: s
                              namespace: "n"
                              path: /mutate-pod
                          failurePolicy: Ignore
                          name: mpod.example.com
                          namespaceSelector:
                            matchExpressions:
                            - key: kubernetes.io/metadata.name
                              operator: NotIn
                              values:
                              - shop-system
                              - kube-system
                            - key: control-plane
                              operator: DoesNotExist
                          reinvocationPolicy: IfNeeded
                          rules:
                          - apiGroups:
                            - ""
                            apiVersions:
                            - v1
                            operations:
                            - CREATE
                            resources:
                            - pods
                            scope: Namespaced
                          sideEffects: None
                          timeoutSeconds: 5
                        """);
    }

    @Test
    void keeps_the_declared_order_in_which_the_api_server_calls() {
        MutatingWebhookConfiguration configuration = mutating(
                new WebhookConfigurations("", "shop-system", List.of(pods, validator, defaulter)).byService("s", "n"));

        assertThat(configuration.getWebhooks())
                .extracting(webhook -> webhook.getName())
                .containsExactly("mpod.example.com", "mwidget.example.com");
    }

    @Test
    void refuses_what_the_api_server_would() {
        assertThatThrownBy(() -> WebhookManifest.mutating("pod", WIDGETS, Operation.CREATE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name pod");
        assertThatThrownBy(() -> WebhookPolicy.standard().within(Duration.ofSeconds(31)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT31S");
    }

    private static MutatingWebhookConfiguration mutating(List<HasMetadata> objects) {
        return objects.stream()
                .filter(MutatingWebhookConfiguration.class::isInstance)
                .map(MutatingWebhookConfiguration.class::cast)
                .findFirst()
                .orElseThrow();
    }
}
