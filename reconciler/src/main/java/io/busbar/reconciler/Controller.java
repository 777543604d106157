package io.busbar.reconciler;

import io.busbar.common.MetadataKey;
import io.busbar.common.ResourceType;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.watch.Change;
import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.Trigger;
import io.busbar.common.watch.WatchRequest;
import io.busbar.common.watch.WatchSpec;
import io.busbar.reconciler.source.EventSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Declares a controller: whose primaries it reconciles, what else it watches, and how.
 *
 * <pre>{@code
 * Controller.of(Memcached.class, new MemcachedReconciler())
 *         .owns(Deployment.class)
 *         .watches(Pod.class, KeyMapping.byLabel("app"))
 *         .workers(4);
 * }</pre>
 *
 * <p>A builder, for one thread; read by whoever runs it once it is complete. The order of calls does not matter, but
 * that of several watches of one type: reads are of the first. Nothing throws here: what is declared wrongly is said by
 * {@link #problems()}, all at once, before anything runs.
 */
public final class Controller<P extends HasMetadata> {

    /** {@code "true"} has a primary left alone. */
    static final MetadataKey PAUSED = MetadataKey.annotation(
            "busbar.io/paused",
            "an object of any kind that a controller reconciles",
            "set by you: \"true\" has it left alone until the annotation goes; its deletion goes on");

    /** The operator's own cluster alone. */
    private static final Set<String> HOME = Set.of("");

    private final Reconciler<P> reconciler;
    private final List<Secondary> secondaries = new ArrayList<>();
    private final List<Index<P>> indexes = new ArrayList<>();
    private final List<EventSource<? super P>> sources = new ArrayList<>();
    private final Map<ResourceType, Set<Write>> writes = new HashMap<>();
    private String name;
    private WatchSpec<P> primaries;
    private @Nullable ChangePredicate<? super P> when;
    private @Nullable Integer workers;
    private int defaultWorkers = 1;
    private Duration timeout = Duration.ofMinutes(2);
    private Backoff backoff = Backoff.standard();
    private RateLimit retryLimit = RateLimit.standard();
    private @Nullable Duration resync;
    private Duration defaultResync = Duration.ZERO;
    private @Nullable String finalizer;
    private Predicate<? super P> needsFinalizer = any -> true;
    private @Nullable String formerFinalizer;
    private Set<String> clusters = HOME;
    private boolean sharded;

    /** What is watched beside the primaries; the request is made when all is declared. */
    record Secondary(boolean owned, Supplier<WatchRequest<?>> request) {}

    private Controller(Class<P> type, Reconciler<P> reconciler) {
        this.reconciler = reconciler;
        this.primaries = WatchSpec.of(type);
        this.name = primaries.resource().kind().toLowerCase(Locale.ROOT);
    }

    /**
     * A controller named as the kind in lower case, with 2 min for a reconcile and no finalizer; its workers and its
     * resync are as the operator's options say.
     */
    public static <P extends HasMetadata> Controller<P> of(Class<P> type, Reconciler<P> reconciler) {
        return new Controller<>(type, reconciler);
    }

    /**
     * Stands in metrics, logs and addresses, and is the field manager of what is applied; unique in an operator.
     *
     * @param unique of lower-case letters, digits, {@code -} and {@code .}
     */
    public Controller<P> named(String unique) {
        name = unique;
        return this;
    }

    /** Narrows the watch of the primaries. */
    public Controller<P> primaries(WatchSpec<P> spec) {
        primaries = spec;
        return this;
    }

    /**
     * Reconciles the primaries of these clusters, in place of those of the operator's own. What else is declared is
     * watched in each of them, and found there by its primaries; but for what names a cluster itself, whose mapping
     * names primaries of the operator's own cluster unless they are reconciled in that one, too.
     *
     * @param names as the operator knows them, the empty one for its own; none for its own alone
     */
    public Controller<P> clusters(Collection<String> names) {
        clusters = names.isEmpty() ? HOME : Collections.unmodifiableSet(new TreeSet<>(names));
        return this;
    }

    /**
     * Lets replicas share the primaries out, where the operator runs with {@code --shard}: each is reconciled by one of
     * them, and another time by another. For a reconciler that decides about a primary by what it reads of it and of
     * what it owns; what it keeps in memory it can do without, and forgets when {@link ReconcileContext#tenure}
     * changes. One that counts over several primaries, or writes to objects that several primaries share, does not call
     * this: all its primaries are where the first bucket is.
     *
     * <p>Of a type of which it watches only what its primaries own, a replica then keeps only what is controlled by
     * primaries that it works on, and what nobody controls: what is read there may lack what is another replica's.
     */
    public Controller<P> sharded() {
        sharded = true;
        return this;
    }

    /** A lookup of primaries. */
    public Controller<P> index(Index<P> index) {
        indexes.add(index);
        return this;
    }

    /**
     * Which changes of a primary count; if not called, those of more than its status, as
     * {@link ChangePredicate#beyondStatus} tells them, but for the controller's finalizer. Its deletion, and being
     * paused or resumed, always count.
     */
    public Controller<P> when(ChangePredicate<? super P> predicate) {
        when = predicate;
        return this;
    }

    /**
     * Watches a type whose objects the primary controls. A watch that names fields gets their owner references as well.
     */
    public <T extends HasMetadata> Controller<P> owns(Class<T> type) {
        return owns(WatchSpec.of(type));
    }

    public <T extends HasMetadata> Controller<P> owns(WatchSpec<T> spec) {
        secondaries.add(new Secondary(
                true,
                () -> new WatchRequest<T>(
                        keepingAlso(spec, "metadata.ownerReferences"),
                        List.of(byControllerUid()),
                        List.of(new Trigger<T>(
                                name,
                                ChangePredicate.<T>always(),
                                KeyMapping.controllerOwner(primaries.resource()))))));
        return this;
    }

    /**
     * The same for objects that are written in other ways than by apply alone.
     *
     * @param first and {@code more}: all that the reconciler does with them
     */
    public <T extends HasMetadata> Controller<P> owns(WatchSpec<T> spec, Write first, Write... more) {
        writes.computeIfAbsent(spec.resource(), owned -> EnumSet.noneOf(Write.class))
                .addAll(EnumSet.of(first, more));
        return owns(spec);
    }

    /** Watches any other type. */
    public <T extends HasMetadata> Controller<P> watches(Class<T> type, KeyMapping<? super T> mapping) {
        return watches(WatchSpec.of(type), List.of(), ChangePredicate.<T>always(), mapping);
    }

    /** The same, of which objects and how is said. */
    public <T extends HasMetadata> Controller<P> watches(WatchSpec<T> spec, KeyMapping<? super T> mapping) {
        return watches(spec, List.of(), ChangePredicate.<T>always(), mapping);
    }

    public <T extends HasMetadata> Controller<P> watches(
            WatchSpec<T> spec,
            List<Index<T>> lookups,
            ChangePredicate<? super T> predicate,
            KeyMapping<? super T> mapping) {
        secondaries.add(new Secondary(
                false, () -> new WatchRequest<>(spec, lookups, List.of(new Trigger<T>(name, predicate, mapping)))));
        return this;
    }

    /** Watches a type only to read it. */
    public <T extends HasMetadata> Controller<P> reads(WatchSpec<T> spec, List<Index<T>> lookups) {
        secondaries.add(new Secondary(false, () -> WatchRequest.readOnly(spec, lookups)));
        return this;
    }

    /** Has primaries reconciled by something other than a watch; each source has a name of its own. */
    public Controller<P> source(EventSource<? super P> source) {
        sources.add(source);
        return this;
    }

    /**
     * How many reconciles run at once; if not called, as many as the operator's options say.
     *
     * @param count 1 or more
     */
    public Controller<P> workers(int count) {
        workers = count;
        return this;
    }

    /**
     * After which a reconcile is interrupted and counts as failed.
     *
     * @param limit more than zero
     */
    public Controller<P> timeout(Duration limit) {
        timeout = limit;
        return this;
    }

    /**
     * Every primary is reconciled once in each interval, changed or not, spread over it; if not called, as the
     * operator's options say.
     *
     * @param interval more than zero
     */
    public Controller<P> resync(Duration interval) {
        resync = interval;
        return this;
    }

    /**
     * What holds where this controller says nothing itself; called by whoever runs it.
     *
     * @param workers how many reconciles run at once, 1 or more
     * @param resync zero for never
     */
    public Controller<P> defaults(int workers, Duration resync) {
        defaultWorkers = workers;
        defaultResync = resync;
        return this;
    }

    /**
     * Kept on every primary, so that {@link Reconciler#cleanup} is called before one goes. Without it a primary that is
     * being deleted is left alone.
     *
     * @param qualifiedName with a domain, such as {@code cache.example.com/backup}
     */
    public Controller<P> finalizer(String qualifiedName) {
        return finalizer(qualifiedName, any -> true);
    }

    /**
     * The same for those primaries that need it: it goes from others, and {@link Reconciler#cleanup} is called before
     * one goes that has it.
     *
     * @param needed asked before each reconcile; pure and quick
     */
    public Controller<P> finalizer(String qualifiedName, Predicate<? super P> needed) {
        finalizer = qualifiedName;
        needsFinalizer = needed;
        return this;
    }

    /**
     * One that an earlier version of this controller kept on primaries, and that nothing waits for any more: it is
     * removed where it is found, also from a primary that is being deleted.
     *
     * @param qualifiedName another one than the {@link #finalizer}
     */
    public Controller<P> formerFinalizer(String qualifiedName) {
        formerFinalizer = qualifiedName;
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
     * All that has to be watched for this controller, the primaries first. Where their watch names fields, it gets
     * those that the engine and the predicate need as well: finalizers and annotations, and for the default predicate
     * labels and owner references.
     */
    public List<WatchRequest<?>> watchRequests() {
        List<WatchRequest<?>> all = new ArrayList<>();
        WatchSpec<P> whole = keepingAlso(primaries, keptOfPrimaries());
        ChangePredicate<P> counts = ChangePredicate.either(
                when == null ? beyondStatus() : when, ChangePredicate.ofMetadata(Controller::concernsEngine));
        all.add(new WatchRequest<P>(whole, indexes, List.of(new Trigger<P>(name, counts, KeyMapping.self()))));
        secondaries.forEach(secondary -> all.add(request(secondary)));
        return clusters.equals(HOME)
                        && all.stream()
                                .allMatch(request -> request.spec().cluster().isEmpty())
                ? List.copyOf(all)
                : inClusters(all);
    }

    private WatchRequest<?> request(Secondary secondary) {
        WatchRequest<?> request = secondary.request().get();
        boolean sharedOut = sharded && isReadByOwnerAlone(request.spec());
        return sharedOut ? ofShard(request) : request;
    }

    /** Whether all that is watched of this type is watched for the primaries that control it. */
    private boolean isReadByOwnerAlone(WatchSpec<?> spec) {
        return !spec.type().equals(primaries.type())
                && secondaries.stream()
                        .filter(other -> other.request().get().spec().type().equals(spec.type()))
                        .allMatch(Secondary::owned);
    }

    private static <T extends HasMetadata> WatchRequest<T> ofShard(WatchRequest<T> request) {
        return new WatchRequest<>(request.spec().shardedWatch(), request.indexes(), request.triggers());
    }

    private List<WatchRequest<?>> inClusters(List<WatchRequest<?>> declared) {
        List<WatchRequest<?>> all = new ArrayList<>();
        for (WatchRequest<?> request : declared) {
            String named = request.spec().cluster();
            if (named.isEmpty()) {
                clusters.forEach(cluster -> all.add(in(cluster, cluster, request)));
            } else {
                all.add(in(named, clusters.contains(named) ? named : "", request));
            }
        }
        return List.copyOf(all);
    }

    private static <T extends HasMetadata> WatchRequest<T> in(
            String cluster, String primaries, WatchRequest<T> request) {
        return new WatchRequest<>(
                request.spec().inCluster(cluster),
                request.indexes(),
                request.triggers().stream()
                        .map(trigger ->
                                new Trigger<>(trigger.controller(), trigger.when(), trigger.mapping(), primaries))
                        .toList());
    }

    /** Where only the metadata is watched and no generation tells, the status cannot be told from the rest. */
    private ChangePredicate<P> beyondStatus() {
        if (primaries.metadataOnly() && !CustomResource.class.isAssignableFrom(primaries.type())) {
            return ChangePredicate.always();
        }
        return ChangePredicate.beyondStatus(
                primaries.type(), finalizer().stream().toArray(String[]::new));
    }

    /** What the engine reads, and the default predicate. */
    private String[] keptOfPrimaries() {
        List<String> engine = List.of("metadata.annotations", "metadata.finalizers");
        return when == null
                ? Stream.concat(engine.stream(), Stream.of("metadata.labels", "metadata.ownerReferences"))
                        .toArray(String[]::new)
                : engine.toArray(String[]::new);
    }

    /**
     * What is declared wrongly, a problem each that names this controller; none where all is right. Whoever runs
     * controllers asks for it first.
     */
    public List<ConfigurationProblem> problems() {
        return new Declaration(this, List.copyOf(secondaries)).problems();
    }

    /** The same of all controllers of an operator, and of their names. */
    public static List<ConfigurationProblem> problems(Collection<? extends Controller<?>> all) {
        return Declaration.problems(all);
    }

    /** The types that it owns, and what it does with their objects; to apply them, where nothing else is declared. */
    public Map<ResourceType, Set<Write>> owned() {
        Map<ResourceType, Set<Write>> owned = new LinkedHashMap<>();
        watchRequests().stream()
                .filter(request -> request.indexes().contains(byControllerUid()))
                .map(request -> request.spec().resource())
                .forEach(type -> owned.put(type, writes.getOrDefault(type, Set.of(Write.APPLY))));
        return owned;
    }

    public Reconciler<P> reconciler() {
        return reconciler;
    }

    public Class<P> type() {
        return primaries.type();
    }

    public List<EventSource<? super P>> sources() {
        return List.copyOf(sources);
    }

    /** Whose primaries are reconciled; the empty name is that of the operator's own. */
    public Set<String> clusters() {
        return clusters;
    }

    /** Whether replicas may share its primaries out. */
    public boolean isSharded() {
        return sharded;
    }

    public int workers() {
        return workers == null ? defaultWorkers : workers;
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
        return Optional.ofNullable(resync == null && !defaultResync.isZero() ? defaultResync : resync);
    }

    public Optional<String> finalizer() {
        return Optional.ofNullable(finalizer);
    }

    /** Whether a primary is to have the finalizer. */
    public boolean needsFinalizer(P primary) {
        return needsFinalizer.test(primary);
    }

    public Optional<String> formerFinalizer() {
        return Optional.ofNullable(formerFinalizer);
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

    /** The name of the annotation that has a primary not be reconciled, where it is {@code "true"}. */
    public static String pauseAnnotation() {
        return PAUSED.name();
    }

    /** Whether a primary is not to be reconciled for now: by the annotation {@code busbar.io/paused: "true"}. */
    public static boolean isPaused(HasMetadata primary) {
        Map<String, String> annotations = primary.getMetadata().getAnnotations();
        return annotations != null && "true".equals(annotations.get(PAUSED.name()));
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
