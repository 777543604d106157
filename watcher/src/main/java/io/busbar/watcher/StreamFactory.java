package io.busbar.watcher;

import io.busbar.common.guard.Guard;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.reflect.Reflector;
import io.busbar.watcher.reflect.ReflectorOptions;
import io.busbar.watcher.reflect.Sink;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.net.URI;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What all streams have in common. Any thread. */
final class StreamFactory {

    /** That requests are sent from: more than one, as authentication may take its time. */
    private static final int THREADS = 4;

    private final Vertx vertx;
    private final HttpClient http;
    private final URI server;
    private final ReflectorOptions options;
    private final MeterRegistry meters;
    private final Guard guard;
    private final WorkerExecutor threads;

    /** @param pool the name of its threads */
    StreamFactory(Vertx vertx, KubernetesClient client, ReflectorOptions options, MeterRegistry meters, String pool) {
        this.vertx = vertx;
        this.http = withoutRetries(client);
        this.server = URI.create(client.getMasterUrl().toString());
        this.options = options;
        this.meters = meters;
        this.guard = new Guard("watch", meters);
        this.threads = vertx.createSharedWorkerExecutor(pool, THREADS);
    }

    /**
     * A stream for the current context.
     *
     * @param owners as in {@link Reflector}
     */
    <E> Reflector<E> stream(
            WatchSpec<?> spec,
            @Nullable Predicate<String> owners,
            String watch,
            @Nullable String namespace,
            Sink<E> sink) {
        return new Reflector<>(
                vertx, http, threads, guard, server, spec, owners, watch, namespace, options, meters, sink);
    }

    /** Once no stream runs any more. */
    Future<Void> close() {
        return threads.close();
    }

    /** The client's own HTTP client, but for its retries: they would hide an outage for a minute. */
    private static HttpClient withoutRetries(KubernetesClient client) {
        return client.getHttpClient()
                .newBuilder()
                .tag(new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }
}
