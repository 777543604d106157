package io.busbar.blueprint.run;

import io.busbar.blueprint.Blueprint;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.definition.Definition;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.guard.Thrown;
import io.busbar.common.trace.Tracing;
import io.busbar.common.traffic.RequestGate;
import io.busbar.manifests.crd.CrdGenerator;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.Operator;
import io.busbar.runtime.assembly.OperatorEnvironment;
import io.busbar.runtime.client.ApiClients;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.process.Blocking;
import io.busbar.runtime.telemetry.Telemetry;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs Blueprints: an operator for each, with the rights of its ServiceAccount, so that nobody gains rights by writing
 * one, and none holds up another.
 *
 * <p>Any thread; {@link #start} and {@link #stop} once each.
 */
public final class BlueprintOperator {

    private static final Logger log = LoggerFactory.getLogger(BlueprintOperator.class);

    private final Config config;
    private final List<CheckedBlueprint> blueprints;
    private final String accounts;
    private final Vertx vertx;
    private final List<KubernetesClient> clients = new ArrayList<>();
    private final List<Operator> operators = new ArrayList<>();

    /**
     * @param config of who may install the definitions, and impersonate the ServiceAccounts
     * @param blueprints without problems
     * @param accounts the namespace of their ServiceAccounts
     */
    public BlueprintOperator(Config config, List<CheckedBlueprint> blueprints, String accounts) {
        this.config = config;
        this.blueprints = List.copyOf(blueprints);
        this.accounts = accounts;
        this.vertx = Vertx.vertx();
    }

    /**
     * Installs the definitions, and returns when all have been asked to run; each does once what it watches is listed.
     * One whose definition is refused is told in the log.
     *
     * @throws KubernetesClientException when none can run
     */
    public void start() {
        KubernetesSerialization serialization = new KubernetesSerialization();
        @Nullable KubernetesClientException last = null;
        try (KubernetesClient own =
                new KubernetesClientBuilder().withConfig(config).build()) {
            for (CheckedBlueprint each : blueprints) {
                try {
                    install(own, each, serialization);
                } catch (KubernetesClientException refused) {
                    log.atError()
                            .addKeyValue("blueprint", each.blueprint().name())
                            .addKeyValue("reason", ApiFailure.reason(refused))
                            .log("its definition cannot be installed");
                    last = refused;
                }
            }
        }
        if (operators.isEmpty() && last != null) {
            throw last;
        }
    }

    private void install(KubernetesClient own, CheckedBlueprint checked, KubernetesSerialization serialization) {
        Blueprint blueprint = checked.blueprint();
        if (!blueprint.plans().isEmpty()) {
            CrdGenerator.generate(List.of(BlueprintRun.class)).forEach(kind -> Installation.install(own, kind));
        }
        Installation.install(
                own,
                serialization.convertValue(
                        Definition.of(blueprint.schema(), checked.statusSchema()), CustomResourceDefinition.class));
        operator(checked, serialization)
                .start()
                .onSuccess(running -> log.atInfo()
                        .addKeyValue("blueprint", blueprint.name())
                        .addKeyValue("kind", blueprint.schema().kind())
                        .log("the Blueprint runs"))
                .onFailure(failure -> log.atError()
                        .addKeyValue("blueprint", blueprint.name())
                        .addKeyValue("reason", Thrown.text(failure))
                        .log("the Blueprint does not run"));
    }

    private Operator operator(CheckedBlueprint checked, KubernetesSerialization serialization) {
        Blueprint blueprint = checked.blueprint();
        String name = blueprint.schema().kind().toLowerCase(Locale.ROOT);
        PrometheusMeterRegistry meters = Telemetry.registry();
        KubernetesClient client =
                ApiClients.measured(acting(blueprint), meters, Tracing.off(), RequestGate.unlimited(), List.of());
        clients.add(client);
        Operator operator = new Operator(
                new OperatorEnvironment(vertx, client, meters, Tracing.off(), name, name + "-0"),
                OperatorOptions.besideCluster(name),
                List.of(new BlueprintBundle(checked, serialization)));
        operators.add(operator);
        return operator;
    }

    private Config acting(Blueprint blueprint) {
        return blueprint.serviceAccountName().isEmpty()
                ? new ConfigBuilder(config).build()
                : new Account(accounts, blueprint.serviceAccountName()).impersonated(config);
    }

    /**
     * Ends what is in flight first.
     *
     * @throws Exception when that fails
     */
    public void stop() throws Exception {
        for (Operator operator : operators) {
            Blocking.await(operator.stop());
        }
        clients.forEach(KubernetesClient::close);
        Blocking.await(vertx.close());
    }
}
