package io.busbar.watcher;

import io.busbar.common.ResourceType;
import io.busbar.common.bus.Addresses;
import io.busbar.common.guard.Guard;
import io.busbar.common.guard.SlowCalls;
import io.busbar.common.internal.context.CallersContext;
import io.busbar.common.trace.Tracing;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.OthersWrites;
import io.busbar.common.watch.WatchRequest;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.reflect.ReflectorOptions;
import io.busbar.watcher.store.DecodedObjects;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All watches of an operator in one cluster: each is there once for all who want the same, and as long as anyone wants
 * it.
 *
 * <p>Order of calls: {@link io.busbar.common.bus.BusCodec#registerAll} for the bus; deploy the controllers, because a
 * message that nobody consumes yet is lost without a trace; then {@code acquire}.
 *
 * <p>Any thread; futures complete on the caller's context.
 */
public final class Watches implements Listers {

    private static final long DECODED_BYTES = 8 << 20;

    private final Vertx vertx;
    private final KubernetesClient client;
    private final MeterRegistry meters;
    private final Tracing tracing;
    private final Addresses addresses;
    private final StreamFactory streams;
    /** Of what predicates and mappings throw. */
    private final Guard triggers;

    private final SlowCalls slowTriggers;

    private final DecodedObjects decoded;
    private final Map<WatchSpec<?>, SharedWatch<?>> watches = new ConcurrentHashMap<>();
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final AtomicInteger created = new AtomicInteger();
    /** Of the watches that name none; empty for all. */
    private volatile Set<String> namespaces = Set.of();
    /** Whose objects sharded watches keep; null where they keep all. */
    private volatile @Nullable Predicate<String> owners;

    /** Untraced. */
    public Watches(Vertx vertx, KubernetesClient client, MeterRegistry meters) {
        this(vertx, client, meters, Tracing.off(), Addresses.standard());
    }

    /** With {@link ReflectorOptions#standard()}, and objects of 8 MiB of JSON at most decoded at a time. */
    public Watches(Vertx vertx, KubernetesClient client, MeterRegistry meters, Tracing tracing, Addresses addresses) {
        this(vertx, client, meters, tracing, addresses, ReflectorOptions.standard(), new DecodedObjects(DECODED_BYTES));
    }

    public Watches(
            Vertx vertx,
            KubernetesClient client,
            MeterRegistry meters,
            Tracing tracing,
            Addresses addresses,
            ReflectorOptions options,
            DecodedObjects decoded) {
        this.vertx = vertx;
        this.client = client;
        this.meters = meters;
        this.tracing = tracing;
        this.addresses = addresses;
        this.streams = new StreamFactory(vertx, client, options, meters, addresses.threads("watches"));
        this.triggers = new Guard("trigger", meters);
        this.slowTriggers = new SlowCalls("trigger", meters);
        this.decoded = decoded;
    }

    /**
     * Takes hold of a watch, and starts it if nobody has. The mappings of the request's triggers read these
     * {@code Watches}.
     */
    public <T extends HasMetadata> WatchHandle<T> acquire(WatchRequest<T> request) {
        return hold(reserve(request.spec()), request, this);
    }

    /**
     * Takes hold of all watches that belong together, those of a controller. The mappings of their triggers read the
     * group, so that two controllers may watch one type in two ways, and each reads its own.
     */
    public WatchGroup acquire(List<WatchRequest<?>> requests) {
        List<SharedWatch<?>> reserved = requests.stream()
                .<SharedWatch<?>>map(request -> reserve(request.spec()))
                .toList();
        WatchGroup group = new WatchGroup(this, reserved);
        for (int i = 0; i < reserved.size(); i++) {
            group.add(holdSame(reserved.get(i), requests.get(i), group));
        }
        return group;
    }

    /**
     * Changes what is watched by all watches that name no namespaces: these, and those to come. What is in a namespace
     * that is added is listed, and the rest goes on as it was. What is known of one that is left is forgotten, and no
     * trigger fires: it was not deleted.
     *
     * @param names empty for all
     * @return completes when all is listed, which may be never while the API server is away
     */
    public Future<Void> watchNamespaces(Set<String> names) {
        Set<String> now = Set.copyOf(names);
        List<SharedWatch<?>> open;
        // A watch that is made meanwhile is made with the new ones, or is among those to change.
        synchronized (created) {
            namespaces = now;
            open = eldestFirst().filter(SharedWatch::isOpen).toList();
        }
        return CallersContext.of(
                vertx,
                Future.all(open.stream().map(watch -> watch.watch(now)).toList())
                        .mapEmpty());
    }

    /**
     * Has {@linkplain WatchSpec#sharded sharded} watches keep only objects that some owners control, and those that
     * nobody controls: these watches, and those to come. Called first before any is acquired. What is kept besides is
     * listed at once. What is not kept any more is forgotten, and no trigger fires: it was not deleted.
     *
     * @param owners by their uid; asked on any thread, and must be quick
     * @param more whether there are owners among them of whom nothing was kept before
     * @return since when lists have shown all that is kept, by {@link System#nanoTime()}: whoever needs it to be there
     *     waits until his watches are {@linkplain WatchHandle#caughtUp caught up} with this moment
     */
    public long keepOwners(Predicate<String> owners, boolean more) {
        this.owners = owners;
        long moment = System.nanoTime();
        eldestFirst().filter(watch -> watch.spec().sharded()).forEach(watch -> watch.ownersChanged(more));
        return moment;
    }

    private boolean keepsOf(String controllerUid) {
        Predicate<String> kept = owners;
        return kept == null || controllerUid.isEmpty() || kept.test(controllerUid);
    }

    static boolean isOpen(WatchSpec<?> spec) {
        return spec.resource().namespaced() && spec.namespaces().isEmpty();
    }

    /**
     * The lister of the watch of a type that was acquired first, of those that are held, and that keeps all if one
     * does.
     */
    @Override
    @SuppressWarnings("unchecked") // a watch's lister is of its spec's type
    public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
        return (Lister<T>) eldestFirst()
                .filter(watch -> watch.spec().type().equals(type))
                .min(Comparator.comparing(watch -> watch.spec().sharded())) // of equals the first
                .orElseThrow(() -> new IllegalArgumentException("nobody watches " + type.getName()))
                .lister();
    }

    /** Whether the first lists of all watches are stored: true where there are none. */
    public boolean synced() {
        return watches.values().stream().allMatch(watch -> watch.lister().synced());
    }

    /** How each watch is doing, the eldest first. */
    public List<WatchStatus> statuses() {
        return eldestFirst().map(SharedWatch::status).toList();
    }

    /** Ends all watches, whoever holds them, and this: none can be acquired any more. */
    public Future<Void> close() {
        List<SharedWatch<?>> all = eldestFirst().toList();
        watches.clear();
        return CallersContext.of(
                vertx,
                Future.join(all.stream().map(this::stop).toList())
                        .eventually(streams::close)
                        .mapEmpty());
    }

    private Stream<SharedWatch<?>> eldestFirst() {
        return watches.values().stream().sorted(Comparator.comparingInt(SharedWatch::number));
    }

    @SuppressWarnings("unchecked") // stored under its own spec
    private <T extends HasMetadata> SharedWatch<T> reserve(WatchSpec<T> wanted) {
        WatchSpec<T> spec = owners == null ? wanted.wholeWatch() : wanted;
        if (!spec.cluster().equals(addresses.cluster())) {
            throw new IllegalArgumentException("a watch of " + spec.resource() + " in cluster '" + spec.cluster()
                    + "'; allowed here: '" + addresses.cluster() + "'");
        }
        synchronized (created) {
            return (SharedWatch<T>) watches.compute(spec, (same, running) -> {
                SharedWatch<?> watch = running == null ? create(spec) : running;
                watch.holders++;
                return watch;
            });
        }
    }

    private <T extends HasMetadata> SharedWatch<T> create(WatchSpec<T> spec) {
        return new SharedWatch<>(
                vertx,
                created.incrementAndGet(),
                name(spec.resource()),
                spec,
                spec.sharded() ? this::keepsOf : null,
                client.getKubernetesSerialization(),
                decoded,
                streams,
                meters,
                tracing,
                addresses,
                isOpen(spec) ? namespaces : spec.namespaces());
    }

    @SuppressWarnings("unchecked") // reserved for this request's spec
    private <T extends HasMetadata> WatchHandle<T> holdSame(
            SharedWatch<?> watch, WatchRequest<T> request, Listers listers) {
        return hold((SharedWatch<T>) watch, request, listers);
    }

    private <T extends HasMetadata> WatchHandle<T> hold(
            SharedWatch<T> watch, WatchRequest<T> request, Listers listers) {
        Attachment<T> attachment = new Attachment<>(request, listers, addresses, triggers, slowTriggers);
        Future<Void> synced = CallersContext.of(vertx, watch.attach(attachment));
        AtomicBoolean released = new AtomicBoolean();
        Promise<Void> closed = Promise.promise();
        Function<OthersWrites, Future<Void>> caughtUp = writes -> CallersContext.of(vertx, watch.caughtUp(writes));
        return new WatchHandle<>(request.spec().type(), watch.lister(), synced, caughtUp, () -> {
            if (released.compareAndSet(false, true)) {
                watch.detach(attachment);
                release(watch).onComplete(closed);
            }
            return CallersContext.of(vertx, closed.future());
        });
    }

    private Future<Void> release(SharedWatch<?> watch) {
        boolean[] last = new boolean[1];
        watches.computeIfPresent(watch.spec(), (spec, running) -> {
            if (running != watch) {
                return running;
            }
            watch.holders--;
            last[0] = watch.holders == 0;
            return last[0] ? null : watch;
        });
        return last[0] ? stop(watch) : Future.succeededFuture();
    }

    private Future<Void> stop(SharedWatch<?> watch) {
        return watch.stop().onComplete(stopped -> names.remove(watch.name()));
    }

    /**
     * The resource's own, with the cluster where that is not the operator's own, and numbered where several watches of
     * it run at a time.
     */
    private String name(ResourceType resource) {
        int number = 1;
        String own = resource + addresses.ending();
        String name = own;
        while (!names.add(name)) {
            number++;
            name = own + "#" + number;
        }
        return name;
    }
}
