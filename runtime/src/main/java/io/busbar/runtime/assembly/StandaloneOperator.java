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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * An operator with a client and a Vert.x of its own. For plain threads: its methods block.
 */
public final class StandaloneOperator {

    /** For what a stop does beyond the grace that work in flight is given. */
    private static final Duration MARGIN = Duration.ofSeconds(10);

    private final Optional<TraceExport> traces;
    private final KubernetesClient client;
    private final Vertx vertx;
    private final Operator operator;
    private final Duration patience;

    /**
     * @param config of a client for the cluster
     */
    public StandaloneOperator(OperatorDefinition definition, Config config, OperatorOptions options) {
        this(definition, config, options, List.of());
    }

    /**
     * @param config of a client for the cluster
     * @param interceptors that look at its requests
     */
    public StandaloneOperator(
            OperatorDefinition definition, Config config, OperatorOptions options, List<Interceptor> interceptors) {
        PrometheusMeterRegistry meters = Telemetry.registry();
        this.traces = options.tracing().map(chosen -> TraceExport.start(chosen, instance(definition)));
        Tracing tracing = traces.map(TraceExport::tracing).orElseGet(Tracing::off);
        // Each loads a library of its own: together they take little longer than one.
        CompletableFuture<Vertx> starting = CompletableFuture.supplyAsync(() -> Telemetry.vertx(meters));
        try {
            this.client = ApiClients.measured(config, meters, tracing, gate(options), interceptors);
        } catch (RuntimeException unusable) {
            CompletableFuture<?> unused = starting.thenAccept(Vertx::close);
            throw unusable;
        }
        this.vertx = starting.join();
        this.operator = new Operator(
                new OperatorEnvironment(vertx, client, meters, tracing, definition.name(), instance(definition)),
                options,
                chosen(definition, options));
        this.patience = options.gracefulShutdownTimeout().plus(MARGIN);
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
            client.close();
            Blocking.await(vertx.close(), MARGIN);
            traces.ifPresent(TraceExport::close);
        }
    }

    /** On which it runs, from before it is started. */
    public Vertx vertx() {
        return vertx;
    }

    /** The ports of metrics and health. */
    public List<Integer> managementPorts() {
        return operator.management().ports();
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
