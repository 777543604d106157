package io.busbar.runtime.assembly;

import io.busbar.admission.server.ReviewLog;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.Addresses;
import io.busbar.common.watch.JoinedWatches;
import io.busbar.common.watch.OthersWrites;
import io.busbar.reconciler.storage.StorageMigration;
import io.busbar.reconciler.storage.StorageMigration.Pace;
import io.busbar.reconciler.work.Controllers;
import io.busbar.reconciler.work.WorkerThreads;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.DeclaredBundle;
import io.busbar.runtime.client.ApiClients;
import io.busbar.runtime.live.LivePage;
import io.busbar.runtime.live.LiveSources;
import io.busbar.runtime.management.ManagementServer;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.process.Program;
import io.busbar.watcher.WatchStatus;
import io.busbar.watcher.Watches;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs bundles against a cluster, and what they want of others.
 *
 * <p>Any thread; {@link #start} and {@link #stop} once each. An API server that is away is waited for. Each bundle goes
 * its own way: one whose kinds are not installed, or cannot be listed, holds up no other, and runs once they are.
 * Another cluster than the operator's own holds up nobody either: its objects are reconciled once they are listed.
 */
public final class Operator {

    private static final Logger log = LoggerFactory.getLogger(Operator.class);
    private static final Duration SERVE_AGAIN = Duration.ofSeconds(10);

    /** For what the live page shows of reconciles that have ended: bytes, of all controllers together. */
    private static final int ROOM_OF_PASTS = 1_500_000;

    /** For the live page. */
    private static final int MOST_REVIEWS = 200;

    private final Vertx vertx;
    private final OperatorOptions options;
    private final KubernetesClient client;
    private final MeterRegistry meters;
    private final InstalledKinds installed;
    private final VertxScope scope;
    private final BundleContext context;
    private final List<DeclaredBundle> bundles;
    private final Watches watches;
    /** Of other clusters, by name. */
    private final Map<String, Watches> elsewhere = new TreeMap<>();
    /** Of bundles that work with the rights of an account. */
    private final Map<DeclaredBundle, OwnRights> ownRights = new LinkedHashMap<>();

    /** What the first bundles watch together, which later ones join where they can. */
    private volatile JoinedWatches joined = JoinedWatches.of(List.of());
    /** Bundles on their way. */
    private final Set<Future<Void>> underWay = ConcurrentHashMap.newKeySet();

    /** Those that work, or are about to as soon as this replica may. */
    private final List<RunningBundle> begun = new CopyOnWriteArrayList<>();

    private final Controllers controllers;
    private final WatchedNamespaces namespaces;
    private final GuestBundles guests;
    private final WebhookServing webhooks;
    private final Readiness readiness;
    private final Leadership leadership;
    private final ManagementServer management;
    private final LivePage live;
    /** 0 where there is none. */
    private volatile int livePort;

    private final Promise<Void> stopping = Promise.promise();
    private volatile Future<Void> started = Future.succeededFuture();

    /**
     * Other operators may run in the same Vert.x, each with a registry of metrics of its own.
     *
     * @param environment what it runs with; stays the caller's to close
     * @param bundles each of them runs once its kinds are installed; those that are missing are warned of if the
     *     options name any
     */
    public Operator(OperatorEnvironment environment, OperatorOptions options, List<Bundle> bundles) {
        this.vertx = environment.vertx();
        this.options = options;
        this.client = environment.client();
        this.meters = environment.meters();
        this.scope = VertxScope.take(vertx);
        Addresses addresses = scope.addresses();
        this.leadership = new Leadership(environment, options.leaderElection(), options.shards());
        this.installed = new InstalledKinds(vertx, client, environment.meters());
        this.watches = new Watches(vertx, environment.client(), environment.meters(), environment.tracing(), addresses);
        environment
                .clusters()
                .forEach((name, other) -> elsewhere.put(
                        name,
                        new Watches(vertx, other, environment.meters(), environment.tracing(), addresses.in(name))));
        this.controllers = new Controllers(
                vertx,
                leadership.writer(),
                watches,
                environment.meters(),
                environment.tracing(),
                addresses,
                options.virtualThreads() ? WorkerThreads.VIRTUAL : WorkerThreads.PLATFORM,
                environment.instance());
        leadership.writers().forEach(controllers::join);
        controllers.share(leadership.sharding());
        Map<String, Watches> all = new HashMap<>(elsewhere);
        all.put("", watches);
        this.namespaces = new WatchedNamespaces(controllers, all, options.watchNamespaces());
        this.guests = new GuestBundles(
                environment,
                options,
                addresses,
                leadership,
                controllers,
                namespaces,
                these -> BundleContext.running(
                        options.namespace(),
                        options.inCluster(),
                        vertx,
                        environment.meters(),
                        addresses,
                        environment.clusters().keySet(),
                        this::watchNamespaces,
                        leadership.permit(),
                        these));
        this.context = guests.context();
        this.bundles = declared(bundles);
        for (DeclaredBundle bundle : this.bundles) {
            bundle.account().ifPresent(account -> {
                OwnRights own = OwnRights.of(
                        environment, leadership, addresses, bundle.bundle().name(), account);
                namespaces.add(own.watches());
                ownRights.put(bundle, own);
            });
        }
        if (options.live().address().enabled()) {
            int number = this.bundles.stream()
                    .mapToInt(bundle -> bundle.controllers().size())
                    .sum();
            controllers.keepInMind(ROOM_OF_PASTS / Math.max(1, number));
        }
        leadership.share(this::keepOwners, this::caughtUp, controllers::gained);
        if (leadership.shares()) {
            long unused = keepOwners(owner -> false, false);
        }
        ReviewLog reviews = options.live().address().enabled() ? ReviewLog.ofLast(MOST_REVIEWS) : ReviewLog.off();
        this.webhooks = new WebhookServing(environment, scope, options, reviews, leadership::mayRegister);
        this.readiness = new Readiness(
                this.bundles, installed, this::statuses, elsewhere, webhooks, options.maxWatchStaleness());
        Program program = new Program(environment.name(), environment.version(), Instant.now(), options.flags());
        this.management = new ManagementServer(vertx, environment.client(), environment.meters(), addresses, program);
        this.live = new LivePage(
                vertx,
                new LiveSources(
                        program,
                        environment.instance(),
                        leadership::role,
                        leadership::shards,
                        readiness::remarks,
                        () -> namespaces
                                .all()
                                .flatMap(one -> one.statuses().stream())
                                .toList(),
                        controllers,
                        reviews,
                        webhooks::certificateExpiry));
    }

    /**
     * Completes once all runs whose kinds are installed: caches are synced, webhooks answer and are registered, workers
     * reconcile; where a leader is elected, they may do so later, and until then this replica stands by. Health is
     * served from the beginning, and what can run does not wait for this.
     *
     * @return fails when a port is taken, or there is no certificate, or it is stopped meanwhile
     */
    public Future<Void> start() {
        Promise<Void> ended = Promise.promise();
        started = ended.future();
        management.readyWhen("running", () -> check(stopping.future().isComplete() ? "the operator stops" : null));
        management.readyWhen("leadership", () -> check(leadership.lost().isComplete() ? "lost" : null));
        management.readyWhen("caches", () -> check(readiness.unsynced()));
        management.readyWhen("watches", readiness::stale);
        management.readyWhen("webhooks", webhooks::problem);
        if (options.shards().isPresent()) {
            management.events().only(controllers::worksOn);
        }
        management.remark("kinds", readiness::lateKinds);
        management.remark("storage", readiness::storage);
        leadership.led().onSuccess(leading -> webhooks.leads());
        if (!elsewhere.isEmpty()) {
            management.remark("clusters", readiness::otherClusters);
        }
        // Meanwhile: to connect to the API server takes a while.
        Future<List<DeclaredBundle>> found =
                ApiClients.connect(vertx, client).compose(connected -> installed.of(bundles));
        takePorts()
                .compose(free -> management.start(options.metrics(), options.probes()))
                .compose(listening -> serveLive())
                .compose(listening -> unlessStopped(found))
                .compose(this::startInstalled)
                .compose(running -> unlessStopped(Future.<Void>succeededFuture()))
                .onSuccess(runs -> log.atInfo().log("the operator runs"))
                .onComplete(ended);
        return ended.future();
    }

    private Future<Void> serveLive() {
        if (!options.live().address().enabled()) {
            return Future.succeededFuture();
        }
        return management.serve(live, options.live(), options.metrics()).compose(port -> {
            livePort = port;
            return Future.succeededFuture();
        });
    }

    /** Where the live page is served; empty where it is not. */
    public OptionalInt livePort() {
        return livePort == 0 ? OptionalInt.empty() : OptionalInt.of(livePort);
    }

    private List<DeclaredBundle> declared(List<Bundle> all) {
        try {
            scope.take(meters);
            return all.stream()
                    .map(bundle -> DeclaredBundle.of(bundle, context))
                    .toList();
        } catch (RuntimeException | Error wrong) { // nobody will stop what was never made
            scope.release();
            throw wrong;
        }
    }

    private Future<Void> takePorts() {
        try {
            scope.take(options.metrics().address());
            scope.take(options.probes());
            scope.take(options.live().address());
            return Future.succeededFuture();
        } catch (IOException taken) {
            return Future.failedFuture(taken);
        }
    }

    /** What may take long is not waited for any more once this is to stop. */
    private <T> Future<T> unlessStopped(Future<T> awaited) {
        Promise<T> promise = Promise.promise();
        stopping.future().onComplete(stops -> promise.tryFail("stopped before it ran"));
        awaited.onComplete(promise::tryComplete, promise::tryFail);
        return promise.future();
    }

    /**
     * Not ready first. Where replicas share the work, this one gives away what is its own, and works on what it still
     * has: the others get half of the grace period to be ready. Then reconciles in flight end, within the grace period,
     * then reviews, which those may ask for, and of which more may come until the delay is over, and all that runs is
     * closed. A step of the start that is under way ends before: what is half there can't be closed.
     */
    public Future<Void> stop() {
        stopping.tryComplete();
        installed.stop();
        guests.stop();
        long begun = System.nanoTime();
        Future<Void> left = leadership.leave(grace().dividedBy(2));
        readiness.migrations().forEach(StorageMigration::stop);
        log.atInfo().log("the operator stops");
        Future<Void> delayed = shutdownDelay();
        return started.transform(ended -> Future.join(List.copyOf(underWay)))
                .transform(ended -> left)
                .transform(ended -> controllers.stop(grace().minusNanos(System.nanoTime() - begun)))
                .eventually(leadership::release)
                .eventually(() -> delayed)
                .eventually(webhooks::stop)
                .eventually(guests::close)
                .eventually(watches::close)
                .eventually(() -> Future.join(
                        ownRights.values().stream().map(OwnRights::close).toList()))
                .eventually(() -> Future.join(
                        elsewhere.values().stream().map(Watches::close).toList()))
                .eventually(management::stop)
                .onComplete(ended -> scope.release())
                .onSuccess(stopped -> log.atInfo().log("the operator has stopped"));
    }

    /** Who is to be replaced may still be asked for a while: a Service knows of it later than the process itself. */
    private Future<Void> shutdownDelay() {
        Duration delay = options.shutdownDelay();
        return delay.isZero() || leadership.lost().isComplete() || !webhooks.announceEnd()
                ? Future.succeededFuture()
                : vertx.timer(Math.max(1, delay.toMillis())).mapEmpty();
    }

    /** What is in flight may not write any more after leadership was lost, so that nobody waits for it. */
    private Duration grace() {
        return leadership.lost().isComplete() ? Duration.ZERO : options.gracefulShutdownTimeout();
    }

    /**
     * Fails, with the reason, when this replica has lost its leadership: it has to be stopped, and may not be started
     * again.
     */
    public Future<Void> lost() {
        return leadership.lost();
    }

    /**
     * Changes the namespaces that are watched, in all clusters, by all watches that name none: what is in one that is
     * added is listed, and reconciled once all of it is there; what is in one that is left is forgotten, as if it had
     * never been seen. It is not cleaned up, and keeps its finalizers. For after the start.
     *
     * @param names empty for all
     * @return completes when what is in them is listed, which may be never while an API server is away; fails when they
     *     are changed again before that
     */
    public Future<Void> watchNamespaces(Set<String> names) {
        return namespaces.change(names);
    }

    /** The ports of health and metrics. */
    public ManagementServer management() {
        return management;
    }

    private Future<Void> startInstalled(List<DeclaredBundle> found) {
        bundles.forEach(bundle -> account(bundle, found.contains(bundle)));
        List<RunningBundle> running = found.stream().map(this::running).toList();
        Controllers.check(
                running.stream().flatMap(one -> one.controllers().stream()).toList());
        joined = JoinedWatches.of(running.stream()
                .filter(one -> !ownRights.containsKey(one.bundle()))
                .flatMap(RunningBundle::requests)
                .toList());
        readiness.starts(running);
        installed.await(bundles.stream().filter(readiness::isMissing).toList(), this::startLate);
        return webhooks.start(bundles, found)
                .compose(listening -> Future.join(
                        running.stream().map(one -> one.deploy(controllers)).toList()))
                .compose(deployed ->
                        Future.all(running.stream().map(this::startFound).toList()))
                .mapEmpty();
    }

    /** Nobody waits for one with an account of its own, which may be given its rights later. */
    private Future<Void> startFound(RunningBundle one) {
        Future<Void> attempt = tracked(finish(one, () -> serve(one)));
        if (!ownRights.containsKey(one.bundle())) {
            return attempt;
        }
        attempt.onFailure(failure -> cannotRun(one.bundle(), failure));
        return Future.succeededFuture();
    }

    private void cannotRun(DeclaredBundle bundle, Throwable failure) {
        log.atLevel(stopping.future().isComplete() ? Level.DEBUG : Level.ERROR)
                .addKeyValue("kinds", InstalledKinds.names(bundle))
                .addKeyValue("reason", failure.toString())
                .log("cannot run");
    }

    /** Tells people of a bundle that waits for its kinds: loudly where they have asked for it by name. */
    private void account(DeclaredBundle bundle, boolean there) {
        List<String> kinds = InstalledKinds.names(bundle);
        Gauge.builder("busbar.operator.installed", () -> readiness.isMissing(bundle) ? 0 : 1)
                .description("Whether an operator's kinds are installed: 1, or 0 while it waits for them.")
                .tag("kind", kinds.stream().findFirst().orElse(bundle.bundle().name()))
                .register(meters);
        if (!there) {
            readiness.missing(bundle);
            log.atLevel(options.operators().isEmpty() ? Level.INFO : Level.WARN)
                    .addKeyValue("kinds", kinds)
                    .log("not installed: runs once its CRDs are");
        }
    }

    /** Whoever is installed later holds up nobody, and nobody waits for it. */
    private void startLate(DeclaredBundle bundle) {
        log.atInfo().addKeyValue("kinds", InstalledKinds.names(bundle)).log("installed now: starts");
        readiness.late(bundle);
        RunningBundle one = running(bundle);
        Future<Void> attempt = tracked(untilServed(bundle, () -> webhooks.installed(bundle))
                .compose(converting -> one.deploy(controllers))
                .compose(deployed -> finish(one, () -> untilServed(bundle, () -> serve(one)))));
        attempt.onSuccess(runs -> readiness.caughtUp(bundle)).onFailure(failure -> cannotRun(bundle, failure));
    }

    private RunningBundle running(DeclaredBundle bundle) {
        return new RunningBundle(
                context,
                options,
                bundle,
                Optional.ofNullable(ownRights.get(bundle)).map(OwnRights::home));
    }

    private Future<Void> watch(RunningBundle one) {
        OwnRights own = ownRights.get(one.bundle());
        return own == null
                ? one.watch(watches, elsewhere, joined)
                : one.watch(own.watches(), Map.of(), JoinedWatches.of(List.of()));
    }

    /** Of the operator's own cluster. */
    private List<WatchStatus> statuses() {
        return Stream.concat(Stream.of(watches), ownRights.values().stream().map(OwnRights::watches))
                .flatMap(one -> one.statuses().stream())
                .toList();
    }

    private long keepOwners(Predicate<String> owners, boolean more) {
        long moment = watches.keepOwners(owners, more);
        for (OwnRights own : ownRights.values()) {
            moment = own.watches().keepOwners(owners, more);
        }
        return moment;
    }

    private Future<Void> tracked(Future<Void> attempt) {
        underWay.add(attempt);
        return attempt.onComplete(ended -> underWay.remove(attempt));
    }

    private Future<Void> finish(RunningBundle one, Supplier<Future<Void>> served) {
        declareEvents(one.httpEvents());
        return unlessStopped(watch(one))
                .compose(listed -> one.makeRules())
                .compose(rules -> unlessStopped(served.get()))
                .compose(serving -> {
                    begun.add(one);
                    return leadership.whenLeading(one::caughtUp, () -> begin(one));
                });
    }

    private Future<Void> caughtUp(OthersWrites writes) {
        return Future.all(begun.stream().map(one -> one.caughtUp(writes)).toList())
                .mapEmpty();
    }

    private Future<Void> begin(RunningBundle one) {
        return one.begin(controllers).onSuccess(begun -> {
            management.events().open(one.httpEvents());
            one.bundle().conversions().forEach(versions -> migrate(versions.resource()));
        });
    }

    private void migrate(ResourceType kind) {
        leadership.alone(() -> {
            StorageMigration migration = new StorageMigration(
                    vertx,
                    leadership.writer(),
                    kind.toString(),
                    controllers.recorder("storage-migration"),
                    meters,
                    Pace.gentle());
            readiness.migrates(migration);
            migration.start();
            return () -> {
                migration.stop();
                readiness.migrated(migration);
            };
        });
    }

    private void declareEvents(List<String> addresses) {
        management.events().declare(addresses);
        if (!addresses.isEmpty()
                && !(options.metrics().secure() && options.metrics().address().enabled())) {
            log.atWarn()
                    .addKeyValue("sources", addresses)
                    .log("no events are taken over HTTP: that needs metrics that are served securely");
        }
    }

    private Future<Void> serve(RunningBundle one) {
        return webhooks.serve(one.bundle(), one.rules());
    }

    /** Where the server starts with a late bundle, what it lacks may still come, such as a certificate. */
    private Future<Void> untilServed(DeclaredBundle bundle, Supplier<Future<Void>> attempt) {
        return attempt.get().recover(failure -> {
            if (stopping.future().isComplete()) {
                return Future.failedFuture(failure);
            }
            log.atWarn()
                    .addKeyValue("kinds", InstalledKinds.names(bundle))
                    .addKeyValue("reason", failure.toString())
                    .log("its webhooks can't be served yet; it is tried again");
            return vertx.timer(SERVE_AGAIN.toMillis()).compose(later -> untilServed(bundle, attempt));
        });
    }

    private static Future<Optional<String>> check(@Nullable String problem) {
        return Future.succeededFuture(Optional.ofNullable(problem));
    }
}
