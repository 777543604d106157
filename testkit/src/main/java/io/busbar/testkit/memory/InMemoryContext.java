package io.busbar.testkit.memory;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.common.watch.Lister;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.source.PollingSource;
import io.busbar.reconciler.work.Turns;
import io.busbar.sandbox.faults.Fault;
import io.busbar.sandbox.faults.InjectedFault;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a reconciler reads from and writes with, in memory: for unit tests, without threads, ports or waiting.
 *
 * <pre>{@code
 * InMemoryContext<Web> context = InMemoryContext.of(web);
 * context.put(configMap);                                     // what others have made
 * context.reconcile(new WebReconciler());
 *
 * assertThat(context.writes()).containsExactly("create Deployment shop", "status Web shop");
 * assertThat(context.primary().getStatus().ready()).isFalse();
 *
 * context.inject(Fault.on("create", "pods").answerLost());    // one of many: refused(409), refused(404), refused(500), …
 * context.holdBack(Pod.class);                                // the watch of Pods shows nothing new, until release()
 * }</pre>
 *
 * <p>Below the context is the engine itself, and below that a sandbox that is
 * {@linkplain io.busbar.sandbox.DirectSandbox called, not connected to}. So owner references, applies that write
 * nothing, names of a {@code generateName}, foreign objects that are refused, own writes that are read at once, a
 * status that is written only when it differs, conflicts, generations, finalizers and deletion are not imitated: they
 * are what an operator does. {@link #client()} reads and writes the same objects.
 *
 * <p>It does not imitate:
 *
 * <ul>
 *   <li>what calls a reconciler: triggers, the queue, workers, timeouts, resyncs, delays of retries. {@link #turn()}
 *       takes one turn, whenever the test says so
 *   <li>the repetitions of the operator's client: what is refused or lost is refused or lost at once
 *   <li>anybody else at work: Pods do not start, Deployments make no Pods, dependents of what is gone stay. Each is a
 *       {@link #put} or a {@link #remove} of the test
 *   <li>webhooks, and the schemas of custom kinds, unless a definition was given by {@link #serve}
 *   <li>rights, quotas, aggregation of Events, watches of {@link #client()}
 * </ul>
 *
 * <p>For one test; reconcilers may write from threads of their own.
 */
public final class InMemoryContext<P extends HasMetadata> implements ReconcileContext<P> {

    private static final String HOME = "default";
    private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

    private final MemoryCluster cluster;
    private final ToldEvents events = new ToldEvents();
    private final Controller<P> controller;
    /** Whether each type may be read, declared or not. */
    private final boolean watchesAny;

    private final ObjectKey key;
    private final StillClock clock;
    private Turns<P> turns;
    private int attempt = 1;
    private long tenure;
    /** What makes the next call necessary. */
    private Cause cause;

    private @Nullable ReconcileContext<P> current;

    /** Stands still unless it is moved. */
    private static final class StillClock extends Clock {

        private volatile Instant now;

        StillClock(Instant now) {
            this.now = now;
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private InMemoryContext(
            Controller<P> controller, boolean watchesAny, StillClock clock, MemoryCluster cluster, ObjectKey key) {
        this.controller = controller;
        this.watchesAny = watchesAny;
        this.clock = clock;
        this.cluster = cluster;
        this.key = key;
        this.turns = begun();
        this.cause = listed();
    }

    private static <P extends HasMetadata> InMemoryContext<P> made(
            Controller<P> controller, boolean watchesAny, P primary) {
        boolean namespaced = ResourceType.of(controller.type()).namespaced();
        String given = primary.getMetadata().getNamespace();
        String home = namespaced && given != null && !given.isEmpty() ? given : HOME;
        StillClock clock = new StillClock(BEGINNING);
        MemoryCluster cluster = new MemoryCluster(clock, watchesAny, home);
        P stored = cluster.client().getKubernetesSerialization().clone(primary);
        if (namespaced) {
            stored.getMetadata().setNamespace(home);
        }
        return new InMemoryContext<>(controller, watchesAny, clock, cluster, ObjectKey.of(cluster.put(stored)));
    }

    /** An engine that begins, with its watches. */
    private Turns<P> begun() {
        controller.watchRequests().forEach(cluster::watch);
        Turns<P> begun = Turns.of(controller, watchesAny, cluster, cluster.client(), events);
        cluster.onStored(begun::changed);
        return begun;
    }

    /**
     * For a reconciler by itself, or what takes its context: every type that is asked for is watched, each index works.
     *
     * @param primary as it is stored, status included; in namespace {@code default} if it names none
     */
    public static <P extends HasMetadata> InMemoryContext<P> of(P primary) {
        @SuppressWarnings("unchecked") // an object's class is a class of its type
        Class<P> type = (Class<P>) primary.getClass();
        return made(Controller.of(type, (same, context) -> ReconcileResult.awaitChange()), true, primary);
    }

    /**
     * For a controller as it was declared: what it does not watch it cannot read, and of what it does watch only the
     * fields that are kept.
     *
     * @param primary as it is stored, status included; in namespace {@code default} if it names none
     */
    public static <P extends HasMetadata> InMemoryContext<P> of(Controller<P> controller, P primary) {
        return made(controller, false, primary);
    }

    /** Defines a custom kind, whose objects are defaulted, pruned and validated from now on when they are written. */
    public void serve(CustomResourceDefinition definition) {
        cluster.sandbox()
                .serve(cluster.client().getKubernetesSerialization().convertValue(definition, ObjectNode.class));
    }

    /** Lets a custom kind be written that the controller does not watch. */
    public void serve(Class<? extends HasMetadata> custom) {
        cluster.serve(custom);
    }

    /**
     * Lays down an object as it is, status included, as anybody else might have written it: nothing is validated. One
     * of the same name is replaced.
     *
     * @return as it is stored, with defaults, uid and resourceVersion
     */
    public <T extends HasMetadata> T put(T object) {
        boolean known = cluster.sandbox()
                .get(ResourceType.of(object.getClass()), placed(object))
                .isPresent();
        T stored = cluster.put(object);
        cause = caused(known ? Cause.How.MODIFIED : Cause.How.ADDED, stored);
        if (controller.type().isInstance(object)) {
            current = null;
        }
        return stored;
    }

    /**
     * Writes the status of an object that is there, as the controller of its kind does: whose the rest of it is stays
     * as it was.
     *
     * @return as it is stored
     */
    public <T extends HasMetadata> T putStatus(T object) {
        T stored = cluster.client().resource(object).updateStatus();
        cause = caused(Cause.How.MODIFIED, stored);
        if (controller.type().isInstance(object)) {
            current = null;
        }
        return stored;
    }

    /** Takes an object away at once, whatever it waits for. */
    public void remove(HasMetadata object) {
        cluster.remove(object.getClass(), ObjectKey.of(object));
        cause = caused(Cause.How.DELETED, object);
    }

    /** Deletes an object as a user does: one with finalizers stays, and is marked. */
    public void deleteAsUser(HasMetadata object) {
        cluster.client()
                .resource(object)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete();
        boolean stays = cluster.sandbox()
                .get(ResourceType.of(object.getClass()), placed(object))
                .isPresent();
        cause = caused(stays ? Cause.How.MODIFIED : Cause.How.DELETED, object);
        current = null;
    }

    /** An object of the primary's namespace, or of none, as it is now, whatever watches show. */
    public <T extends HasMetadata> Optional<T> get(Class<T> kind, String name) {
        ResourceType resource = ResourceType.of(kind);
        return cluster.sandbox()
                .get(resource, ObjectKey.of(resource.namespaced() ? home() : "", name))
                .map(json -> cluster.typed(json, kind));
    }

    /** All objects of a kind as they are now, by namespace and name, whatever watches show. */
    public <T extends HasMetadata> List<T> list(Class<T> kind) {
        return cluster.sandbox().list(ResourceType.of(kind)).stream()
                .map(json -> cluster.typed(json, kind))
                .toList();
    }

    /** The version of the latest change of any object: as long as it stays, nothing has been written. */
    public String resourceVersion() {
        return cluster.sandbox().resourceVersion();
    }

    /**
     * The primary as it is now, whatever its watch shows.
     *
     * @throws NoSuchElementException when it is gone
     */
    public P primary() {
        return get(controller.type(), key.name())
                .orElseThrow(() -> new NoSuchElementException("there is no " + named()));
    }

    private String named() {
        return controller.type().getSimpleName() + " " + key;
    }

    private String home() {
        return cluster.client().getConfiguration().getNamespace();
    }

    /**
     * Calls a reconciler with the primary as its watch shows it, own writes included, and this context.
     *
     * @throws NoSuchElementException when that does not show it
     * @throws Exception that of the reconciler
     */
    public ReconcileResult reconcile(Reconciler<P> reconciler) throws Exception {
        return counted(() -> reconciler.reconcile(begin(), this));
    }

    /** The same for {@link Reconciler#cleanup}, whether or not the primary is being deleted. */
    public CleanupResult cleanup(Reconciler<P> reconciler) throws Exception {
        return counted(() -> reconciler.cleanup(begin(), this));
    }

    /**
     * Takes a whole turn of the controller as the engine does: its finalizer first, then reconcile; cleanup and the
     * finalizer's end for a primary that is being deleted; nothing for one that is paused or gone; a conflict is an
     * outcome.
     *
     * @throws Exception that of the reconciler, or of a write
     */
    public ReconcileOutcome turn() throws Exception {
        cluster.turnBegins();
        current = null;
        return counted(() -> turns.take(task()));
    }

    @FunctionalInterface
    private interface Call<R> {
        R make() throws Exception;
    }

    private <R> R counted(Call<R> call) throws Exception {
        boolean done = false;
        try {
            R result = call.make();
            done = true;
            cause = Cause.of(asksAgain(result) ? Cause.How.REQUEUE : Cause.How.UNKNOWN, key);
            return result;
        } finally {
            attempt = done ? 1 : attempt + 1;
            cause = done ? cause : cause.again();
        }
    }

    private static boolean asksAgain(Object result) {
        return result instanceof ReconcileResult.Requeue
                || result instanceof ReconcileResult.RequeueAfter
                || result instanceof CleanupResult.NotYet
                || (result instanceof ReconcileOutcome outcome
                        && (outcome.kind() == ReconcileOutcome.Kind.REQUEUE
                                || outcome.kind() == ReconcileOutcome.Kind.REQUEUE_AFTER));
    }

    private Cause listed() {
        return turns.primary(key)
                .map(primary -> caused(Cause.How.LISTED, primary))
                .orElseGet(() -> Cause.of(Cause.How.UNKNOWN, key));
    }

    private Cause caused(Cause.How how, HasMetadata object) {
        String version = object.getMetadata().getResourceVersion();
        return new Cause(how, object.getKind(), placed(object), version == null ? "" : version);
    }

    private ObjectKey placed(HasMetadata object) {
        boolean namespaced = ResourceType.of(object.getClass()).namespaced();
        String given = object.getMetadata().getNamespace();
        String namespace = !namespaced ? "" : given == null || given.isEmpty() ? home() : given;
        return ObjectKey.of(namespace, object.getMetadata().getName());
    }

    private P begin() {
        cluster.turnBegins();
        P primary = turns.primary(key)
                .orElseThrow(() -> new NoSuchElementException("there is no " + named() + " to reconcile"));
        current = turns.context(task(), primary);
        return primary;
    }

    private ReconcileTask task() {
        return new ReconcileTask(key, UUID.randomUUID().toString(), attempt, cause, "");
    }

    private ReconcileContext<P> current() {
        ReconcileContext<P> known = current;
        if (known == null) {
            P primary = turns.primary(key).orElseGet(this::primary);
            known = turns.context(task(), primary);
            current = known;
        }
        return known;
    }

    /**
     * Begins anew as another process would: all that the engine remembers is forgotten, and its watches begin with what
     * is there, without a lag. What a reconciler remembers is its own.
     */
    public void restart() {
        cluster.stopWatching();
        turns = begun();
        current = null;
        attempt = 1;
        cause = listed();
    }

    /** As where replicas share the work: another one has worked on the primary meanwhile, and it has come back. */
    public void comeBack() {
        tenure++;
    }

    /**
     * Another in the same state, which goes its own way from here, as {@linkplain #restart another process} would;
     * without this one's faults and passage, and nothing recorded. For a test that tries what may happen next.
     */
    public InMemoryContext<P> copy() {
        StillClock time = new StillClock(clock.now);
        return new InMemoryContext<>(controller, watchesAny, time, cluster.copy(time), key);
    }

    /**
     * Another operator's, over the same objects and the same clock: with watches, own writes, faults of its passage and
     * records of its own. For a test of two that work at once, such as a leader that does not know yet that it leads no
     * more. One thread at a time, for all that share the objects.
     */
    public InMemoryContext<P> beside() {
        return new InMemoryContext<>(controller, watchesAny, clock, cluster.beside(), key);
    }

    /** Has each request, those of {@link #client()} included, pass here from now on. */
    public void passRequestsThrough(Passage passage) {
        cluster.passThrough(passage);
    }

    /**
     * From now on, the watch of a type shows nothing new, to reconciles and turns; own writes are read all the same.
     */
    public void holdBack(Class<? extends HasMetadata> watched) {
        cluster.watches(watched, MemoryWatch::hold);
    }

    /**
     * From now on, the watch of a type shows changes late.
     *
     * @param turns how many reconciles or turns begin before one sees what was written in this one: 1 is the next; 0
     *     ends the lag for what is written from now on
     */
    public void lag(Class<? extends HasMetadata> watched, int turns) {
        if (turns < 0) {
            throw new IllegalArgumentException("turns: " + turns + ", allowed: 0 or more");
        }
        cluster.watches(watched, watch -> watch.lagBehind(turns));
    }

    /** All watches show all there is, and go on without a lag. */
    public void release() {
        cluster.watches(null, MemoryWatch::release);
    }

    /**
     * Lets a request go wrong, in the words of {@link Fault}: {@code Fault.conflict("patch", "webs/status")},
     * {@code Fault.on("create", "pods").refused(500).times(3)}, {@code .refused(404)},
     * {@code .refused(429).retryAfter(…)}, {@code .answerLost()} once it is carried out. Delays take no time here.
     */
    public InjectedFault inject(Fault fault) {
        return cluster.sandbox().inject(fault);
    }

    /** The time of the cluster, which stands still. For reconcilers that take a clock. */
    public Clock clock() {
        return clock;
    }

    /** Moves the clock. */
    public void advance(Duration time) {
        clock.now = clock.now.plus(time);
    }

    /**
     * What requests have changed, in order: {@code create Deployment shop}, {@code apply Service shop},
     * {@code create Pod shop-*} for one that has a generateName, {@code patch …}, {@code update …}, {@code status Web
     * shop}, {@code delete Pod other/shop-0} for one in another namespace. A request that changed nothing but
     * managedFields is not among them, one whose answer was lost is. The first apply of an object creates it.
     */
    public List<String> writes() {
        String home = home();
        return cluster.writes().stream().map(write -> write.text(home)).toList();
    }

    /** Every request to the API server, in order, those that changed nothing included: {@code GET /api/v1/… 404}. */
    public List<String> requests() {
        return cluster.requests();
    }

    /** The objects of a kind that were created, as they were then. */
    public <T extends HasMetadata> List<T> created(Class<T> kind) {
        return written("create", kind);
    }

    /** The objects of a kind that were changed by an apply, as they were then. */
    public <T extends HasMetadata> List<T> applied(Class<T> kind) {
        return written("apply", kind);
    }

    /** The objects of a kind that were deleted or marked, as they were then. */
    public <T extends HasMetadata> List<T> deleted(Class<T> kind) {
        return written("delete", kind);
    }

    /** The primary as it was after each write of its status. */
    public List<P> statuses() {
        return written("status", controller.type());
    }

    private <T extends HasMetadata> List<T> written(String verb, Class<T> kind) {
        String named = ResourceType.of(kind).kind();
        return cluster.writes().stream()
                .filter(write -> write.verb().equals(verb) && write.kind().equals(named))
                .map(write -> cluster.typed(write.object(), kind))
                .toList();
    }

    /** Every Event that was to be, in order: {@code Warning FailedCreate: exceeded quota}. */
    public List<String> toldEvents() {
        return events.told();
    }

    /** Forgets writes, requests and Events; objects stay. */
    public void forget() {
        cluster.forget();
        events.forget();
    }

    @Override
    public ObjectKey key() {
        return key;
    }

    @Override
    public String reconcileId() {
        return current().reconcileId();
    }

    @Override
    public int attempt() {
        return current().attempt();
    }

    @Override
    public long tenure() {
        return tenure;
    }

    /**
     * The latest that has made the call necessary since the one before: an object that the test has put, removed or
     * deleted, whether or not a watch shows it yet; that the last call has failed, or has asked for this one; that the
     * engine has begun. {@code UNKNOWN} where there is nothing of the kind.
     */
    @Override
    public Cause trigger() {
        return current().trigger();
    }

    @Override
    public <T extends HasMetadata> Optional<T> live(Class<T> read, ObjectKey object) {
        return current().live(read, object);
    }

    @Override
    public <T extends HasMetadata> Optional<T> fetched(Class<T> read, ObjectKey object) {
        return current().fetched(read, object);
    }

    /** Asks what the source asks, where there is no answer yet; a test gives it a source that answers as it likes. */
    @Override
    public <Q, A> Optional<A> polled(PollingSource<? super P, Q, A> source) throws Exception {
        return current().polled(source);
    }

    @Override
    public <T extends HasMetadata> Lister<T> lister(Class<T> watched) {
        return current().lister(watched);
    }

    @Override
    public <T extends HasMetadata> List<T> owned(Class<T> watched) {
        return current().owned(watched);
    }

    @Override
    public <T extends HasMetadata> T apply(T desired, Apply how) {
        return current().apply(desired, how);
    }

    @Override
    public <T extends HasMetadata> T create(T desired) {
        return current().create(desired);
    }

    @Override
    public void delete(HasMetadata object) {
        current().delete(object);
    }

    @Override
    public void delete(HasMetadata object, Duration gracePeriod) {
        current().delete(object, gracePeriod);
    }

    @Override
    public P status(P desired) {
        return current().status(desired);
    }

    @Override
    public <T extends HasMetadata> T remember(T written) {
        return current().remember(written);
    }

    @Override
    public EventRecorder events() {
        return events;
    }

    @Override
    public KubernetesClient client() {
        return cluster.client();
    }
}
