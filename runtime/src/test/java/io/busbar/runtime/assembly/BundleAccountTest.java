package io.busbar.runtime.assembly;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.common.trace.Tracing;
import io.busbar.common.watch.WatchSpec;
import io.busbar.manifests.About;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.rbac.Permission;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.runtime.bundle.Account;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.telemetry.Telemetry;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two bundles: one with the operator's rights, which are all, and one with those of an account. */
class BundleAccountTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Vertx vertx = Vertx.vertx();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final OperatorDefinition definition = new OperatorDefinition(
            "office",
            "office:latest",
            new About("1.0.0", "office", "Keeps notes.", "", "", Optional.empty(), List.of()),
            List.of(new Notes("chief", ""), new Notes("clerk", "clerk")));
    private Sandbox sandbox;
    private KubernetesClient client;
    private Operator operator;

    /** Notes the ConfigMaps of its label, and whether it may make a Secret. */
    private final class Notes implements Bundle {

        private final String name;
        private final String account;

        Notes(String name, String account) {
            this.name = name;
            this.account = account;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Optional<Account> account(BundleContext context) {
            return account.isEmpty() ? Optional.empty() : Optional.of(new Account(context.namespace(), account));
        }

        @Override
        public List<Controller<?>> controllers(BundleContext context) {
            return List.of(Controller.<ConfigMap>of(ConfigMap.class, (map, its) -> {
                        String note = name + "/" + map.getMetadata().getName();
                        try {
                            its.client()
                                    .resource(new SecretBuilder()
                                            .withNewMetadata()
                                            .withNamespace("default")
                                            .withName(name)
                                            .endMetadata()
                                            .build())
                                    .create();
                            seen.add(note + " with a Secret");
                        } catch (KubernetesClientException refused) {
                            seen.add(note + " without a Secret: "
                                    + refused.getStatus().getMessage().replaceFirst(" cannot create.*", ""));
                        }
                        return ReconcileResult.awaitChange();
                    })
                    .primaries(WatchSpec.of(ConfigMap.class).withLabels("for=" + name))
                    .named(name));
        }
    }

    @BeforeEach
    void start() throws Exception {
        sandbox = VertxSandbox.start(vertx, SandboxOptions.defaults().withRbac(true))
                .await(60, SECONDS);
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(sandbox.kubeconfig()))
                .build();
        operator = new Operator(
                new OperatorEnvironment(vertx, client, Telemetry.registry(), Tracing.off(), "office", "office"),
                OperatorOptions.besideCluster("office"),
                definition.bundles());
        operator.start().await(60, SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        operator.stop().await(60, SECONDS);
        client.close();
        vertx.close().await(60, SECONDS);
    }

    @Test
    void the_one_works_while_the_other_waits_for_its_rights_and_has_no_others_then() {
        write("one", "chief");
        write("two", "clerk");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen).containsExactly("chief/one with a Secret"));

        Installation.install(client, definition);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(seen)
                        .containsExactlyInAnyOrder(
                                "chief/one with a Secret",
                                "clerk/two without a Secret: secrets is forbidden: User"
                                        + " \"system:serviceaccount:office-system:clerk\""));
    }

    private void write(String name, String label) {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .addToLabels("for", label)
                        .endMetadata()
                        .build())
                .create();
    }

    @Test
    void the_operator_may_impersonate_that_account_which_gets_what_follows_from_the_bundle() {
        OperatorPart chief = definition.declaration().parts().get(0);
        OperatorPart clerk = definition.declaration().parts().get(1);

        assertThat(clerk.accounts()).containsOnlyKeys("clerk");
        assertThat(clerk.accounts().get("clerk")).isEqualTo(chief.permissions()).isNotEmpty();
        assertThat(clerk.permissions()).isEmpty();
        assertThat(clerk.ownNamespace())
                .containsExactly(Permission.of("", List.of("serviceaccounts"), "impersonate")
                        .named("clerk"));
        assertThat(chief.accounts()).isEmpty();
        assertThat(chief.ownNamespace()).isEmpty();
    }
}
