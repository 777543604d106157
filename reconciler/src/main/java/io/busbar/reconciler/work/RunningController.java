package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.Reason;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.bus.ResourceListed;
import io.busbar.common.guard.Guard;
import io.busbar.common.trace.Tracing;
import io.busbar.common.watch.WatchRequest;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.queue.QueueMetrics;
import io.busbar.reconciler.queue.WorkQueue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * One controller with all that runs it.
 *
 * <p>Any thread.
 */
final class RunningController<P extends HasMetadata> {

    /** How long interrupted reconciles are waited for. */
    private static final Duration LAST_GRACE = Duration.ofSeconds(2);

    private final Vertx vertx;
    private final Controller<P> controller;
    private final Cluster<P> cluster;
    private final Addresses scope;
    private final WorkerThreads threads;
    private final Guard guard;
    private final Deadlines deadlines;
    private final Supervisor supervisor;
    private final ControllerVerticle verticle;
    private final Reconciliation<P> reconciliation;
    private final Conflicts conflicts;
    private final RunningSources<P> sources;
    private final Queue<MessageConsumer<?>> followed = new ConcurrentLinkedQueue<>();
    private final List<String> addresses = new ArrayList<>();
    private final Queue<String> deployments = new ConcurrentLinkedQueue<>();
    /** Whether the watches are there. Before, nothing is written either. */
    private volatile boolean begun;

    RunningController(
            Vertx vertx,
            Controller<P> controller,
            Cluster<P> cluster,
            Addresses scope,
            WorkerThreads threads,
            MeterRegistry meters,
            Tracing tracing,
            ScheduledExecutorService timer) {
        String name = controller.name();
        this.vertx = vertx;
        this.controller = controller;
        this.cluster = cluster;
        this.scope = scope;
        this.threads = threads;
        this.conflicts = new Conflicts(ResourceType.of(controller.type()));
        this.guard = new Guard("controller", meters);
        this.deadlines = new Deadlines(name, controller.timeout(), timer, guard);
        ReconcileMetrics metrics = new ReconcileMetrics(meters, name, controller.workers(), deadlines::overdue);
        this.reconciliation = new Reconciliation<>(controller, cluster, metrics, conflicts);
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
                addresses,
                cluster.loops()::requested,
                guard);
        this.sources = new RunningSources<>(vertx, controller, cluster, scope, verticle::request, guard);
    }

    /** Takes in requests from when this completes on. */
    Future<Void> deploy() {
        DeploymentOptions options = new DeploymentOptions()
                .setThreadingModel(threads.model())
                .setWorkerPoolName(scope.threads(controller.name()))
                .setWorkerPoolSize(controller.workers())
                .setMaxWorkerExecuteTimeUnit(TimeUnit.MILLISECONDS)
                .setMaxWorkerExecuteTime(
                        controller.timeout().plus(Deadlines.PATIENCE).toMillis());
        List<Future<?>> workers = new ArrayList<>();
        for (String address : addresses) {
            workers.add(vertx.deployVerticle(new WorkerVerticle(address, supervisor::run, guard), options)
                    .onSuccess(deployments::add));
        }
        return Future.all(workers)
                .compose(deployed -> vertx.deployVerticle(verticle, new DeploymentOptions()))
                .onSuccess(deployments::add)
                .compose(deployed -> follow());
    }

    private Future<Void> follow() {
        Map<Class<? extends HasMetadata>, ResourceType> types = new LinkedHashMap<>();
        controller
                .watchRequests()
                .forEach(request ->
                        types.put(request.spec().type(), request.spec().resource()));
        types.forEach((type, resource) -> {
            followed.add(vertx.eventBus()
                    .<ResourceChanged>localConsumer(
                            scope.changes(resource), message -> guard.run(() -> changed(type, message.body()))));
            followed.add(vertx.eventBus()
                    .<ResourceListed>localConsumer(
                            scope.lists(resource), message -> guard.run(() -> listed(type, message.body()))));
        });
        return Future.all(followed.stream().map(MessageConsumer::completion).toList())
                .compose(following -> sources.follow());
    }

    private ReconcileOutcome turn(ReconcileTask task) throws Exception {
        reconcileOwners(cluster.resolveDoubts());
        ReconcileOutcome outcome = cluster.loops().turn(task.key(), () -> reconciliation.run(task));
        if (cluster.writes().inDoubt()) {
            verticle.request(task.key(), Reason.CHANGE);
        }
        return outcome;
    }

    private void tell(ReconcileTask task, Throwable failure) {
        guard.call(
                () -> {
                    reconciliation.tell(task, failure);
                    return true;
                },
                thrown -> false);
    }

    private void changed(Class<? extends HasMetadata> type, ResourceChanged change) {
        if (begun && cluster.reads(type, change.watch())) {
            cluster.changed(type, change);
            if (type == controller.type() && conflicts.arrived(change.key(), change.resourceVersion())) {
                verticle.request(change.key(), Reason.CHANGE);
            }
        }
    }

    private void listed(Class<? extends HasMetadata> type, ResourceListed list) {
        if (begun && cluster.reads(type, list.watch())) {
            reconcileOwners(cluster.writes().listed(type, list.namespace()));
        }
    }

    /** Has primaries reconciled of whose objects nobody was told that they are gone. */
    private void reconcileOwners(List<HasMetadata> gone) {
        for (HasMetadata object : gone) {
            for (WatchRequest<?> request : controller.watchRequests()) {
                if (request.spec().type().isInstance(object)) {
                    guard.run(() -> owners(request, object).forEach(key -> verticle.request(key, Reason.CHANGE)));
                }
            }
        }
    }

    private <T extends HasMetadata> Set<ObjectKey> owners(WatchRequest<T> request, HasMetadata object) {
        T typed = request.spec().type().cast(object);
        Set<ObjectKey> owners = new LinkedHashSet<>();
        request.triggers().forEach(trigger -> owners.addAll(trigger.mapping().keys(typed, cluster.stores())));
        return owners;
    }

    /** Hands out keys from now on. */
    Future<Void> begin() {
        begun = true;
        verticle.begin();
        return sources.begin().compose(begun -> beginResync());
    }

    private Future<Void> beginResync() {
        if (controller.resync().isEmpty()) {
            return Future.succeededFuture();
        }
        Callable<List<ObjectKey>> keys = () -> cluster.stores().lister(controller.type()).list().stream()
                .map(ObjectKey::of)
                .toList();
        ResyncVerticle resync = new ResyncVerticle(
                controller.name(), controller.resync().get(), keys, key -> verticle.request(key, Reason.RESYNC), guard);
        return vertx.deployVerticle(resync, new DeploymentOptions())
                .onSuccess(deployments::add)
                .mapEmpty();
    }

    /** Lets reconciles end for the grace period, then interrupts them; one that ignores that is left behind. */
    Future<Void> stop(Duration grace) {
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
