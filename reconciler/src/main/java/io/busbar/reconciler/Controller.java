package io.busbar.reconciler;

import io.busbar.common.ResourceType;
import io.busbar.common.watch.Change;
import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.Trigger;
import io.busbar.common.watch.WatchRequest;
import io.busbar.common.watch.WatchSpec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Declares a controller: whose primaries it reconciles, what else it watches, and how.
 *
 * <pre>{@code
 * Controller.of(Memcached.class, new MemcachedReconciler())
 *         .owns(Deployment.class)
 *         .watches(Pod.class, KeyMapping.byLabel("app"))
 *         .when(ChangePredicate.generationChanged())
 *         .workers(4);
 * }</pre>
 *
 * <p>A builder, for one thread; read by whoever runs it once it is complete.
 */
public final class Controller<P extends HasMetadata> {

    private final Reconciler<P> reconciler;
    private final List<WatchRequest<?>> secondaries = new ArrayList<>();
    private final List<Index<P>> indexes = new ArrayList<>();
    private String name;
    private WatchSpec<P> primaries;
    private ChangePredicate<? super P> when = ChangePredicate.always();
    private int workers = 1;
    private Duration timeout = Duration.ofMinutes(2);
    private Backoff backoff = Backoff.standard();
    private RateLimit retryLimit = RateLimit.standard();
    private @Nullable Duration resync;
    private @Nullable String finalizer;

    private Controller(Class<P> type, Reconciler<P> reconciler) {
        this.reconciler = reconciler;
        this.primaries = WatchSpec.of(type);
        this.name = primaries.resource().kind().toLowerCase(Locale.ROOT);
    }

    /** A controller named as the kind in lower case, with one worker, 2 min for a reconcile, no finalizer, and no resync. */
    public static <P extends HasMetadata> Controller<P> of(Class<P> type, Reconciler<P> reconciler) {
        return new Controller<>(type, reconciler);
    }

    /** Stands in metrics, logs and addresses; unique in an operator. Call it before declaring watches. */
    public Controller<P> named(String unique) {
        if (!secondaries.isEmpty()) {
            throw new IllegalStateException(
                    "controller " + name + " was given the name " + unique + " after its watches");
        }
        name = unique;
        return this;
    }

    /** Narrows the watch of the primaries. */
    public Controller<P> primaries(WatchSpec<P> spec) {
        primaries = spec;
        return this;
    }

    /** A lookup of primaries. */
    public Controller<P> index(Index<P> index) {
        indexes.add(index);
        return this;
    }

    /** Which changes of a primary count; all, if not called. Its deletion, and being paused or resumed, always count. */
    public Controller<P> when(ChangePredicate<? super P> predicate) {
        when = predicate;
        return this;
    }

    /** Watches a type whose objects the primary controls. A watch that names fields gets their owner references as well. */
    public <T extends HasMetadata> Controller<P> owns(Class<T> type) {
        return owns(WatchSpec.of(type));
    }

    public <T extends HasMetadata> Controller<P> owns(WatchSpec<T> spec) {
        ResourceType owner = primaries.resource();
        return watches(
                keepingAlso(spec, "metadata.ownerReferences"),
                List.of(byControllerUid()),
                ChangePredicate.<T>always(),
                KeyMapping.controllerOwner(owner));
    }

    /** Watches any other type. */
    public <T extends HasMetadata> Controller<P> watches(Class<T> type, KeyMapping<? super T> mapping) {
        return watches(WatchSpec.of(type), List.of(), ChangePredicate.<T>always(), mapping);
    }

    public <T extends HasMetadata> Controller<P> watches(
            WatchSpec<T> spec,
            List<Index<T>> lookups,
            ChangePredicate<? super T> predicate,
            KeyMapping<? super T> mapping) {
        secondaries.add(new WatchRequest<>(spec, lookups, List.of(new Trigger<T>(name, predicate, mapping))));
        return this;
    }

    /** Watches a type only to read it. */
    public <T extends HasMetadata> Controller<P> reads(WatchSpec<T> spec, List<Index<T>> lookups) {
        secondaries.add(WatchRequest.readOnly(spec, lookups));
        return this;
    }

    /** How many reconciles run at once. */
    public Controller<P> workers(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("workers of controller " + name + ": " + count + ", allowed: 1 or more");
        }
        workers = count;
        return this;
    }

    /** After which a reconcile is interrupted and counts as failed. */
    public Controller<P> timeout(Duration limit) {
        timeout = limit;
        return this;
    }

    /** Every primary is reconciled once in each interval, changed or not, spread over it. */
    public Controller<P> resync(Duration interval) {
        resync = interval;
        return this;
    }

    /**
     * Kept on every primary, so that {@link Reconciler#cleanup} is called before one goes. Without it a primary that is being
     * deleted is left alone.
     */
    public Controller<P> finalizer(String qualifiedName) {
        finalizer = qualifiedName;
        return this;
    }

    /** For failures and requeues: how long each key waits. */
    public Controller<P> backoff(Backoff delays) {
        backoff = delays;
        return this;
    }

    /** For failures and requeues: how often over all keys. The longer of the two waits counts. */
    public Controller<P> retryLimit(RateLimit limit) {
        retryLimit = limit;
        return this;
    }

    public String name() {
        return name;
    }

    /**
     * All that has to be watched for this controller, the primaries first. Where their watch names fields, it gets those that
     * the engine needs as well: finalizers and annotations.
     */
    public List<WatchRequest<?>> watchRequests() {
        List<WatchRequest<?>> all = new ArrayList<>();
        WatchSpec<P> whole = keepingAlso(primaries, "metadata.annotations", "metadata.finalizers");
        ChangePredicate<P> counts =
                ChangePredicate.either(when, ChangePredicate.ofMetadata(Controller::concernsEngine));
        all.add(new WatchRequest<P>(whole, indexes, List.of(new Trigger<P>(name, counts, KeyMapping.self()))));
        all.addAll(secondaries);
        return List.copyOf(all);
    }

    public Reconciler<P> reconciler() {
        return reconciler;
    }

    public Class<P> type() {
        return primaries.type();
    }

    public int workers() {
        return workers;
    }

    public Duration timeout() {
        return timeout;
    }

    public Backoff backoff() {
        return backoff;
    }

    public RateLimit retryLimit() {
        return retryLimit;
    }

    public Optional<Duration> resync() {
        return Optional.ofNullable(resync);
    }

    public Optional<String> finalizer() {
        return Optional.ofNullable(finalizer);
    }

    /** Files objects under the uid of the owner that controls them: the index that {@link #owns} declares. */
    public static <T extends HasMetadata> Index<T> byControllerUid() {
        return Index.ofMetadata(
                "busbar.controllerUid",
                object -> object.getMetadata().getOwnerReferences().stream()
                        .filter(reference -> Boolean.TRUE.equals(reference.getController()))
                        .map(OwnerReference::getUid)
                        .toList());
    }

    private static boolean concernsEngine(Change<? extends HasMetadata> change) {
        HasMetadata before = change.before();
        HasMetadata after = change.after();
        return before != null
                && after != null
                && (before.isMarkedForDeletion() != after.isMarkedForDeletion() || isPaused(before) != isPaused(after));
    }

    /** Whether a primary is not to be reconciled for now: by the annotation {@code busbar.io/paused: "true"}. */
    public static boolean isPaused(HasMetadata primary) {
        Map<String, String> annotations = primary.getMetadata().getAnnotations();
        return annotations != null && "true".equals(annotations.get("busbar.io/paused"));
    }

    private static <T extends HasMetadata> WatchSpec<T> keepingAlso(WatchSpec<T> spec, String... paths) {
        if (spec.fields().isEmpty()) {
            return spec;
        }
        Set<String> all = new TreeSet<>(spec.fields());
        all.addAll(List.of(paths));
        return spec.keeping(all.toArray(String[]::new));
    }
}
