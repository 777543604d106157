package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.AdmissionRules;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Validator;
import io.busbar.admission.Verdict;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.registration.WebhookRegistrar;
import io.busbar.admission.server.AdmissionServer;
import io.busbar.admission.server.AdmissionServerOptions;
import io.busbar.common.ResourceType;
import io.busbar.manifests.webhook.WebhookConfigurations;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.busbar.manifests.webhook.WebhookRule;
import io.busbar.manifests.webhook.WebhookSelection;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.api.model.autoscaling.v1.ScaleBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A webhook with several rules, subresources and a condition, as it is declared, registered, asked and answered. */
@EndToEnd
class WebhookRulesIT {

    private static final String LABEL = "test.busbar.io/webhook-rules";
    private static final String NAME = "vguard.test.busbar.io";

    private final Cluster cluster;
    private final Vertx vertx = Vertx.vertx();
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private WebhookConfigurations configurations;

    WebhookRulesIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void registers_a_webhook_for_the_namespace() throws Exception {
        cluster.patch(
                cluster.client().namespaces().withName(cluster.namespace()).require(),
                "{\"metadata\":{\"labels\":{\"" + LABEL + "\":\"yes\"}}}");
        EphemeralCertificates certificates = new EphemeralCertificates(List.of("127.0.0.1"));
        AdmissionServer server = wait(AdmissionServer.start(
                vertx,
                AdmissionServerOptions.defaults().on("127.0.0.1", 0).withInstances(1),
                Map.of("/guard", guard()),
                certificates,
                new SimpleMeterRegistry()));
        WebhookManifest webhook = WebhookManifest.validating(NAME, ResourceType.of(Pod.class), Operation.CREATE)
                .at("/guard")
                .and(
                        WebhookRule.onSubresources(ResourceType.of(Pod.class), List.of("eviction"), Operation.CREATE),
                        WebhookRule.onEach("scale", Operation.UPDATE))
                .onlyIf("not-skipped", "object.metadata.name != 'skipped'")
                .selecting(new WebhookSelection(
                        new LabelSelectorBuilder()
                                .addToMatchLabels(LABEL, "yes")
                                .build(),
                        null));
        configurations = new WebhookConfigurations("webhook-rules-", "nowhere", List.of(webhook));
        new WebhookRegistrar(cluster.client(), configurations.byUrl("https://127.0.0.1:" + server.actualPort(), ""))
                .certificateRead(server.certificate());
        cluster.eventually(() -> {
            Pod probe = cluster.createPod("probe", "probe");
            cluster.client().resource(probe).withGracePeriod(0).delete();
            assertThat(asked).isNotEmpty();
        });
        asked.clear();
    }

    @AfterEach
    void removes_it() throws Exception {
        cluster.client()
                .admissionRegistration()
                .v1()
                .validatingWebhookConfigurations()
                .withName(configurations.validatingName())
                .delete();
        cluster.client()
                .resources(Namespace.class)
                .withName(cluster.namespace())
                .edit(namespace -> {
                    namespace.getMetadata().getLabels().remove(LABEL);
                    return namespace;
                });
        wait(vertx.close());
    }

    @Test
    void reaches_the_rule_of_each_resource_and_subresource() {
        cluster.createPod("guarded", "guarded");
        cluster.create(Deployment.class, """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: guarded, namespace: %s}
                spec:
                  replicas: 0
                  selector: {matchLabels: {app: none}}
                  template:
                    metadata: {labels: {app: none}}
                    spec: {containers: [{name: a, image: example/a:1}]}
                """.formatted(cluster.namespace()));
        assertThatThrownBy(() -> scale(9))
                .hasMessageContaining("spec.replicas: Invalid value: \"9\": must be at most 5");
        scale(0);
        cluster.createPod("skipped", "guarded");

        List<String> expected = new ArrayList<>(List.of("CREATE pods guarded", "UPDATE deployments/scale guarded"));
        if (!knowsConditions()) {
            expected.add("CREATE pods skipped");
        }
        // An update that meets another is reviewed again.
        assertThat(asked.stream().distinct()).containsExactlyElementsOf(expected);
    }

    private AdmissionRule guard() {
        AdmissionRule rules = AdmissionRules.byResource(Map.of(
                "pods", request -> AdmissionDecision.allowed().audited("seen", request.name()),
                "pods/eviction", request -> AdmissionDecision.forbidden(request.name() + " stays"),
                "*/scale", AdmissionRules.validating(Scale.class, new AtMostFive())));
        return request -> {
            asked.add(request.operation() + " " + request.resource()
                    + (request.subResource().isEmpty() ? "" : "/" + request.subResource()) + " " + request.name());
            return rules.review(request);
        };
    }

    private static final class AtMostFive implements Validator<Scale> {

        @Override
        public Verdict create(Scale scale, AdmissionRequest request) {
            int replicas =
                    scale.getSpec().getReplicas() == null ? 0 : scale.getSpec().getReplicas();
            return replicas <= 5
                    ? Verdict.ok()
                    : Verdict.of(List.of(FieldProblem.invalid("spec.replicas", replicas, "must be at most 5")));
        }

        @Override
        public Verdict update(Scale before, Scale after, AdmissionRequest request) {
            return create(after, request);
        }
    }

    private void scale(int replicas) {
        cluster.client()
                .apps()
                .deployments()
                .inNamespace(cluster.namespace())
                .withName("guarded")
                .scale(new ScaleBuilder()
                        .withNewMetadata()
                        .withNamespace(cluster.namespace())
                        .withName("guarded")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(replicas)
                        .endSpec()
                        .build());
    }

    /** They came with 1.28. */
    private boolean knowsConditions() {
        return Integer.parseInt(
                        cluster.client().getKubernetesVersion().getMinor().replaceAll("\\D", ""))
                >= 28;
    }

    private static <T> T wait(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
