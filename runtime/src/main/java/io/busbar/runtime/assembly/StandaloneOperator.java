package io.busbar.runtime.assembly;

import io.busbar.common.trace.Tracing;
import io.busbar.common.traffic.RequestGate;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.client.ApiClients;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.process.Blocking;
import io.busbar.runtime.telemetry.Telemetry;
import io.busbar.runtime.telemetry.TraceExport;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * An operator with a client and a Vert.x of its own. For plain threads: its methods block.
 */
public final class StandaloneOperator {

    /** For what a stop does beyond the grace that work in flight is given. */
    private static final Duration MARGIN = Duration.ofSeconds(10);

    private final Optional<TraceExport> traces;
    private final List<KubernetesClient> clients = new CopyOnWriteArrayList<>();
    private final Vertx vertx;
    private final Operator operator;
    private final Duration patience;

    /**
     * One in one cluster.
     *
     * @param config of a client for the cluster
     * @throws RuntimeException of a bundle that declares something wrongly; nothing is left running then
     */
    public StandaloneOperator(OperatorDefinition definition, Config config, OperatorOptions options) {
        this(definition, config, Map.of(), options, List.of());
    }

    /**
     * The same with interceptors.
     *
     * @param interceptors that look at its requests
     */
    public StandaloneOperator(
            OperatorDefinition definition, Config config, OperatorOptions options, List<Interceptor> interceptors) {
        this(definition, config, Map.of(), options, interceptors);
    }

    /**
     * @param config of a client for the operator's own cluster
     * @param clusters the same for others that it works in, by their names
     * @param interceptors that look at the requests of all
     */
    public StandaloneOperator(
            OperatorDefinition definition,
            Config config,
            Map<String, Config> clusters,
            OperatorOptions options,
            List<Interceptor> interceptors) {
        PrometheusMeterRegistry meters = Telemetry.registry();
        this.traces = options.tracing().map(chosen -> TraceExport.start(chosen, instance(definition)));
        Tracing tracing = traces.map(TraceExport::tracing).orElseGet(Tracing::off);
        // Each loads a library of its own: together they take little longer than one.
        CompletableFuture<Vertx> starting = CompletableFuture.supplyAsync(() -> Telemetry.vertx(meters));
        Function<Config, KubernetesClient> client = cluster -> {
            KubernetesClient made = ApiClients.measured(cluster, meters, tracing, gate(options), interceptors);
            clients.add(made);
            return made;
        };
        try {
            KubernetesClient own = client.apply(config);
            Map<String, KubernetesClient> others = new HashMap<>();
            clusters.forEach((name, cluster) -> others.put(name, client.apply(cluster)));
            this.vertx = starting.join();
            this.operator = new Operator(
                    new OperatorEnvironment(
                            vertx,
                            own,
                            others,
                            meters,
                            tracing,
                            definition.name(),
                            definition.about().version(),
                            instance(definition),
                            interceptors),
                    options,
                    chosen(definition, options));
        } catch (RuntimeException | Error unusable) { // such as a bundle's wrong declaration: nobody can stop this
            clients.forEach(KubernetesClient::close);
            CompletableFuture<?> unused = starting.thenAccept(Vertx::close);
            traces.ifPresent(TraceExport::close);
            throw unusable;
        }
        this.patience =
                options.gracefulShutdownTimeout().plus(options.shutdownDelay()).plus(MARGIN);
    }

    /**
     * Returns once it runs, which may be never while the API server is away.
     *
     * @throws Exception when a port is taken, or there is no certificate
     */
    public void start() throws Exception {
        Blocking.await(operator.start());
    }

    /**
     * Does not return.
     *
     * @throws Exception when the operator has to be stopped as it has lost its leadership
     */
    public void awaitLoss() throws Exception {
        Blocking.await(operator.lost());
    }

    /**
     * Stops in order.
     *
     * @throws java.util.concurrent.TimeoutException when that takes longer than the grace that was given, and some
     *     seconds
     */
    public void stop() throws Exception {
        try {
            Blocking.await(operator.stop(), patience);
        } finally {
            clients.forEach(KubernetesClient::close);
            Blocking.await(vertx.close(), MARGIN);
            traces.ifPresent(TraceExport::close);
        }
    }

    /** As {@link Operator#watchNamespaces}; does not wait. */
    public void watchNamespaces(Set<String> names) {
        operator.watchNamespaces(names);
    }

    /** On which it runs, from before it is started. */
    public Vertx vertx() {
        return vertx;
    }

    /** The ports of metrics and health. */
    public List<Integer> managementPorts() {
        return operator.management().ports();
    }

    /** The port of the live page; empty where it is not served. */
    public OptionalInt livePort() {
        return operator.livePort();
    }

    private static List<Bundle> chosen(OperatorDefinition definition, OperatorOptions options) {
        return definition.bundles().stream()
                .filter(bundle ->
                        options.operators().isEmpty() || options.operators().contains(bundle.name()))
                .toList();
    }

    private static RequestGate gate(OperatorOptions options) {
        return options.requestRate()
                .map(rate -> RequestGate.limited(rate.perSecond(), rate.burst()))
                .orElseGet(RequestGate::unlimited);
    }

    /** In a Pod, its name. */
    private static String instance(OperatorDefinition definition) {
        return Optional.ofNullable(System.getenv("HOSTNAME")).orElse(definition.name());
    }
}
