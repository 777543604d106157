package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.Reason;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileRequest;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.bus.ResourceListed;
import io.busbar.common.guard.Guard;
import io.busbar.common.trace.Tracing;
import io.busbar.common.watch.WatchRequest;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.queue.QueueMetrics;
import io.busbar.reconciler.queue.WorkQueue;
import io.busbar.reconciler.shard.Sharding;
import io.busbar.reconciler.source.MessageSource;
import io.busbar.reconciler.view.ControllerView;
import io.busbar.reconciler.view.PastReconcile;
import io.busbar.reconciler.view.StoredPrimary;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One controller with all that runs it.
 *
 * <p>Any thread.
 */
final class RunningController<P extends HasMetadata> {

    /** How long interrupted reconciles are waited for. */
    private static final Duration LAST_GRACE = Duration.ofSeconds(2);

    /** Of what is to be added later. */
    private static final int MOST_SEEN = 50;

    /** The source of what somebody has asked for who looks on. */
    private static final String BY_HAND = "by-hand";

    private final Vertx vertx;
    private final Controller<P> controller;
    private final Sharding sharding;
    /** By the clusters' names. */
    private final Map<String, Site<P>> sites = new LinkedHashMap<>();

    private final Addresses scope;
    private final WorkerThreads threads;
    private final Pool pool;
    private final Guard guard;
    private final Deadlines deadlines;
    private final Supervisor supervisor;
    private final Activity activity;
    private final ControllerVerticle verticle;
    private final RunningSources<P> sources;
    private final Queue<MessageConsumer<?>> followed = new ConcurrentLinkedQueue<>();
    private final List<String> addresses = new ArrayList<>();
    private final AtomicReference<@Nullable Future<Void>> stopped = new AtomicReference<>();
    private final Queue<String> deployments = new ConcurrentLinkedQueue<>();

    /** Of worker threads; those of one name are one in a Vert.x. */
    record Pool(String name, int size) {}

    /** @param clusters all that the operator works in */
    RunningController(
            Vertx vertx,
            Controller<P> controller,
            Collection<Cluster<P>> clusters,
            WriteLoops loops,
            Addresses scope,
            WorkerThreads threads,
            Pool pool,
            MeterRegistry meters,
            Tracing tracing,
            ScheduledExecutorService timer,
            Sharding sharding,
            Activity activity) {
        String name = controller.name();
        this.vertx = vertx;
        this.controller = controller;
        this.sharding = sharding;
        this.scope = scope;
        this.threads = threads;
        this.pool = pool;
        this.activity = activity;
        this.guard = new Guard("controller", meters);
        this.deadlines = new Deadlines(name, controller.timeout(), timer, guard);
        ReconcileMetrics metrics = new ReconcileMetrics(meters, name, controller.workers(), deadlines::overdue);
        clusters.forEach(
                cluster -> sites.put(cluster.name(), new Site<>(controller, cluster, metrics, this::other, sharding)));
        this.supervisor = new Supervisor(
                name,
                ResourceType.of(controller.type()),
                controller.timeout(),
                deadlines,
                metrics,
                new ReconcileTrace(tracing, name),
                this::turn,
                this::tell);
        for (int i = 0; i < controller.workers(); i++) {
            addresses.add(scope.workers(name) + "." + UUID.randomUUID());
        }
        this.verticle = new ControllerVerticle(
                name,
                scope.requests(name),
                new WorkQueue(
                        controller.backoff(),
                        controller.retryLimit(),
                        new QueueMetrics(meters, name, System::nanoTime),
                        System::nanoTime),
                new QueueTrace(tracing, name, InstantSource.system()),
                activity,
                addresses,
                loops::requested,
                controller.clusters().stream()
                        .filter(cluster -> !cluster.isEmpty())
                        .toList(),
                this::isElsewhere,
                guard);
        this.sources =
                new RunningSources<>(vertx, controller, clusters(), scope, verticle::request, this::isElsewhere, guard);
    }

    /** Takes in requests from when this completes on. */
    Future<Void> deploy() {
        DeploymentOptions options = new DeploymentOptions()
                .setThreadingModel(threads.model())
                .setWorkerPoolName(pool.name())
                .setWorkerPoolSize(pool.size())
                .setMaxWorkerExecuteTimeUnit(TimeUnit.MILLISECONDS)
                .setMaxWorkerExecuteTime(
                        controller.timeout().plus(Deadlines.PATIENCE).toMillis());
        List<Future<?>> workers = new ArrayList<>();
        for (String address : addresses) {
            workers.add(vertx.deployVerticle(new WorkerVerticle(address, this::work, guard), options)
                    .onSuccess(deployments::add));
        }
        return Future.all(workers)
                .compose(deployed -> vertx.deployVerticle(verticle, new DeploymentOptions()))
                .onSuccess(deployments::add)
                .compose(deployed -> follow());
    }

    private Future<Void> follow() {
        sites.forEach((name, site) -> {
            Map<Class<? extends HasMetadata>, ResourceType> types = new LinkedHashMap<>();
            requests(name)
                    .forEach(request ->
                            types.put(request.spec().type(), request.spec().resource()));
            types.forEach((type, resource) -> follow(site, scope.in(name), type, resource));
        });
        return Future.all(followed.stream().map(MessageConsumer::completion).toList())
                .compose(following -> sources.follow());
    }

    private void follow(Site<P> site, Addresses there, Class<? extends HasMetadata> type, ResourceType resource) {
        followed.add(vertx.eventBus()
                .<ResourceChanged>localConsumer(
                        there.changes(resource), message -> guard.run(() -> changed(site, type, message.body()))));
        followed.add(vertx.eventBus()
                .<ResourceListed>localConsumer(
                        there.lists(resource), message -> guard.run(() -> listed(site, type, message.body()))));
    }

    /** What is watched in a cluster. */
    private Stream<WatchRequest<?>> requests(String cluster) {
        return controller.watchRequests().stream()
                .filter(request -> request.spec().cluster().equals(cluster));
    }

    /** The clusters whose primaries are reconciled. */
    private List<Cluster<P>> clusters() {
        return controller.clusters().stream()
                .map(name -> Objects.requireNonNull(sites.get(name)).cluster())
                .toList();
    }

    /** Another cluster for the reconcile of a primary. */
    private Cluster<P> other(String name) {
        Site<P> site = sites.get(name);
        if (site == null) {
            throw new IllegalArgumentException("there is no cluster '" + name + "'; allowed: "
                    + String.join(", ", new TreeSet<>(sites.keySet())) + ", and '' for the operator's own");
        }
        if (!site.begun() && site.cluster().reads().types().findAny().isPresent()) {
            throw new KubernetesClientException("cluster " + name + " is not listed yet");
        }
        reconcileOwners(site.cluster(), site.cluster().resolveDoubts());
        return site.cluster();
    }

    private ReconcileOutcome work(ReconcileTask task) {
        return activity.noting(task, () -> supervisor.run(task));
    }

    /** What it does now. Any thread, once it is deployed. */
    Future<ControllerView> view() {
        return verticle.look((queue, seen) -> new ControllerView(
                controller.name(),
                ResourceType.of(controller.type()),
                controller.workers(),
                controller.timeout(),
                queue.look(MOST_SEEN, seen::lastError),
                seen.inFlight(deadlines::isOverdue),
                seen.restless()));
    }

    /** The last reconciles of a primary, the latest last. Any thread, once it is deployed. */
    Future<List<PastReconcile>> past(ObjectKey key) {
        return verticle.look((queue, seen) -> seen.of(key));
    }

    /** Primaries of whom past reconciles are known, and in whose namespace and name a text is found. */
    Future<List<ObjectKey>> find(String text) {
        return verticle.look((queue, seen) -> seen.find(text));
    }

    /** A primary as reconciles read it; empty where it is not there, or its cluster not listed yet. Decodes it. */
    Optional<StoredPrimary> stored(ObjectKey key) {
        Site<P> site = sites.get(key.cluster());
        return site == null || !site.begun()
                ? Optional.empty()
                : site.cluster()
                        .stored(key)
                        .map(primary -> new StoredPrimary(
                                primary, controller.watchRequests().get(0).spec()));
    }

    String name() {
        return controller.name();
    }

    ResourceType primaries() {
        return ResourceType.of(controller.type());
    }

    /** Has a primary reconciled that is this replica's, because somebody has asked for it. */
    boolean requestByHand(ObjectKey key) {
        Site<P> site = sites.get(key.cluster());
        if (site == null
                || !site.begun()
                || isElsewhere(key)
                || site.cluster().stored(key).isEmpty()) {
            return false;
        }
        verticle.request(new ReconcileRequest(key, Reason.CHANGE, "", Cause.from(BY_HAND, key)));
        return true;
    }

    private ReconcileOutcome turn(ReconcileTask task) throws Exception {
        Site<P> site = sites.get(task.key().cluster());
        if (site == null) { // a key that somebody has made up
            return ReconcileOutcome.awaitChange();
        }
        Cluster<P> cluster = site.cluster();
        reconcileOwners(cluster, cluster.resolveDoubts());
        ReconcileOutcome outcome =
                cluster.loops().turn(task.key(), () -> site.reconciliation().run(task));
        if (cluster.writes().inDoubt()) {
            verticle.request(task.key(), Reason.CHANGE);
        }
        return outcome;
    }

    private void tell(ReconcileTask task, Throwable failure) {
        guard.call(
                () -> {
                    Site<P> site = sites.get(task.key().cluster());
                    if (site != null) {
                        site.reconciliation().tell(task, failure);
                    }
                    return true;
                },
                thrown -> false);
    }

    private void changed(Site<P> site, Class<? extends HasMetadata> type, ResourceChanged change) {
        if (site.begun() && site.cluster().reads(type, change.watch())) {
            site.cluster().changed(type, change);
            if (type == controller.type() && site.conflicts().arrived(change.key(), change.resourceVersion())) {
                verticle.request(change.key(), Reason.CHANGE);
            }
        }
    }

    private void listed(Site<P> site, Class<? extends HasMetadata> type, ResourceListed list) {
        if (site.begun() && site.cluster().reads(type, list.watch())) {
            reconcileOwners(site.cluster(), site.cluster().writes().listed(type, list.namespace()));
        }
    }

    /** Has primaries reconciled of whose objects nobody was told that they are gone. */
    private void reconcileOwners(Cluster<P> cluster, List<HasMetadata> gone) {
        for (HasMetadata object : gone) {
            for (WatchRequest<?> request : requests(cluster.name()).toList()) {
                if (request.spec().type().isInstance(object)) {
                    guard.run(() ->
                            owners(cluster, request, object).forEach(key -> verticle.request(key, Reason.CHANGE)));
                }
            }
        }
    }

    private <T extends HasMetadata> Set<ObjectKey> owners(
            Cluster<P> cluster, WatchRequest<T> request, HasMetadata object) {
        T typed = request.spec().type().cast(object);
        Set<ObjectKey> owners = new LinkedHashSet<>();
        request.triggers().forEach(trigger -> owners.addAll(trigger.keys(typed, cluster.stores())));
        return owners;
    }

    /** Hands out keys from now on. */
    Future<Void> begin() {
        site("").begin();
        verticle.begin();
        return sources.begin().compose(begun -> beginResync());
    }

    /** Hands out keys of another cluster, too, from now on: what is watched there has been listed. */
    void begin(String cluster) {
        site(cluster).begin();
        verticle.release(cluster);
    }

    /** As {@link ControllerVerticle#shut}. */
    Future<Void> shut(Predicate<ObjectKey> some) {
        return verticle.shut(some);
    }

    /** As {@link ControllerVerticle#open}. */
    void open(Predicate<ObjectKey> gone) {
        verticle.open(gone);
    }

    /** Whether another replica works on a primary, or is about to; of one that is gone nobody does. */
    private boolean isElsewhere(ObjectKey key) {
        Site<P> site = sharding == Sharding.none() ? null : sites.get(key.cluster());
        return site != null
                && site.begun()
                && site.cluster()
                        .stored(key)
                        .filter(primary -> !sharding.holds(bucket(primary)))
                        .isPresent();
    }

    private int bucket(P primary) {
        return sharding.bucket(primary, controller.isSharded());
    }

    /** Has the primaries of some buckets reconciled, which are this replica's from now on. Blocks. */
    void gained(Set<Integer> buckets) {
        for (Cluster<P> cluster : clusters()) {
            if (site(cluster.name()).begun()) {
                cluster.stores().lister(controller.type()).list().stream()
                        .filter(primary -> buckets.contains(bucket(primary)))
                        .map(primary -> ObjectKey.of(primary).in(cluster.name()))
                        .forEach(key -> verticle.request(
                                new ReconcileRequest(key, Reason.INITIAL_LIST, "", Cause.of(Cause.How.LISTED, key))));
            }
        }
    }

    /** Whether a message for one of its event sources is of use here. */
    boolean worksOn(String address, ObjectKey key) {
        return controller.sources().stream()
                        .anyMatch(source -> source instanceof MessageSource messages
                                && messages.address().equals(address))
                && !isElsewhere(key);
    }

    private Site<P> site(String cluster) {
        return Objects.requireNonNull(sites.get(cluster), cluster);
    }

    private Future<Void> beginResync() {
        if (controller.resync().isEmpty()) {
            return Future.succeededFuture();
        }
        Callable<List<ObjectKey>> keys =
                () -> clusters().stream().flatMap(Cluster::primaries).toList();
        ResyncVerticle resync = new ResyncVerticle(
                controller.name(), controller.resync().get(), keys, key -> verticle.request(key, Reason.RESYNC), guard);
        return vertx.deployVerticle(resync, new DeploymentOptions())
                .onSuccess(deployments::add)
                .mapEmpty();
    }

    /**
     * Lets reconciles end for the grace period, then interrupts them; one that ignores that is left behind. A guest may
     * be ended while its operator stops: who comes second waits for the first.
     */
    Future<Void> stop(Duration grace) {
        Promise<Void> done = Promise.promise();
        if (stopped.compareAndSet(null, done.future())) {
            end(grace).onComplete(done);
        }
        return Objects.requireNonNull(stopped.get());
    }

    private Future<Void> end(Duration grace) {
        Future<Void> idle = verticle.drain();
        return within(idle, grace)
                .compose(inTime -> {
                    if (inTime) {
                        return Future.succeededFuture(true);
                    }
                    deadlines.stopAll();
                    return within(idle, LAST_GRACE);
                })
                .compose(ended -> {
                    Future<Void> undeployed = undeploy();
                    return ended ? undeployed : Future.succeededFuture();
                });
    }

    private Future<Boolean> within(Future<Void> done, Duration time) {
        if (done.isComplete()) {
            return Future.succeededFuture(true);
        }
        var timer = vertx.timer(Math.max(1, time.toMillis()), TimeUnit.MILLISECONDS);
        return Future.any(done, timer).map(either -> done.isComplete()).onComplete(either -> timer.cancel());
    }

    private Future<Void> undeploy() {
        List<Future<?>> all = new ArrayList<>();
        all.add(sources.stop());
        followed.forEach(consumer -> all.add(consumer.unregister()));
        deployments.forEach(id -> all.add(vertx.undeploy(id)));
        deployments.clear();
        return Future.join(all).mapEmpty();
    }
}
