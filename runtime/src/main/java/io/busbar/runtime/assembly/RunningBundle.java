package io.busbar.runtime.assembly;

import io.busbar.admission.AdmissionRule;
import io.busbar.common.ResourceType;
import io.busbar.common.watch.JoinedWatches;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.OthersWrites;
import io.busbar.common.watch.WatchRequest;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.work.Controllers;
import io.busbar.reconciler.work.Controllers.Home;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.DeclaredBundle;
import io.busbar.runtime.bundle.Webhook;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.watcher.WatchGroup;
import io.busbar.watcher.WatchHandle;
import io.busbar.watcher.Watches;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One bundle on its way: its controllers are deployed, its watches acquired and synced, its rules made, its workers
 * begun.
 *
 * <p>Any thread; each step once, in the order in which they stand here.
 */
final class RunningBundle {

    private final BundleContext context;
    private final DeclaredBundle bundle;
    private final List<Controller<?>> declared;
    private final List<WatchRequest<?>> reads;
    private final Optional<Home> home;
    /** By the controller's name; the rules' own by an empty one. */
    private final Map<String, WatchGroup> groups = new ConcurrentHashMap<>();
    /** Those in other clusters: by the controller's name, then the cluster's. */
    private final Map<String, Map<String, WatchGroup>> elsewhere = new ConcurrentHashMap<>();

    /** The moment that what is watched in other clusters has to show before it is worked on; null for any. */
    private volatile @Nullable Long ledSince;

    private volatile Map<String, AdmissionRule> rules = Map.of();

    RunningBundle(BundleContext context, OperatorOptions options, DeclaredBundle bundle) {
        this(context, options, bundle, Optional.empty());
    }

    /** @param home of a guest */
    RunningBundle(BundleContext context, OperatorOptions options, DeclaredBundle bundle, Optional<Home> home) {
        this.context = context;
        this.home = home;
        this.bundle = bundle;
        this.declared = bundle.controllers();
        declared.forEach(
                controller -> controller.defaults(options.maxConcurrentReconciles(), options.resyncInterval()));
        this.reads = bundle.reads();
    }

    DeclaredBundle bundle() {
        return bundle;
    }

    List<Controller<?>> controllers() {
        return declared;
    }

    /** Of its event sources to which changes may be posted. */
    List<String> httpEvents() {
        return bundle.postedEvents();
    }

    /**
     * Requests to a controller that is not there yet would be lost, so that controllers come before their watches. On a
     * worker: what a controller is made of takes an event loop some hundred milliseconds where the processor is busy.
     */
    Future<Void> deploy(Controllers controllers) {
        return context.vertx()
                .executeBlocking(
                        () -> declared.stream()
                                .map(controller -> deploy(controller, controllers))
                                .toList(),
                        false)
                .compose(Future::join)
                .mapEmpty();
    }

    private Future<Void> deploy(Controller<?> controller, Controllers controllers) {
        Function<String, Listers> stores = cluster -> group(controller.name(), cluster);
        return home.map(own -> controllers.deploy(controller, stores, own))
                .orElseGet(() -> controllers.deploy(controller, stores));
    }

    /** All that it watches, before it is joined with what others do. */
    Stream<WatchRequest<?>> requests() {
        return Stream.concat(declared.stream().flatMap(controller -> requests(controller).stream()), reads.stream());
    }

    /** Webhooks are answered by all replicas: what their rules may read is kept by all. */
    private List<WatchRequest<?>> requests(Controller<?> controller) {
        boolean whole = bundle.webhooks().stream().anyMatch(Webhook::readsWatched);
        return whole
                ? controller.watchRequests().stream()
                        .<WatchRequest<?>>map(RunningBundle::whole)
                        .toList()
                : controller.watchRequests();
    }

    private static <T extends HasMetadata> WatchRequest<T> whole(WatchRequest<T> request) {
        return new WatchRequest<>(request.spec().wholeWatch(), request.indexes(), request.triggers());
    }

    /**
     * Acquires its watches.
     *
     * @param others those of other clusters: their objects are handed out once they are listed, and nobody waits for
     *     that
     * @return completes when all are synced that are of the operator's own cluster
     */
    Future<Void> watch(Watches watches, Map<String, Watches> others, JoinedWatches joined) {
        Map<String, List<WatchRequest<?>>> requests = new LinkedHashMap<>();
        List<WatchRequest<?>> rulesRead = new ArrayList<>(reads);
        for (Controller<?> controller : declared) {
            List<WatchRequest<?>> own = requests(controller);
            requests.put(controller.name(), in("", own));
            in("", own).forEach(request -> rulesRead.add(WatchRequest.readOnly(request.spec(), List.of())));
            others.forEach((cluster, its) -> acquire(its, joined, controller.name(), cluster, in(cluster, own)));
        }
        List<Future<Void>> synced = new ArrayList<>();
        requests.forEach((controller, own) -> synced.add(acquire(watches, joined, controller, own)));
        synced.add(acquire(watches, joined, "", rulesRead));
        return Future.all(synced).mapEmpty();
    }

    private static List<WatchRequest<?>> in(String cluster, List<WatchRequest<?>> requests) {
        return requests.stream()
                .filter(request -> request.spec().cluster().equals(cluster))
                .toList();
    }

    /** Makes the rules, whose listers prefer what this bundle itself watches; all that it watches is synced. */
    Future<Void> makeRules() {
        rules = bundle.rules(group(""));
        return context.vertx().executeBlocking(() -> {
            bundle.bundle().synced();
            return null;
        });
    }

    Map<String, AdmissionRule> rules() {
        return rules;
    }

    /**
     * Completes when all that its controllers read in the operator's own cluster shows what others have written. What
     * they read in other clusters has to as well, before they work there.
     */
    Future<Void> caughtUp(OthersWrites writes) {
        ledSince = writes.until();
        return Future.all(declared.stream()
                        .map(controller -> group(controller.name()).caughtUp(writes))
                        .toList())
                .mapEmpty();
    }

    /** Hands out keys; of other clusters, of each controller once all is listed that it watches there. */
    Future<Void> begin(Controllers controllers) {
        return controllers
                .start(declared.stream().map(Controller::name).toList())
                .onSuccess(begun -> elsewhere.forEach((controller, groups) -> groups.forEach((cluster, group) ->
                        current(group).onSuccess(listed -> controllers.start(List.of(controller), cluster)))));
    }

    private Future<Void> current(WatchGroup group) {
        Long moment = ledSince;
        return group.synced()
                .compose(listed ->
                        moment == null ? Future.succeededFuture() : group.caughtUp(OthersWrites.until(moment)));
    }

    /** What has not been listed yet. */
    List<ResourceType> unsynced() {
        return groups.values().stream()
                .flatMap(group -> group.handles().stream())
                .filter(handle -> !handle.lister().synced())
                .<Class<?>>map(WatchHandle::type)
                .distinct()
                .map(type -> ResourceType.of(type.asSubclass(HasMetadata.class)))
                .toList();
    }

    private Future<Void> acquire(Watches watches, JoinedWatches joined, String name, List<WatchRequest<?>> requests) {
        WatchGroup group = watches.acquire(
                requests.stream().<WatchRequest<?>>map(joined::join).toList());
        groups.put(name, group);
        return group.synced();
    }

    private void acquire(
            Watches watches, JoinedWatches joined, String controller, String cluster, List<WatchRequest<?>> requests) {
        if (!requests.isEmpty()) {
            elsewhere
                    .computeIfAbsent(controller, first -> new ConcurrentHashMap<>())
                    .put(
                            cluster,
                            watches.acquire(requests.stream()
                                    .<WatchRequest<?>>map(joined::join)
                                    .toList()));
        }
    }

    /** Where a controller writes without a look. */
    private record NoListers(String controller, String cluster) implements Listers {
        @Override
        public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
            throw new IllegalArgumentException("controller " + controller + " watches nothing in cluster " + cluster);
        }
    }

    private Listers group(String controller, String cluster) {
        if (cluster.isEmpty()) {
            return group(controller);
        }
        Listers own = elsewhere.getOrDefault(controller, Map.of()).get(cluster);
        return own == null ? new NoListers(controller, cluster) : own;
    }

    /** Its own watches: another controller's watch of the same type may keep other fields and indexes. */
    private WatchGroup group(String name) {
        return Objects.requireNonNull(groups.get(name), "the watches of " + name);
    }
}
