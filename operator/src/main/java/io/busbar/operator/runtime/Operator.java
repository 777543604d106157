package io.busbar.operator.runtime;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.conversion.Versions;
import io.busbar.common.bus.BusCodec;
import io.busbar.common.watch.JoinedWatches;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.WatchRequest;
import io.busbar.operator.management.ManagementServer;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.work.Controllers;
import io.busbar.reconciler.work.WorkerThreads;
import io.busbar.watcher.WatchGroup;
import io.busbar.watcher.Watches;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs bundles against one cluster.
 *
 * <p>Any thread; {@link #start} and {@link #stop} once each. An API server that is away, or lacks a kind, is waited for.
 */
public final class Operator {

    private static final Logger log = LoggerFactory.getLogger(Operator.class);

    private final Vertx vertx;
    private final OperatorOptions options;
    private final KubernetesClient client;
    private final InstalledKinds installed;
    private volatile List<Bundle> bundles;
    private volatile List<Controller<?>> declared = List.of();
    private final Watches watches;
    private final Map<String, WatchGroup> groups = new ConcurrentHashMap<>();
    private final Controllers controllers;
    private final WebhookServing webhooks;
    private final Leadership leadership;
    private final ManagementServer management;
    private final Promise<Void> stopping = Promise.promise();
    private volatile Future<Void> started = Future.succeededFuture();

    /**
     * @param environment what it runs with; stays the caller's to close
     * @param bundles all of them run if the options name any; else those whose kinds are installed at the start
     */
    public Operator(OperatorEnvironment environment, OperatorOptions options, List<Bundle> bundles) {
        this.vertx = environment.vertx();
        this.options = options;
        this.bundles = List.copyOf(bundles);
        this.client = environment.client();
        this.installed = new InstalledKinds(vertx, client);
        this.watches = new Watches(vertx, environment.client(), environment.meters(), environment.tracing());
        this.leadership = new Leadership(environment, options.leaderElection());
        this.controllers = new Controllers(
                vertx,
                leadership.writer(),
                watches,
                environment.meters(),
                environment.tracing(),
                options.virtualThreads() ? WorkerThreads.VIRTUAL : WorkerThreads.PLATFORM,
                environment.instance());
        this.webhooks = new WebhookServing(environment, options);
        this.management = new ManagementServer(vertx, environment.client(), environment.meters());
    }

    /**
     * Completes once everything runs: caches are synced, webhooks answer and are registered, workers reconcile; where a leader is
     * elected, they may do so later, and until then this replica stands by. Health is served from the beginning.
     *
     * @return fails when a port is taken, or there is no certificate, or it is stopped meanwhile
     */
    public Future<Void> start() {
        BusCodec.registerAll(vertx.eventBus());
        Promise<Void> ended = Promise.promise();
        started = ended.future();
        management.readyWhen("running", () -> check(stopping.future().isComplete() ? "the operator stops" : null));
        management.readyWhen("leadership", () -> check(leadership.lost().isComplete() ? "lost" : null));
        management.readyWhen("caches", () -> check(unsynced()));
        management.readyWhen("watches", () -> check(stale()));
        management.readyWhen("webhooks", webhooks::problem);
        // Meanwhile: to connect to the API server takes a while.
        Future<Void> chosen = ApiClients.connect(vertx, client).compose(connected -> chooseBundles());
        management
                .start(options.metrics(), options.probes())
                .compose(listening -> unlessStopped(chosen))
                .compose(running -> deployControllers())
                .compose(deployed -> unlessStopped(watch()))
                .compose(synced -> serve())
                .compose(serving -> unlessStopped(Future.succeededFuture()))
                .compose(wanted -> leadership.whenLeading(controllers::start))
                .onSuccess(runs -> log.atInfo().log("the operator runs"))
                .onComplete(ended);
        return ended.future();
    }

    /** What may take long is not waited for any more once this is to stop. */
    private Future<Void> unlessStopped(Future<Void> awaited) {
        Promise<Void> first = Promise.promise();
        stopping.future().onComplete(stops -> first.tryFail("stopped before it ran"));
        awaited.onComplete(done -> first.tryComplete(), first::tryFail);
        return first.future();
    }

    /**
     * Not ready first; then reviews and reconciles in flight end, within the grace period, and all that runs is closed. A step of the
     * start that is under way ends before: what is half there can't be closed.
     */
    public Future<Void> stop() {
        stopping.tryComplete();
        installed.stop();
        log.atInfo().log("the operator stops");
        return started.transform(ended -> webhooks.stop())
                .eventually(() -> controllers.stop(grace()))
                .eventually(leadership::release)
                .eventually(watches::close)
                .eventually(management::stop)
                .onSuccess(stopped -> log.atInfo().log("the operator has stopped"));
    }

    /** What is in flight may not write any more after leadership was lost, so that nobody waits for it. */
    private Duration grace() {
        return leadership.lost().isComplete() ? Duration.ZERO : options.gracefulShutdownTimeout();
    }

    /** Fails, with the reason, when this replica has lost its leadership: it has to be stopped, and may not be started again. */
    public Future<Void> lost() {
        return leadership.lost();
    }

    /** The ports of health and metrics. */
    public ManagementServer management() {
        return management;
    }

    private Future<Void> chooseBundles() {
        return bundlesToRun()
                .onSuccess(running -> {
                    bundles = running;
                    declared = running.stream()
                            .<Controller<?>>flatMap(bundle -> bundle.controllers().stream())
                            .<Controller<?>>map(this::asChosen)
                            .toList();
                })
                .mapEmpty();
    }

    private Future<List<Bundle>> bundlesToRun() {
        return options.operators().isEmpty() ? installed.of(bundles) : Future.succeededFuture(bundles);
    }

    /** What the options say of every controller. */
    private Controller<?> asChosen(Controller<?> controller) {
        controller.workers(options.maxConcurrentReconciles());
        if (!options.resyncInterval().isZero()) {
            controller.resync(options.resyncInterval());
        }
        return controller;
    }

    /** Requests to a controller that is not there yet would be lost, so that controllers come before their watches. */
    private Future<Void> deployControllers() {
        List<Future<Void>> deployed = new ArrayList<>();
        for (Controller<?> controller : declared) {
            deployed.add(controllers.deploy(controller, () -> listers(controller)));
        }
        return Future.join(deployed).mapEmpty();
    }

    /** Its own watches: another controller's watch of the same type may keep other fields and indexes. */
    private Listers listers(Controller<?> controller) {
        return Objects.requireNonNull(groups.get(controller.name()), "the watches of " + controller.name());
    }

    private Future<Void> watch() {
        Map<Controller<?>, List<WatchRequest<?>>> ofControllers = new LinkedHashMap<>();
        declared.forEach(controller -> ofControllers.put(controller, inScope(controller.watchRequests())));
        List<List<WatchRequest<?>>> ofBundles =
                bundles.stream().map(bundle -> inScope(bundle.reads())).toList();
        JoinedWatches joined = JoinedWatches.of(Stream.concat(ofControllers.values().stream(), ofBundles.stream())
                .flatMap(List::stream)
                .toList());
        List<Future<Void>> synced = new ArrayList<>();
        ofControllers.forEach((controller, requests) -> {
            WatchGroup group = acquire(requests, joined);
            groups.put(controller.name(), group);
            synced.add(group.synced());
        });
        ofBundles.forEach(requests -> synced.add(acquire(requests, joined).synced()));
        return Future.all(synced).mapEmpty();
    }

    private WatchGroup acquire(List<WatchRequest<?>> requests, JoinedWatches joined) {
        return watches.acquire(
                requests.stream().<WatchRequest<?>>map(joined::join).toList());
    }

    private List<WatchRequest<?>> inScope(List<WatchRequest<?>> requests) {
        return requests.stream().<WatchRequest<?>>map(this::inScope).toList();
    }

    /** A request that names no namespaces is for those that the user wants to be watched. */
    private <T extends HasMetadata> WatchRequest<T> inScope(WatchRequest<T> request) {
        boolean open = request.spec().resource().namespaced()
                && request.spec().namespaces().isEmpty();
        return open
                ? new WatchRequest<>(
                        request.spec().inNamespaces(options.watchNamespaces()), request.indexes(), request.triggers())
                : request;
    }

    private Future<Void> serve() {
        Map<String, AdmissionRule> rules = new HashMap<>();
        for (Bundle bundle : bundles) {
            rules.putAll(bundle.webhooks(watches, vertx.eventBus()));
        }
        return vertx.executeBlocking(() -> {
                    bundles.forEach(Bundle::synced);
                    return null;
                })
                .compose(ready -> webhooks.start(
                        rules,
                        Conversions.of(bundles.stream()
                                .<Versions<?>>flatMap(bundle -> bundle.conversions().stream())
                                .toList()),
                        bundles.stream()
                                .flatMap(bundle -> bundle.part().webhooks().stream())
                                .toList()));
    }

    private @Nullable String unsynced() {
        List<String> waiting = watches.statuses().stream()
                .filter(watch -> !watch.synced())
                .map(watch -> watch.resource().toString())
                .toList();
        return waiting.isEmpty() ? null : "not listed yet: " + String.join(", ", waiting);
    }

    /** A list of what was long ago is no basis for answers to the API server, nor for a leader's writes. */
    private @Nullable String stale() {
        Duration limit = options.maxWatchStaleness();
        List<String> stale = watches.statuses().stream()
                .filter(watch -> !limit.isZero() && watch.staleness().compareTo(limit) > 0)
                .map(watch -> watch.name() + " for " + watch.staleness().toSeconds() + " s")
                .toList();
        return stale.isEmpty() ? null : "no sign of life from the API server: " + String.join(", ", stale);
    }

    private static Future<Optional<String>> check(@Nullable String problem) {
        return Future.succeededFuture(Optional.ofNullable(problem));
    }
}
