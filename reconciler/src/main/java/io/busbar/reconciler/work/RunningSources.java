package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.ExternalChange;
import io.busbar.common.bus.Reason;
import io.busbar.common.bus.ReconcileRequest;
import io.busbar.common.guard.Guard;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.source.CallSource;
import io.busbar.reconciler.source.EventSource;
import io.busbar.reconciler.source.MessageSource;
import io.busbar.reconciler.source.TimerSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The event sources of a controller. Calls and messages are taken in from {@link #follow} on, and wait as requests of
 * watches do; timers and polls run from {@link #begin} on, where this replica leads.
 *
 * <p>Any thread.
 */
final class RunningSources<P extends HasMetadata> {

    private final Vertx vertx;
    private final Controller<P> controller;
    private final List<Cluster<P>> clusters;
    private final Addresses scope;
    private final Consumer<ReconcileRequest> queue;
    private final Predicate<ObjectKey> elsewhere;
    private final Guard guard;
    private final Queue<Supplier<Future<?>>> ends = new ConcurrentLinkedQueue<>();

    /**
     * @param clusters whose primaries are reconciled
     * @param queue takes requests on any thread
     * @param elsewhere whether another replica works on a primary: nothing is polled for it
     */
    RunningSources(
            Vertx vertx,
            Controller<P> controller,
            List<Cluster<P>> clusters,
            Addresses scope,
            Consumer<ReconcileRequest> queue,
            Predicate<ObjectKey> elsewhere,
            Guard guard) {
        this.vertx = vertx;
        this.controller = controller;
        this.clusters = clusters;
        this.scope = scope;
        this.queue = queue;
        this.elsewhere = elsewhere;
        this.guard = guard;
    }

    Future<Void> follow() {
        List<Future<?>> following = new ArrayList<>();
        for (EventSource<? super P> source : controller.sources()) {
            if (source instanceof CallSource calls) {
                Runnable end = calls.attach(key -> request(source, Reason.CHANGE, key, ""));
                ends.add(() -> {
                    end.run();
                    return Future.succeededFuture();
                });
            } else if (source instanceof MessageSource messages) {
                following.add(follow(messages));
            }
        }
        return Future.all(following).mapEmpty();
    }

    private Future<Void> follow(MessageSource source) {
        MessageConsumer<ExternalChange> consumer = vertx.eventBus()
                .consumer(
                        source.address(),
                        message -> guard.run(() -> request(
                                source,
                                Reason.CHANGE,
                                message.body().key(),
                                message.body().traceparent())));
        ends.add(consumer::unregister);
        return consumer.completion();
    }

    private void request(EventSource<? super P> source, Reason reason, ObjectKey key, String traceparent) {
        queue.accept(new ReconcileRequest(key, reason, traceparent, Cause.from(source.name(), key)));
    }

    Future<Void> begin() {
        List<Future<?>> begun = new ArrayList<>();
        for (EventSource<? super P> source : controller.sources()) {
            if (source instanceof TimerSource timer) {
                begun.add(deploy(new TimerVerticle(
                        timer,
                        InstantSource.system(),
                        () -> clusters.stream()
                                .flatMap(Cluster::primaries)
                                .forEach(key -> request(timer, Reason.RESYNC, key, "")),
                        guard)));
            }
        }
        clusters.forEach(cluster -> cluster.pollers().all().forEach(poller -> begun.add(begin(cluster, poller))));
        return Future.all(begun).mapEmpty();
    }

    private Future<Void> begin(Cluster<P> cluster, Poller<P, ?, ?> poller) {
        String name = controller.name() + "-" + poller.source().name();
        WorkerExecutor threads = vertx.createSharedWorkerExecutor(
                scope.in(cluster.name()).threads("poll-" + name),
                poller.source().atOnce(),
                1,
                TimeUnit.MINUTES);
        ends.add(threads::close);
        Set<ObjectKey> underWay = ConcurrentHashMap.newKeySet();
        Callable<List<ObjectKey>> keys = () -> {
            List<ObjectKey> primaries = cluster.primaries()
                    .filter(elsewhere.negate())
                    .map(ObjectKey::local)
                    .toList();
            poller.retain(Set.copyOf(primaries));
            return primaries;
        };
        Consumer<ObjectKey> due = key -> {
            if (underWay.add(key)) {
                threads.executeBlocking(() -> guard.run(() -> poll(cluster, poller, key)), false)
                        .onComplete(done -> underWay.remove(key));
            }
        };
        return deploy(new ResyncVerticle(name, poller.source().interval(), keys, due, guard));
    }

    private void poll(Cluster<P> cluster, Poller<P, ?, ?> poller, ObjectKey key) {
        cluster.primary(key)
                .ifPresentOrElse(
                        primary -> {
                            if (poller.poll(primary)) {
                                request(poller.source(), Reason.CHANGE, key.in(cluster.name()), "");
                            }
                        },
                        () -> poller.forget(key));
    }

    private Future<Void> deploy(VerticleBase verticle) {
        return vertx.deployVerticle(verticle, new DeploymentOptions())
                .onSuccess(id -> ends.add(() -> vertx.undeploy(id)))
                .mapEmpty();
    }

    /** Nothing comes of them any more. */
    Future<Void> stop() {
        List<Future<?>> ended = new ArrayList<>();
        for (Supplier<Future<?>> end = ends.poll(); end != null; end = ends.poll()) {
            ended.add(end.get());
        }
        return Future.join(ended).mapEmpty();
    }
}
