package io.busbar.runtime.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.source.MessageSource;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.DeclaredBundle;
import io.busbar.runtime.options.OperatorOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
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

    private static DeclaredBundle bundle(List<Controller<?>> controllers) {
        Bundle bundle = new Bundle() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public List<Controller<?>> controllers(BundleContext context) {
                return controllers;
            }
        };
        return DeclaredBundle.of(bundle, BundleContext.declaring("busbar"));
    }
}
