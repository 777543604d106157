package io.busbar.runtime.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionRules;
import io.busbar.common.ResourceType;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.source.MessageSource;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.DeclaredBundle;
import io.busbar.runtime.bundle.Webhook;
import io.busbar.runtime.options.OperatorOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunningBundleTest {

    private final Reconciler<ConfigMap> nothing = (primary, context) -> ReconcileResult.awaitChange();

    @Test
    void the_options_are_defaults_for_controllers_that_say_nothing() {
        OperatorOptions options = OperatorOptions.besideCluster("busbar");
        Controller<ConfigMap> silent = Controller.of(ConfigMap.class, nothing).named("silent");
        Controller<ConfigMap> declared = Controller.of(ConfigMap.class, nothing)
                .named("declared")
                .workers(options.maxConcurrentReconciles() + 1)
                .resync(Duration.ofMinutes(7));

        new RunningBundle(BundleContext.declaring("busbar"), options, bundle(List.of(silent, declared)));

        assertThat(silent.workers()).isEqualTo(options.maxConcurrentReconciles());
        assertThat(silent.resync().orElse(Duration.ZERO)).isEqualTo(options.resyncInterval());
        assertThat(declared.workers()).isEqualTo(options.maxConcurrentReconciles() + 1);
        assertThat(declared.resync()).contains(Duration.ofMinutes(7));
    }

    @Test
    void names_the_sources_to_which_changes_may_be_posted() {
        Controller<ConfigMap> controller = Controller.of(ConfigMap.class, nothing)
                .source(new MessageSource("of-the-bus"))
                .source(new MessageSource("of-http").overHttp());

        assertThat(new RunningBundle(
                                BundleContext.declaring("busbar"),
                                OperatorOptions.besideCluster("busbar"),
                                bundle(List.of(controller)))
                        .httpEvents())
                .containsExactly("of-http");
    }

    @Test
    void what_the_rules_of_its_webhooks_may_read_is_kept_by_all_replicas() {
        List<Controller<?>> shared =
                List.of(Controller.of(ConfigMap.class, nothing).sharded().owns(Pod.class));
        Webhook answering = Webhook.defaulting(ConfigMap.class, (map, request) -> map);
        Webhook reading = Webhook.reading(
                WebhookManifest.validating("v.example.com", ResourceType.of(ConfigMap.class), Operation.CREATE),
                listers -> AdmissionRules.defaulting(ConfigMap.class, (map, request) -> map));

        assertThat(sharded(bundle(shared, answering))).containsExactly("Pod");
        assertThat(sharded(bundle(shared, answering, reading.registered(manifest -> manifest.at("/read")))))
                .isEmpty();
    }

    private static List<String> sharded(DeclaredBundle bundle) {
        return new RunningBundle(BundleContext.declaring("busbar"), OperatorOptions.besideCluster("busbar"), bundle)
                .requests()
                .filter(request -> request.spec().sharded())
                .map(request -> request.spec().resource().kind())
                .toList();
    }

    private static DeclaredBundle bundle(List<Controller<?>> controllers, Webhook... webhooks) {
        Bundle bundle = new Bundle() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public List<Controller<?>> controllers(BundleContext context) {
                return controllers;
            }

            @Override
            public List<Webhook> webhooks(BundleContext context) {
                return List.of(webhooks);
            }
        };
        return DeclaredBundle.of(bundle, BundleContext.declaring("busbar"));
    }
}
