package io.busbar.watcher;

import static io.busbar.watcher.ScriptedServer.await;

import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.BusCodec;
import io.busbar.common.bus.ReconcileRequest;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.trace.Tracing;
import io.busbar.common.watch.WatchRequest;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.reflect.ReflectorOptions;
import io.busbar.watcher.store.DecodedObjects;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Watches over a {@link ScriptedServer}, and what they tell the bus. */
final class WatchesTestBed implements AutoCloseable {

    static final WatchSpec<ConfigMap> MAPS = WatchSpec.of(ConfigMap.class);

    final Vertx vertx = Vertx.vertx();
    final ScriptedServer server;
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final Watches watches;
    final InMemorySpanExporter spans = InMemorySpanExporter.create();
    /** Of each request that was sent, whether the client's interceptors ran on an event loop. */
    final List<Boolean> sentFromEventLoops = new CopyOnWriteArrayList<>();

    private final KubernetesClient client;
    private final BlockingQueue<ResourceChanged> changes = new LinkedBlockingQueue<>();

    WatchesTestBed(boolean streamingLists) {
        this(streamingLists, false);
    }

    WatchesTestBed(boolean streamingLists, boolean traced) {
        this(impatient(streamingLists, Duration.ofMillis(1)), traced);
    }

    /** One for which each watch that ends has ended early. */
    static WatchesTestBed ofEarlyEnds() {
        return new WatchesTestBed(impatient(false, Duration.ofMinutes(1)), false);
    }

    /** One whose waits can be told from none: 100 ms, 200 ms, 400 ms, and so on, each a quarter more or less. */
    static WatchesTestBed ofLongWaits() {
        return new WatchesTestBed(
                new ReflectorOptions(
                        2,
                        false,
                        Duration.ofMillis(100),
                        Duration.ofMillis(400),
                        Duration.ofMinutes(2),
                        Duration.ofMillis(1),
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(10),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10)),
                false);
    }

    private WatchesTestBed(ReflectorOptions options, boolean traced) {
        server = new ScriptedServer(vertx).start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder().withMasterUrl(server.url()).build())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("threads", new Interceptor() {
                    @Override
                    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                        sentFromEventLoops.add(Context.isOnEventLoopThread());
                    }
                }))
                .build();
        BusCodec.registerAll(vertx.eventBus());
        await(vertx.eventBus()
                .<ResourceChanged>consumer(
                        Addresses.standard().changes(MAPS.resource()), message -> changes.add(message.body()))
                .completion());
        Tracing tracing = Tracing.to(OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(spans))
                        .build())
                .build());
        watches = new Watches(
                vertx,
                client,
                meters,
                traced ? tracing : Tracing.off(),
                Addresses.standard(),
                options,
                new DecodedObjects(1 << 20));
    }

    /** Milliseconds in place of seconds. */
    private static ReflectorOptions impatient(boolean streamingLists, Duration shortStream) {
        return new ReflectorOptions(
                2,
                streamingLists,
                Duration.ofMillis(5),
                Duration.ofMillis(20),
                Duration.ofMinutes(2),
                shortStream,
                Duration.ofMinutes(5),
                Duration.ofMinutes(10),
                Duration.ofSeconds(3),
                Duration.ofSeconds(1));
    }

    WatchHandle<ConfigMap> acquire() {
        return watches.acquire(WatchRequest.readOnly(MAPS, List.of()));
    }

    /** The next change that was published, as {@code KIND namespace/name version}. */
    String change() throws InterruptedException {
        ResourceChanged change = changes.poll(60, TimeUnit.SECONDS);
        return change == null ? "none" : change.kind() + " " + change.key() + " " + change.resourceVersion();
    }

    /** The requests that a controller gets from now on. */
    BlockingQueue<ReconcileRequest> requests(String controller) {
        BlockingQueue<ReconcileRequest> requests = new LinkedBlockingQueue<>();
        await(vertx.eventBus()
                .<ReconcileRequest>consumer(
                        Addresses.standard().requests(controller), message -> requests.add(message.body()))
                .completion());
        return requests;
    }

    static <T extends HasMetadata> List<String> names(List<T> objects) {
        return objects.stream()
                .map(object -> object.getMetadata().getName())
                .sorted()
                .toList();
    }

    @Override
    public void close() {
        await(watches.close());
        client.close();
        await(vertx.close());
    }
}
