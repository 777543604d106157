package io.busbar.sandbox;

import io.busbar.common.ResourceType;
import io.busbar.sandbox.admission.Webhooks;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.clock.ManualClock;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.service.ServiceAddresses;
import io.busbar.sandbox.controller.service.ServiceRules;
import io.busbar.sandbox.controller.volume.ClaimRules;
import io.busbar.sandbox.crd.CustomResources;
import io.busbar.sandbox.crd.DefinitionRules;
import io.busbar.sandbox.http.ApiServer;
import io.busbar.sandbox.http.HttpSettings;
import io.busbar.sandbox.resource.BuiltIn;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.KindRules;
import io.busbar.sandbox.resource.StandardRules;
import io.busbar.sandbox.server.ChangeFeed;
import io.busbar.sandbox.server.ControlPlane;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.tls.TlsIdentity;
import io.busbar.sandbox.verbs.Caller;
import io.busbar.sandbox.verbs.Cluster;
import io.busbar.sandbox.verbs.Verbs;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The whole sandbox on one context: store, HTTP server, and the simulated parts of the cluster.
 *
 * <p>One context.
 */
final class SandboxVerticle extends VerticleBase {

    private static final Caller ADMIN =
            new Caller("kubernetes-admin", "", List.of("system:masters", "system:authenticated"));
    private static final Caller ANONYMOUS = new Caller("system:anonymous", "", List.of("system:unauthenticated"));

    private static final int LONGEST_HEAD = 64 * 1024;
    /** Each watch is a stream, and a client has one connection. */
    private static final int MOST_STREAMS = 1_000;
    /** A client that ends a watch resets its stream: nothing to fear from. */
    private static final int MOST_RESETS = 100_000;

    private final SandboxOptions options;
    private final String token;
    private final @Nullable TlsIdentity tls;
    private final List<Runnable> stops = new ArrayList<>();
    private int port;

    SandboxVerticle(SandboxOptions options, String token, @Nullable TlsIdentity tls) {
        this.options = options;
        this.token = token;
        this.tls = tls;
    }

    /** Known once it is deployed. */
    int port() {
        return port;
    }

    @Override
    public Future<?> start() {
        ClusterClock clock = clock();
        Executor later = task -> {
            Runnable over = clock.working();
            context.runOnContext(turn -> {
                task.run();
                over.run();
            });
        };
        MemoryStore store = new MemoryStore(options.history(), later);
        ServiceAddresses addresses = ServiceAddresses.of(store);
        Catalog catalog = new Catalog(BuiltIn.resources((type, hasStatus) -> rules(type, hasStatus, store, addresses)));
        CustomResources customResources = new CustomResources(catalog);
        store.onChange(customResources::changed);
        Webhooks admission = new Webhooks(vertx, store, catalog, options.services());
        Cluster cluster = new Cluster(catalog, store, admission, clock);
        Verbs verbs = Verbs.of(cluster);
        ChangeFeed feed = new ChangeFeed(later);
        store.onChange(feed::changed);
        ApiServer server = new ApiServer(
                vertx, cluster, verbs, new HttpSettings(options.version(), options.bookmarks()), this::caller);
        ControlPlane plane = new ControlPlane(vertx, cluster, verbs, feed);
        stops.add(plane::stop);
        stops.add(admission::close);
        return plane.startControllers(tls == null ? "" : tls.authority())
                .onSuccess(ready -> {
                    if (options.controllers()) {
                        plane.startWorkloads();
                    }
                })
                .compose(ready -> plane.createNodes(options.nodes(), options.version()))
                .compose(ready -> {
                    if (options.kubelet()) {
                        plane.startNodes();
                    }
                    return vertx.createHttpServer(httpOptions())
                            .requestHandler(server)
                            .listen(options.port(), options.host());
                })
                .onSuccess(listening -> port = listening.actualPort());
    }

    @Override
    public Future<?> stop() {
        stops.forEach(Runnable::run);
        return Future.succeededFuture();
    }

    private ClusterClock clock() {
        return options.clock()
                .map(manual -> {
                    ManualClock.OfCluster own = manual.on(context);
                    stops.add(own.close());
                    return own.clock();
                })
                .orElseGet(() -> ClusterClock.system(vertx));
    }

    private KindRules rules(ResourceType type, boolean hasStatus, MemoryStore store, ServiceAddresses addresses) {
        KindRules standard = new StandardRules(type, hasStatus);
        return switch (type.kind()) {
            case "CustomResourceDefinition" -> new DefinitionRules(standard);
            case "Service" -> new ServiceRules(standard, addresses);
            case "PersistentVolumeClaim" -> options.controllers() ? claimRules(standard, store) : standard;
            default -> standard;
        };
    }

    private static KindRules claimRules(KindRules standard, MemoryStore store) {
        return new ClaimRules(
                standard,
                () -> store.shelf(Kind.STORAGE_CLASS.resource()).objects("").values());
    }

    /** Everybody may do everything; the token only tells who it is. */
    private Caller caller(HttpServerRequest request) {
        String authorization = request.getHeader("Authorization");
        return ("Bearer " + token).equals(authorization) ? ADMIN : ANONYMOUS;
    }

    private HttpServerOptions httpOptions() {
        HttpServerOptions http = new HttpServerOptions()
                .setMaxInitialLineLength(LONGEST_HEAD)
                .setMaxHeaderSize(LONGEST_HEAD)
                .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(MOST_STREAMS))
                .setHttp2RstFloodMaxRstFramePerWindow(MOST_RESETS);
        if (tls == null) {
            return http;
        }
        return http.setSsl(true)
                .setUseAlpn(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertValue(Buffer.buffer(tls.certificate()))
                        .setKeyValue(Buffer.buffer(tls.key())));
    }
}
