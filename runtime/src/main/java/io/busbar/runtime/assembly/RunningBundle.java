package io.busbar.runtime.assembly;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.conversion.Versions;
import io.busbar.common.ResourceType;
import io.busbar.common.watch.JoinedWatches;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.WatchRequest;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.source.EventSource;
import io.busbar.reconciler.source.MessageSource;
import io.busbar.reconciler.work.Controllers;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.DeclaredBundle;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One bundle on its way: its controllers are deployed, its watches acquired and synced, its rules made, its workers
 * begun.
 *
 * <p>Any thread; each step once, in the order in which they stand here.
 */
final class RunningBundle {

    private final BundleContext context;
    private final OperatorOptions options;
    private final DeclaredBundle bundle;
    private final List<Controller<?>> declared;
    private final List<WatchRequest<?>> reads;
    private final Map<String, WatchGroup> groups = new ConcurrentHashMap<>();
    private volatile Map<String, AdmissionRule> rules = Map.of();
    private volatile List<Versions<?>> conversions = List.of();

    RunningBundle(BundleContext context, OperatorOptions options, DeclaredBundle bundle) {
        this.context = context;
        this.options = options;
        this.bundle = bundle;
        this.declared = bundle.controllers();
        declared.forEach(
                controller -> controller.defaults(options.maxConcurrentReconciles(), options.resyncInterval()));
        this.reads = inScope(bundle.reads());
    }

    DeclaredBundle bundle() {
        return bundle;
    }

    List<Controller<?>> controllers() {
        return declared;
    }

    /** Of its event sources to which changes may be posted. */
    List<String> httpEvents() {
        return declared.stream()
                .flatMap(controller -> controller.sources().stream())
                .filter(source -> source instanceof MessageSource messages && messages.http())
                .map(EventSource::name)
                .distinct()
                .toList();
    }

    /** Requests to a controller that is not there yet would be lost, so that controllers come before their watches. */
    Future<Void> deploy(Controllers controllers) {
        List<Future<Void>> deployed = new ArrayList<>();
        for (Controller<?> controller : declared) {
            deployed.add(controllers.deploy(controller, () -> group(controller.name())));
        }
        return Future.join(deployed).mapEmpty();
    }

    /** All that it watches, before it is joined with what others do. */
    Stream<WatchRequest<?>> requests() {
        return Stream.concat(
                declared.stream().flatMap(controller -> inScope(controller.watchRequests()).stream()), reads.stream());
    }

    /**
     * Acquires its watches.
     *
     * @return completes when all are synced
     */
    Future<Void> watch(Watches watches, JoinedWatches joined) {
        Map<String, List<WatchRequest<?>>> requests = new LinkedHashMap<>();
        List<WatchRequest<?>> rulesRead = new ArrayList<>(reads);
        for (Controller<?> controller : declared) {
            List<WatchRequest<?>> own = inScope(controller.watchRequests());
            requests.put(controller.name(), own);
            own.forEach(request -> rulesRead.add(WatchRequest.readOnly(request.spec(), List.of())));
        }
        List<Future<Void>> synced = new ArrayList<>();
        requests.forEach((controller, own) -> synced.add(acquire(watches, joined, controller, own)));
        synced.add(acquire(watches, joined, "", rulesRead));
        return Future.all(synced).mapEmpty();
    }

    /** Makes the rules, whose listers prefer what this bundle itself watches; all that it watches is synced. */
    Future<Void> makeRules() {
        Listers listers = group("");
        rules = bundle.webhooks().stream()
                .collect(Collectors.toMap(webhook -> webhook.manifest().path(), webhook -> webhook.rule(listers)));
        conversions = bundle.bundle().conversions();
        return context.vertx().executeBlocking(() -> {
            bundle.bundle().synced();
            return null;
        });
    }

    Map<String, AdmissionRule> rules() {
        return rules;
    }

    List<Versions<?>> conversions() {
        return conversions;
    }

    /**
     * Completes when all that its controllers read shows what there was at a moment, or later.
     *
     * @param moment by {@link System#nanoTime()}
     */
    Future<Void> caughtUp(long moment) {
        return Future.all(declared.stream()
                        .map(controller -> group(controller.name()).caughtUp(moment))
                        .toList())
                .mapEmpty();
    }

    /** Hands out keys. */
    Future<Void> begin(Controllers controllers) {
        return controllers.start(declared.stream().map(Controller::name).toList());
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

    /** Its own watches: another controller's watch of the same type may keep other fields and indexes. */
    private WatchGroup group(String name) {
        return Objects.requireNonNull(groups.get(name), "the watches of " + name);
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
}
