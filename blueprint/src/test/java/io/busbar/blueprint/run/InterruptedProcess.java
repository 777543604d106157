package io.busbar.blueprint.run;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.common.trace.Tracing;
import io.busbar.common.traffic.RequestGate;
import io.busbar.runtime.assembly.Operator;
import io.busbar.runtime.assembly.OperatorEnvironment;
import io.busbar.runtime.client.ApiClients;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.telemetry.Telemetry;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A process of a Blueprint that ends after some write: nothing that it does from then on has an effect. */
final class InterruptedProcess implements Interceptor {

    private final Vertx vertx;
    private final Config config;
    private final CheckedBlueprint blueprint;
    private final int lastWrite;
    private KubernetesClient own;
    private Operator operator;
    private volatile int writes;
    private volatile boolean hasEnded;
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final Set<String> selected = ConcurrentHashMap.newKeySet();

    InterruptedProcess(Vertx vertx, Config config, CheckedBlueprint blueprint, int lastWrite) {
        this.vertx = vertx;
        this.config = config;
        this.blueprint = blueprint;
        this.lastWrite = lastWrite;
    }

    void start(String namespace) throws Exception {
        PrometheusMeterRegistry meters = Telemetry.registry();
        own = ApiClients.measured(
                new ConfigBuilder(config).build(), meters, Tracing.off(), RequestGate.unlimited(), List.of(this));
        operator = new Operator(
                new OperatorEnvironment(vertx, own, meters, Tracing.off(), "held", "held-0"),
                OperatorOptions.besideCluster("held").toBuilder()
                        .watchNamespaces(Set.of(namespace))
                        .gracefulShutdownTimeout(Duration.ofMillis(1))
                        .build(),
                List.of(new BlueprintBundle(
                        List.of(new Revision("", blueprint)), new KubernetesSerialization(), Optional.empty())));
        operator.start().await(60, SECONDS);
    }

    void end() throws Exception {
        hasEnded = true;
        operator.stop().await(60, SECONDS);
        own.close();
    }

    boolean hasEnded() {
        return hasEnded;
    }

    /** How many it has made. */
    int writes() {
        return writes;
    }

    /** The method of each request, and what it is about; with {@code metadata} where no more than that is asked for. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    /** What it has listed or watched by the label of resources alone. */
    Set<String> selected() {
        return Set.copyOf(selected);
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        String what = request.uri().getPath().replaceFirst(".*/namespaces/[^/]*/", "");
        if (String.valueOf(request.uri().getQuery()).contains("labelSelector=" + InstanceReconciler.RESOURCE.name())) {
            selected.add(what);
        }
        String accepted = String.valueOf(request.header("Accept"));
        requests.add(
                request.method() + " " + what + (accepted.contains("as=PartialObjectMetadata") ? " metadata" : ""));
        if (hasEnded) {
            throw new IllegalStateException("the process has ended");
        }
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        if (isWrite(request)) {
            synchronized (this) {
                writes++;
                hasEnded |= writes >= lastWrite;
            }
        }
        if (hasEnded) {
            throw new IllegalStateException("the process has ended");
        }
    }

    private static boolean isWrite(HttpRequest request) {
        String path = request.uri().getPath();
        return !request.method().equals("GET")
                && !path.contains("/events")
                && !path.startsWith("/apis/authorization.k8s.io/");
    }
}
