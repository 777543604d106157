package io.busbar.runtime.assembly;

import io.busbar.common.ObjectKey;
import io.busbar.common.traffic.RequestGate;
import io.busbar.reconciler.leader.Fence;
import io.busbar.reconciler.leader.LeaderElection;
import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.reconciler.leader.TakeOver;
import io.busbar.runtime.client.ApiClients;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether this replica may write, and the client that controllers write with: always and the operator's own where no
 * lease is held.
 *
 * <p>Any thread.
 */
final class Leadership {

    private final OperatorEnvironment environment;
    private final Optional<LeaderElectionOptions> options;
    private final Fence fence = new Fence();
    private final KubernetesClient writer;
    /** Of other clusters. */
    private final Map<String, KubernetesClient> writers = new HashMap<>();

    private final Promise<Void> lost = Promise.promise();
    private final AtomicBoolean stands = new AtomicBoolean();
    private final Promise<LeaderElection> election = Promise.promise();
    /** By {@link System#nanoTime()}; of no meaning before this replica leads. */
    private volatile long ledSince;

    Leadership(OperatorEnvironment environment, Optional<LeaderElectionOptions> options) {
        this.environment = environment;
        this.options = options;
        this.writer = writer(environment.client());
        environment.clusters().forEach((name, client) -> writers.put(name, writer(client)));
    }

    private KubernetesClient writer(KubernetesClient client) {
        return options.isEmpty()
                ? client
                : ApiClients.fenced(
                        client.getConfiguration(),
                        environment.meters(),
                        environment.tracing(),
                        RequestGate.of(client.getHttpClient()),
                        fence,
                        environment.interceptors());
    }

    /**
     * The same for what controllers do in other clusters: who leads is decided in the operator's own.
     *
     * @return by the clusters' names
     */
    Map<String, KubernetesClient> writers() {
        return Map.copyOf(writers);
    }

    /** For all that controllers do. */
    KubernetesClient writer() {
        return writer;
    }

    /** For what controllers send by other means than their clients; throws as {@link Fence#pass} does. */
    void pass(String request) {
        if (options.isPresent()) {
            fence.pass(request);
        }
    }

    /**
     * Has work begin when this replica leads; it stands for election from the first of it on.
     *
     * @param catchUp what comes before where another may have led until a moment, by {@link System#nanoTime()}: whoever
     *     led may have written what this replica's watches do not show yet
     * @param begin what only a leader does
     * @return completes when the work has begun or, where a leader is elected, when this replica stands by
     */
    Future<Void> whenLeading(LongFunction<Future<Void>> catchUp, Supplier<Future<Void>> begin) {
        if (options.isEmpty()) {
            return begin.get();
        }
        if (stands.compareAndSet(false, true)) {
            stand(options.get());
        }
        election.future()
                .compose(LeaderElection::led)
                .compose(leading -> catchUp.apply(ledSince))
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
        return election.future().compose(LeaderElection::led);
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
