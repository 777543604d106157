package io.busbar.operator.command;

import io.busbar.common.trace.Tracing;
import io.busbar.common.traffic.RequestGate;
import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.bundled.BundledManifests;
import io.busbar.operator.runtime.ApiClients;
import io.busbar.operator.runtime.Bundle;
import io.busbar.operator.runtime.Operator;
import io.busbar.operator.runtime.OperatorEnvironment;
import io.busbar.operator.runtime.OperatorOptions;
import io.busbar.operator.runtime.Telemetry;
import io.busbar.operator.runtime.TraceExport;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The operator with all that is bundled in the jar, with a client and a Vert.x of its own. For plain threads: its
 * methods block.
 */
public final class BundledOperator {

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
    public BundledOperator(Config config, OperatorOptions options) {
        this(config, options, List.of());
    }

    /**
     * @param config of a client for the cluster
     * @param interceptors that look at its requests
     */
    public BundledOperator(Config config, OperatorOptions options, List<Interceptor> interceptors) {
        PrometheusMeterRegistry meters = Telemetry.registry();
        this.traces = options.tracing().map(chosen -> TraceExport.start(chosen, instance()));
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
                new OperatorEnvironment(vertx, client, meters, tracing, BundledManifests.NAME, instance()),
                options,
                chosen(options, vertx));
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

    /** The ports of metrics and health. */
    public List<Integer> managementPorts() {
        return operator.management().ports();
    }

    private static List<Bundle> chosen(OperatorOptions options, Vertx vertx) {
        return Arrays.stream(Bundled.values())
                .filter(one ->
                        options.operators().isEmpty() || options.operators().contains(one.id()))
                .map(one -> one.bundle(options, vertx))
                .toList();
    }

    private static RequestGate gate(OperatorOptions options) {
        return options.requestRate()
                .map(rate -> RequestGate.limited(rate.perSecond(), rate.burst()))
                .orElseGet(RequestGate::unlimited);
    }

    /** In a Pod, its name. */
    private static String instance() {
        return Optional.ofNullable(System.getenv("HOSTNAME")).orElse("busbar");
    }
}
