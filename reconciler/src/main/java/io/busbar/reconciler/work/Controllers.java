package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.Addresses;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.common.internal.context.CallersContext;
import io.busbar.common.trace.Tracing;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.event.Events;
import io.busbar.reconciler.shard.Sharding;
import io.busbar.reconciler.view.ControllerView;
import io.busbar.reconciler.view.PastReconcile;
import io.busbar.reconciler.view.StoredPrimary;
import io.busbar.reconciler.work.RunningController.Pool;
import io.busbar.reconciler.write.ApiRequests;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs an operator's controllers.
 *
 * <ol>
 *   <li>{@link #deploy} each: requests are taken in from then on, and wait;
 *   <li>acquire the watches of {@link Controller#watchRequests()}, and wait until they are synced;
 *   <li>{@link #start}: keys are handed out;
 *   <li>{@link #stop}: in-flight reconciles end, or are interrupted.
 * </ol>
 *
 * <p>The bus must know {@code BusCodec}'s messages.
 *
 * <p>Any thread; futures complete on a context of Vert.x.
 */
public final class Controllers {

    /** That all guests share: each has no more than its own number of workers. */
    private static final int GUEST_THREADS = 64;

    private final Vertx vertx;
    private final Listers stores;
    private final MeterRegistry meters;
    private final Tracing tracing;
    private final Addresses addresses;
    private final WorkerThreads threads;
    private final String instance;
    /** By the clusters' names. */
    private final Map<String, Member> members = new ConcurrentHashMap<>();
    /** What controllers have that work with a client of their own, by their names. */
    private final Map<String, Member> guests = new ConcurrentHashMap<>();

    private volatile Sharding sharding = Sharding.none();
    private volatile int room;
    private final ScheduledThreadPoolExecutor timer;
    private final Map<String, RunningController<?>> running = new ConcurrentHashMap<>();

    /** Untraced. */
    public Controllers(
            Vertx vertx,
            KubernetesClient client,
            Listers stores,
            MeterRegistry meters,
            WorkerThreads threads,
            String instance) {
        this(vertx, client, stores, meters, Tracing.off(), Addresses.standard(), threads, instance);
    }

    /**
     * @param stores the listers of controllers that are given no others; not asked before {@link #start}
     * @param instance which process this is, such as the name of its Pod; stands in Events
     */
    public Controllers(
            Vertx vertx,
            KubernetesClient client,
            Listers stores,
            MeterRegistry meters,
            Tracing tracing,
            Addresses addresses,
            WorkerThreads threads,
            String instance) {
        this.vertx = vertx;
        this.stores = stores;
        this.meters = meters;
        this.tracing = tracing;
        this.addresses = addresses;
        this.threads = threads;
        this.instance = instance;
        join("", client);
        this.timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = Executors.defaultThreadFactory().newThread(work);
            thread.setName("busbar-deadlines");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
    }

    /**
     * Makes another cluster known; before any controller is deployed that works there.
     *
     * @param cluster its name
     * @param client for what controllers do there
     */
    public void join(String cluster, KubernetesClient client) {
        members.put(cluster, Member.of(cluster, client, instance, meters));
    }

    /** Works only on what is this replica's; before any controller is deployed. */
    public void share(Sharding which) {
        sharding = which;
    }

    /**
     * Keeps in mind what each controller does and has done, to be looked at; before any controller is deployed.
     *
     * @param room for what has ended, in bytes, more or less, of each controller
     */
    public void keepInMind(int room) {
        this.room = room;
    }

    /** What all of them do now, by name. In flight and restless is nothing where nothing is kept in mind. */
    public Future<List<ControllerView>> views() {
        List<Future<ControllerView>> views = new TreeMap<>(running)
                .values().stream().map(RunningController::view).toList();
        return CallersContext.of(
                vertx,
                Future.join(List.copyOf(views))
                        .transform(seen -> Future.succeededFuture(views.stream()
                                .filter(Future::succeeded) // the others are about to be deployed
                                .map(Future::result)
                                .toList())));
    }

    /** Of which kind the primaries of a controller are; empty where there is no such controller. */
    public Optional<ResourceType> primariesOf(String controller) {
        return Optional.ofNullable(running.get(controller)).map(RunningController::primaries);
    }

    /** A primary as its controller reads it; empty where it is not there. Decodes it: not for an event loop. */
    public Optional<StoredPrimary> stored(String controller, ObjectKey key) {
        return Optional.ofNullable(running.get(controller)).flatMap(one -> one.stored(key));
    }

    /**
     * The last reconciles of a primary that are kept in mind.
     *
     * @return the latest last; none of a controller that is not there
     */
    public Future<List<PastReconcile>> past(String controller, ObjectKey key) {
        RunningController<?> one = running.get(controller);
        return one == null ? Future.succeededFuture(List.of()) : CallersContext.of(vertx, one.past(key));
    }

    /**
     * Primaries of whom something is kept in mind.
     *
     * @param text to be found in the namespace and name
     * @return by controller, some of them where they are many
     */
    public Future<Map<String, List<ObjectKey>>> find(String text) {
        Map<String, Future<List<ObjectKey>>> found = new TreeMap<>();
        running.forEach((name, one) -> found.put(name, one.find(text)));
        return CallersContext.of(vertx, Future.join(List.copyOf(found.values())).transform(all -> {
            Map<String, List<ObjectKey>> keys = new TreeMap<>();
            found.forEach((name, one) -> keys.put(name, one.succeeded() ? one.result() : List.of()));
            return Future.succeededFuture(keys);
        }));
    }

    /**
     * Has a primary reconciled, because somebody asks for it.
     *
     * @return false where this replica does not work on it, or does not know it
     */
    public boolean request(String controller, ObjectKey key) {
        RunningController<?> one = running.get(controller);
        return one != null && one.requestByHand(key);
    }

    /** Has all primaries of some buckets reconciled, which are this replica's from now on. Blocks. */
    public void gained(Set<Integer> buckets) {
        running.values().forEach(one -> one.gained(buckets));
    }

    /**
     * Whether this replica is the one to be told that something has changed that concerns a primary.
     *
     * @param address of a controller's source of messages
     */
    public boolean worksOn(String address, ObjectKey key) {
        return running.values().stream().anyMatch(one -> one.worksOn(address, key));
    }

    /**
     * Looks for what is wrong with the declarations of an operator's controllers, before any is deployed.
     *
     * @throws InvalidConfigurationException with all of it; each problem names the controller and what is allowed
     */
    public static void check(Collection<? extends Controller<?>> controllers) {
        List<ConfigurationProblem> problems = Controller.problems(controllers);
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
    }

    /**
     * Takes in a controller's requests from when the future completes on. It fails where the controller is declared
     * wrongly or its name is taken, or where this Java lacks the worker threads that are wanted.
     */
    public <P extends HasMetadata> Future<Void> deploy(Controller<P> controller) {
        return deploy(controller, cluster -> stores);
    }

    /**
     * The same for a controller that reads listers of its own, such as those of its group of watches.
     *
     * @param stores by the name of the cluster; not asked before {@link #start}, since watches are acquired after this
     */
    public <P extends HasMetadata> Future<Void> deploy(
            Controller<P> controller, Function<String, ? extends Listers> stores) {
        try {
            check(List.of(controller));
            requireKnown(controller, members);
            Pool own = new Pool(addresses.threads(controller.name()), controller.workers());
            return deploy(running(controller, stores, members, addresses, own));
        } catch (IllegalStateException | InvalidConfigurationException impossible) {
            return Future.failedFuture(impossible);
        }
    }

    /**
     * The same for a guest: a controller that works in the operator's own cluster with a client of its own, such as one
     * with other rights, until {@link #withdraw}.
     *
     * @param home whose the client is, and where its watches publish
     */
    public <P extends HasMetadata> Future<Void> deploy(
            Controller<P> controller, Function<String, ? extends Listers> stores, Home home) {
        Member own = Member.of("", home.client(), instance, meters);
        try {
            check(List.of(controller));
            requireKnown(controller, Map.of("", own));
            Pool shared = new Pool(addresses.threads("guests"), GUEST_THREADS);
            RunningController<P> made = running(controller, stores, Map.of("", own), home.addresses(), shared);
            guests.put(controller.name(), own);
            return deploy(made)
                    .recover(failure -> vertx.executeBlocking(() -> forget(controller.name()), false)
                            .transform(forgotten -> Future.failedFuture(failure)));
        } catch (IllegalStateException | InvalidConfigurationException impossible) {
            own.events().ifPresent(Events::close);
            return Future.failedFuture(impossible);
        }
    }

    /**
     * What a guest works with.
     *
     * @param client for what it writes
     * @param addresses where its watches publish
     */
    public record Home(KubernetesClient client, Addresses addresses) {}

    private Future<Void> deploy(RunningController<?> made) {
        return made.deploy().onFailure(failed -> running.remove(made.name(), made));
    }

    /**
     * Ends the guests of a home: hands out no more of their keys, lets what runs end, and forgets them and their
     * metrics. Others may have their names afterwards.
     *
     * @param home that they were deployed with
     * @param grace as in {@link #stop}
     */
    public Future<Void> withdraw(Home home, Duration grace) {
        List<? extends Future<?>> ended = guests.entrySet().stream()
                .filter(guest -> guest.getValue().client() == home.client())
                .map(Map.Entry::getKey)
                .flatMap(name -> Optional.ofNullable(running.get(name)).stream())
                .map(guest ->
                        guest.stop(grace).eventually(() -> vertx.executeBlocking(() -> forget(guest.name()), false)))
                .toList();
        return Future.join(List.copyOf(ended)).mapEmpty();
    }

    private @Nullable Void forget(String guest) {
        Optional.ofNullable(guests.remove(guest)).flatMap(Member::events).ifPresent(Events::close);
        meters.getMeters().stream()
                .filter(meter -> guest.equals(meter.getId().getTag("controller")))
                .forEach(meters::remove);
        running.remove(guest);
        return null;
    }

    private static void requireKnown(Controller<?> controller, Map<String, Member> members) {
        Set<String> needed = new TreeSet<>(controller.clusters());
        controller.watchRequests().forEach(request -> needed.add(request.spec().cluster()));
        needed.removeAll(members.keySet());
        if (!needed.isEmpty()) {
            throw new InvalidConfigurationException(List.of(new ConfigurationProblem(
                    "controller " + controller.name() + ": clusters",
                    String.join(", ", needed),
                    "those that the operator knows: " + String.join(", ", new TreeSet<>(members.keySet()))
                            + ", and '' for its own")));
        }
    }

    private <P extends HasMetadata> RunningController<P> running(
            Controller<P> controller,
            Function<String, ? extends Listers> stores,
            Map<String, Member> members,
            Addresses addresses,
            Pool pool) {
        threads.model();
        ApiRequests any = Objects.requireNonNull(members.get("")).api();
        WriteLoops loops = new WriteLoops(controller.name(), any::json, meters, System::nanoTime);
        List<Cluster<P>> clusters = members.values().stream()
                .map(member -> Cluster.of(
                        member,
                        controller,
                        Reads.of(controller, member.name()),
                        new LateListers(() -> stores.apply(member.name())),
                        member.events().orElseThrow().recorder(controller.name()),
                        loops,
                        meters))
                .toList();
        RunningController<P> made = new RunningController<>(
                vertx,
                controller,
                clusters,
                loops,
                addresses,
                threads,
                pool,
                meters,
                tracing,
                timer,
                sharding,
                new Activity(room, InstantSource.system(), System::nanoTime));
        if (running.putIfAbsent(controller.name(), made) != null) {
            throw new IllegalStateException("there is a controller " + controller.name()
                    + " already: call named(…) to give this one of "
                    + controller.type().getSimpleName() + " another name");
        }
        return made;
    }

    private record LateListers(Supplier<? extends Listers> acquired) implements Listers {
        @Override
        public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
            return acquired.get().lister(type);
        }
    }

    /** Hands out keys of all that are deployed, those that wait already first. */
    public Future<Void> start() {
        return start(running.keySet());
    }

    /**
     * The same for some of them, each once.
     *
     * @param names of controllers that are deployed
     */
    public Future<Void> start(Collection<String> names) {
        List<? extends Future<?>> begun = names.stream()
                .map(name -> Objects.requireNonNull(running.get(name), name))
                .map(RunningController::begin)
                .toList();
        return Future.all(List.copyOf(begun)).mapEmpty();
    }

    /**
     * Hands out keys of another cluster: what is watched there has been listed.
     *
     * @param names of controllers that are started
     */
    public void start(Collection<String> names, String cluster) {
        names.forEach(name -> Objects.requireNonNull(running.get(name), name).begin(cluster));
    }

    /**
     * Hands out none of some keys until {@link #open}, in place of those of an earlier call.
     *
     * @return completes when none of them is being reconciled
     */
    public Future<Void> shut(Predicate<ObjectKey> some) {
        return Future.all(running.values().stream().map(one -> one.shut(some)).toList())
                .mapEmpty();
    }

    /**
     * Hands out all keys again.
     *
     * @param gone those whose requests are dropped
     */
    public void open(Predicate<ObjectKey> gone) {
        running.values().forEach(one -> one.open(gone));
    }

    /**
     * A recorder in the operator's own cluster for what is no controller's. Records until {@link #stop}.
     *
     * @param reporter stands in the Events
     */
    public EventRecorder recorder(String reporter) {
        return Objects.requireNonNull(members.get("")).events().orElseThrow().recorder(reporter);
    }

    /**
     * Hands out nothing more, and lets what runs end.
     *
     * @param grace after which reconciles are interrupted; the future completes 2 s later at the latest
     */
    public Future<Void> stop(Duration grace) {
        List<? extends Future<?>> stopped =
                running.values().stream().map(each -> each.stop(grace)).toList();
        return Future.join(List.copyOf(stopped)).<Void>mapEmpty().eventually(this::close);
    }

    private Future<Void> close() {
        timer.shutdownNow();
        return vertx.executeBlocking(
                () -> {
                    Stream.concat(members.values().stream(), guests.values().stream())
                            .forEach(member -> member.events().ifPresent(Events::close));
                    return null;
                },
                false);
    }
}
