package io.busbar.manifests.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.ResourceType;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.busbar.manifests.yaml.Yaml;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
    void asks_about_what_several_rules_name_and_only_under_conditions() {
        ResourceType pod = ResourceType.of(Pod.class);
        WebhookManifest guard = WebhookManifest.validating("vguard.example.com", pod, Operation.CREATE)
                .at("/guard")
                .and(
                        WebhookRule.onSubresources(
                                pod, List.of("ephemeralcontainers", "eviction"), Operation.CREATE, Operation.UPDATE),
                        WebhookRule.onEach("scale", Operation.UPDATE),
                        WebhookRule.on(WIDGETS, Operation.DELETE)
                                .andVersions("v1beta1")
                                .andResources("widgets/status"))
                .onlyIf("not-by-nodes", "!('system:nodes' in request.userInfo.groups)")
                .onlyIf("example.com/not-dry", "!request.dryRun")
                .selecting(WebhookSelection.outside("kube-system")
                        .labelled(new LabelSelectorBuilder()
                                .addToMatchLabels("guarded", "yes")
                                .build()))
                .with(WebhookPolicy.standard().withSideEffectsUnlessDryRun().matchingExactly());

        assertThat(Yaml.writeAll(new WebhookConfigurations("", "shop-system", List.of(guard)).byService("s", "n")))
                .endsWith("""
                          failurePolicy: Fail
                          matchConditions:
                          - expression: "!('system:nodes' in request.userInfo.groups)"
                            name: not-by-nodes
                          - expression: "!request.dryRun"
                            name: example.com/not-dry
                          matchPolicy: Exact
                          name: vguard.example.com
                          namespaceSelector:
                            matchExpressions:
                            - key: kubernetes.io/metadata.name
                              operator: NotIn
                              values:
                              - kube-system
                            - key: control-plane
                              operator: DoesNotExist
                          objectSelector:
                            matchLabels:
                              guarded: "yes"
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
                          - apiGroups:
                            - ""
                            apiVersions:
                            - v1
                            operations:
                            - CREATE
                            - UPDATE
                            resources:
                            - pods/ephemeralcontainers
                            - pods/eviction
                            scope: Namespaced
                          - apiGroups:
                            - "*"
                            apiVersions:
                            - "*"
                            operations:
                            - UPDATE
                            resources:
                            - "*/scale"
                            scope: "*"
                          - apiGroups:
                            - shop.example.com
                            apiVersions:
                            - v1
                            - v1beta1
                            operations:
                            - DELETE
                            resources:
                            - widgets
                            - widgets/status
                            scope: Cluster
                          sideEffects: NoneOnDryRun
                          timeoutSeconds: 10
                        """);
    }

    @Test
    void leaves_out_the_operators_own_namespace_where_a_rule_may_be_about_it() {
        WebhookManifest scales = validator.about(WebhookRule.onEach("scale", Operation.UPDATE));

        assertThat(Yaml.writeAll(new WebhookConfigurations("", "shop-system", List.of(scales)).byService("s", "n")))
                .contains("namespaceSelector:", "- shop-system");
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
    void refuses_what_the_api_server_would_and_names_field_value_and_what_is_allowed() {
        refused(
                () -> WebhookManifest.mutating("pod.io", WIDGETS, Operation.CREATE),
                "name of a webhook: 'pod.io'; allowed: three segments or more in lower case, such as vwidget.example.com");
        refused(
                () -> defaulter.at("pods"),
                "path of webhook mwidget.example.com: 'pods'; allowed: one that starts with /");
        refused(() -> defaulter.about(), "rules of webhook mwidget.example.com: none; allowed: one or more");
        refused(
                () -> WebhookPolicy.standard().within(Duration.ofSeconds(31)),
                "timeout of a webhook: PT31S; allowed: 1 to 30 s");
        refused(
                () -> new WebhookPolicy("Retry", "None", Duration.ofSeconds(1), null, null),
                "onFailure of a webhook: 'Retry'; allowed: Fail, Ignore");
        refused(
                () -> validator.with(WebhookPolicy.standard().reinvokedIfNeeded()),
                "reinvocation of webhook vwidget.example.com: IfNeeded; allowed: of mutating ones alone");
        refused(() -> WebhookRule.on(WIDGETS), "operations of a webhook's rule: none; allowed: one or more");
        refused(
                () -> WebhookRule.on(WIDGETS, Operation.CREATE, Operation.CREATE),
                "operations of a webhook's rule: [CREATE, CREATE]; allowed: each of them once");
        refused(
                () -> WebhookRule.on(WIDGETS, Operation.CREATE).andVersions("*"),
                "versions of a webhook's rule: [v1, *]; allowed: * alone, or others");
        refused(
                () -> WebhookRule.on(WIDGETS, Operation.CREATE).andResources("Widget"),
                "resources of a webhook's rule: 'Widget'; allowed: a resource in lower case and plural, or *, each with or "
                        + "without / and a subresource or *");
        refused(
                () -> WebhookRule.on(WIDGETS, Operation.CREATE).andResources("*"),
                "resources of a webhook's rule: 'widgets' beside *; allowed: * without others that have no /");
        refused(
                () -> defaulter.onlyIf("not a name", "true"),
                "name of a webhook's condition: 'not a name'; allowed: up to 63 letters, digits, '-', '_' and '.', with or "
                        + "without a domain and / before");
        refused(
                () -> defaulter.onlyIf("a", " "),
                "expression of a webhook's condition 'a': none; allowed: one in CEL, a boolean");
        refused(
                () -> defaulter.onlyIf("a", "true").onlyIf("a", "false"),
                "conditions of webhook mwidget.example.com: [a, a]; allowed: each name once");
    }

    private static void refused(ThrowingCallable declaration, String message) {
        assertThatThrownBy(declaration)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private static MutatingWebhookConfiguration mutating(List<HasMetadata> objects) {
        return objects.stream()
                .filter(MutatingWebhookConfiguration.class::isInstance)
                .map(MutatingWebhookConfiguration.class::cast)
                .findFirst()
                .orElseThrow();
    }
}
