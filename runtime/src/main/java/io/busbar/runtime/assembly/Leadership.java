package io.busbar.runtime.assembly;

import io.busbar.common.ObjectKey;
import io.busbar.common.traffic.RequestGate;
import io.busbar.common.watch.OthersWrites;
import io.busbar.reconciler.leader.Fence;
import io.busbar.reconciler.leader.LeaderElection;
import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.reconciler.leader.Permit;
import io.busbar.reconciler.leader.TakeOver;
import io.busbar.reconciler.shard.ShardMap;
import io.busbar.reconciler.shard.ShardMembership;
import io.busbar.reconciler.shard.ShardOptions;
import io.busbar.reconciler.shard.Sharding;
import io.busbar.runtime.client.ApiClients;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether this replica may write, and the client that controllers write with: always and the operator's own where no
 * lease is held.
 *
 * <p>Any thread.
 */
final class Leadership {

    /** How long a replica that ends waits for what it has given away to be written. */
    private static final Duration LEAVE = Duration.ofSeconds(5);

    private final OperatorEnvironment environment;
    private final Optional<LeaderElectionOptions> options;
    private final Fence fence = new Fence();
    private final KubernetesClient writer;
    /** Of other clusters. */
    private final Map<String, KubernetesClient> writers = new HashMap<>();

    private final Promise<Void> lost = Promise.promise();
    private final AtomicBoolean stands = new AtomicBoolean();
    private final Promise<LeaderElection> election = Promise.promise();
    private final @Nullable ShardMembership membership;
    private volatile Needs needs = (owners, more) -> System.nanoTime();
    private volatile Function<OthersWrites, Future<Void>> catchUp = writes -> Future.succeededFuture();
    private volatile Consumer<Set<Integer>> gained = buckets -> {};
    /** What one replica alone does, and what ends it where this one does it now. */
    private final IdentityHashMap<Supplier<Runnable>, Runnable> alone = new IdentityHashMap<>();
    /** By {@link System#nanoTime()}; of no meaning before this replica leads. */
    private volatile long ledSince;

    Leadership(OperatorEnvironment environment, Optional<LeaderElectionOptions> options) {
        this(environment, options, Optional.empty());
    }

    Leadership(
            OperatorEnvironment environment, Optional<LeaderElectionOptions> options, Optional<ShardOptions> shards) {
        this.environment = environment;
        this.options = options;
        this.membership = shards.map(chosen -> new ShardMembership(
                        chosen,
                        environment.client(),
                        fence,
                        environment.instance(),
                        environment.meters(),
                        new Shared()))
                .orElse(null);
        this.writer = writer(environment.client());
        environment.clusters().forEach((name, client) -> writers.put(name, writer(client)));
    }

    /** The same client where this replica writes always; else one that writes while it may, to be closed by whoever asks. */
    KubernetesClient writer(KubernetesClient client) {
        return writesAlways() ? client : fenced(client.getConfiguration(), RequestGate.of(client.getHttpClient()));
    }

    /** The client of a guest, which reads and writes while this replica may write. */
    KubernetesClient guest(Config config) {
        RequestGate gate = RequestGate.of(environment.client().getHttpClient());
        return writesAlways()
                ? ApiClients.measured(
                        config, environment.meters(), environment.tracing(), gate, environment.interceptors())
                : fenced(config, gate);
    }

    private KubernetesClient fenced(Config config, RequestGate gate) {
        return ApiClients.fenced(
                config, environment.meters(), environment.tracing(), gate, fence, environment.interceptors());
    }

    private boolean writesAlways() {
        return options.isEmpty() && membership == null;
    }

    /**
     * The same for what controllers do in other clusters: who leads is decided in the operator's own.
     *
     * @return by the clusters' names
     */
    Map<String, KubernetesClient> writers() {
        return Map.copyOf(writers);
    }

    /** What this replica may do, in a few words. */
    String role() {
        if (membership != null) {
            return "shares the work as " + membership.name();
        }
        if (options.isEmpty()) {
            return "works, whether others do or not";
        }
        return fence.isOpen() ? "leads" : "stands by, as another replica leads or none does yet";
    }

    /** Who works on what, where replicas share the work, as far as it is known. */
    Optional<ShardMap> shards() {
        return Optional.ofNullable(membership).flatMap(ShardMembership::map);
    }

    /** For all that controllers do. */
    KubernetesClient writer() {
        return writer;
    }

    /** For what controllers send by other means than their clients. */
    Permit permit() {
        return writesAlways() ? Permit.always() : fence;
    }

    /** What is this replica's to work on. */
    Sharding sharding() {
        return membership == null ? Sharding.none() : membership.sharding();
    }

    /** As {@link ShardMembership.Listener#needs}. */
    @FunctionalInterface
    interface Needs {
        long change(Predicate<String> owners, boolean more);
    }

    /** Whether replicas share the work. */
    boolean shares() {
        return membership != null;
    }

    /**
     * Where replicas share the work.
     *
     * @param needs is told of whose objects this replica keeps
     * @param catchUp completes when what this replica reads shows what others have written
     * @param gained is told of what it is to look at; may block
     */
    void share(Needs needs, Function<OthersWrites, Future<Void>> catchUp, Consumer<Set<Integer>> gained) {
        this.needs = needs;
        this.catchUp = catchUp;
        this.gained = gained;
    }

    /**
     * Has something done by one replica alone: the one that leads, or holds the first of the shards.
     *
     * @param begins begins it, and gives what ends it, since another replica goes on with it
     */
    void alone(Supplier<Runnable> begins) {
        synchronized (alone) {
            boolean now = membership == null || membership.isFirst();
            alone.put(begins, now ? begins.get() : Leadership::nothing);
        }
    }

    private static void nothing() {
        // nothing is to be ended
    }

    /**
     * Gives away what this replica works on, as soon as it may be; it goes on with the rest.
     *
     * @param patience how long those who get it may take to have their watches show it
     * @return completes when all is given away, or when nobody is waited for any more
     */
    Future<Void> leave(Duration patience) {
        if (membership == null || lost().isComplete()) {
            return Future.succeededFuture();
        }
        return Future.any(
                        membership.leave(patience),
                        environment.vertx().timer(Math.max(1, patience.toMillis())),
                        lost().otherwiseEmpty())
                .mapEmpty();
    }

    private final class Shared implements ShardMembership.Listener {
        @Override
        public long needs(Predicate<String> owners, boolean more) {
            return needs.change(owners, more);
        }

        @Override
        public Future<Void> catchUp(OthersWrites writes) {
            return catchUp.apply(writes);
        }

        @Override
        public void gained(Set<Integer> buckets) {
            gained.accept(buckets);
        }

        @Override
        public void first(boolean isFirst) {
            synchronized (alone) {
                alone.replaceAll((begins, ends) -> {
                    ends.run();
                    return isFirst ? begins.get() : Leadership::nothing;
                });
            }
        }
    }

    /**
     * Has work begin when this replica leads; it stands for election from the first of it on.
     *
     * @param catchUp what comes before where another may have led until a moment: it may have written what this
     *     replica's watches do not show yet
     * @param begin what only a leader does
     * @return completes when the work has begun or, where a leader is elected, when this replica stands by
     */
    Future<Void> whenLeading(Function<OthersWrites, Future<Void>> catchUp, Supplier<Future<Void>> begin) {
        if (membership != null) {
            if (stands.compareAndSet(false, true)) {
                membership.lost().onFailure(lost::tryFail);
                membership.start();
            }
            membership
                    .joined()
                    .compose(joined -> membership.lastGain().map(catchUp).orElseGet(Future::succeededFuture))
                    .compose(current -> begin.get())
                    .onFailure(lost::tryFail);
            return Future.succeededFuture();
        }
        if (options.isEmpty()) {
            return begin.get();
        }
        if (stands.compareAndSet(false, true)) {
            stand(options.get());
        }
        election.future()
                .compose(LeaderElection::led)
                .compose(leading -> catchUp.apply(OthersWrites.until(ledSince)))
                .compose(current -> begin.get())
                .onFailure(lost::tryFail);
        return Future.succeededFuture();
    }

    private void stand(LeaderElectionOptions chosen) {
        LeaderElection begun = new LeaderElection(
                chosen, environment.client(), fence, writer, environment.instance(), environment.meters());
        begun.lost().onFailure(lost::tryFail);
        begun.led().onSuccess(leading -> ledSince = System.nanoTime());
        begun.start();
        election.complete(begun);
    }

    /** Completes when this replica leads; never where no lease is held. */
    Future<Void> led() {
        return membership == null ? election.future().compose(LeaderElection::led) : membership.joined();
    }

    /**
     * Whether this replica may say where the API server finds the webhooks; blocks. All replicas may, unless one has
     * taken over: then it alone may, once it leads, and the others leave alone what it has said, also when it was
     * killed, until one of them leads again. One that is meant to be alone says it once it leads, or where nobody holds
     * the lease.
     */
    boolean mayRegister() {
        if (options.isEmpty() || fence.isOpen()) {
            return true;
        }
        LeaderElectionOptions chosen = options.get();
        return switch (chosen.candidacy()) {
            case TAKES_OVER -> false;
            case ELECTED -> TakeOver.holder(lease(chosen.lease())).isEmpty();
            case ALONE, ALONE_IN_POD -> isFree(chosen.lease());
        };
    }

    private boolean isFree(ObjectKey key) {
        try {
            Lease lease = lease(key);
            String holder = lease == null ? null : lease.getSpec().getHolderIdentity();
            return holder == null || holder.isEmpty();
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return true; // it will write without a lease
            }
            throw failure;
        }
    }

    private @Nullable Lease lease(ObjectKey key) {
        return environment
                .client()
                .leases()
                .inNamespace(key.namespace())
                .withName(key.name())
                .get();
    }

    /** Fails once this replica must not go on. */
    Future<Void> lost() {
        return lost.future();
    }

    /** Lets another lead. To be called once nothing is written any more. */
    Future<Void> release() {
        if (membership != null) {
            return Future.any(
                            membership.leave(Duration.ZERO), environment.vertx().timer(LEAVE.toMillis()))
                    .transform(left -> membership.stop())
                    .onComplete(ended -> {
                        writer.close();
                        writers.values().forEach(KubernetesClient::close);
                    });
        }
        LeaderElection running = election.future().result();
        Future<Void> free = running == null ? Future.succeededFuture() : running.release();
        return free.onComplete(done -> {
            if (options.isPresent()) {
                writer.close();
                writers.values().forEach(KubernetesClient::close);
            }
        });
    }
}
