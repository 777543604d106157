package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.operator.mysqlcluster.MySQLClusterBundle;
import io.busbar.operator.mysqlcluster.observe.Together;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.leader.Fence;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One of the operators of a {@link SimulatedCluster}, with a clock, watches and a thread of its own. It can be stopped
 * before a change, so that others go on while it stands still; and it asks its fence before each call, as the real one
 * does. The fence is open as long as it leads. So all that may come late is the one call that had passed the fence
 * before.
 *
 * <p>For one thread, which waits while this one's works: never do two work at once, and a run is the same each time.
 */
final class SimulatedOperator implements AutoCloseable {

    final String name;
    final InMemoryContext<MySQLCluster> context;
    final Calls calls;

    /** Pods that it does not get through to, and those whose answers do not get through to it. */
    final Set<String> cutOff = new HashSet<>();

    final Set<String> unheard = new HashSet<>();

    /** Ahead of the API server's clock. */
    Duration ahead = Duration.ZERO;

    boolean leads;

    private final Fence shut = new Fence();
    private final SimulatedCluster world;
    private final Semaphore go = new Semaphore(0);
    private final Semaphore stands = new Semaphore(0);
    private final Thread thread;
    private Reconciler<MySQLCluster> reconciler;
    private int processes;
    private int pauseIn;
    private @Nullable String pauseAt;
    private boolean inFlight;
    private boolean paused;
    private boolean over;
    private @Nullable Throwable failure;
    private String outcome = "";

    /**
     * @param meanwhile what others do before each of its changes
     */
    SimulatedOperator(String name, SimulatedCluster world, Runnable meanwhile) {
        this.name = name;
        this.world = world;
        this.context = world.context.beside();
        this.calls = new Calls(meanwhile, () -> {});
        this.reconciler = begun();
        calls.passAt(this::pass);
        context.passRequestsThrough(new CountedRequests(calls));
        thread = new Thread(this::work, "simulated-operator-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    @SuppressWarnings("unchecked") // the first is that of clusters
    private Reconciler<MySQLCluster> begun() {
        Reach reach = new Reach() {

            @Override
            public boolean gets(SimulatedServer server) {
                return !cutOff.contains(server.pod);
            }

            @Override
            public boolean hears(SimulatedServer server) {
                return !unheard.contains(server.pod);
            }
        };
        return (Reconciler<MySQLCluster>) new MySQLClusterBundle(
                        its -> world.servers.as(calls, reach), new Together(Runnable::run), clock(), steady())
                .controllers(BundleContext.declaring("busbar-system"))
                .get(0)
                .reconciler();
    }

    private Clock clock() {
        return clock(() -> ahead);
    }

    /** Goes on evenly, and differently in each operator. */
    private Clock steady() {
        Duration own = Duration.ofHours(processes++);
        return clock(() -> own);
    }

    private Clock clock(Supplier<Duration> difference) {
        return new Clock() {

            @Override
            public Instant instant() {
                return world.context.clock().instant().plus(difference.get());
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
    }

    /** As a process that begins: it knows nothing but what is stored. */
    void restart() {
        calls.restart();
        context.restart();
        reconciler = begun();
    }

    /** As where replicas share the work: the cluster comes to this process, which may have worked on it before. */
    void comeBack() {
        context.restart();
        context.comeBack();
    }

    /**
     * Stops before so many changes more.
     *
     * @param afterFence whether that change is on its way already, and is carried out whoever leads then
     */
    void pauseBefore(int changes, boolean afterFence) {
        pauseIn = changes;
        inFlight = afterFence;
    }

    /** Stops before the next change whose name begins so. */
    void pauseAt(String change, boolean afterFence) {
        pauseAt = change;
        inFlight = afterFence;
    }

    /** Nothing goes wrong from now on that was meant to. */
    void calm() {
        pauseIn = 0;
        calls.breakAfter(0, Calls.Fault.CRASH);
        cutOff.clear();
        unheard.clear();
        ahead = Duration.ZERO;
        context.release();
    }

    boolean isPaused() {
        return paused;
    }

    /** Takes a turn, or goes on with the one that it had stopped in; returns at its end, or where it stops. */
    String turn() {
        if (!paused) {
            calls.forget();
            context.forget();
        }
        outcome = "";
        paused = false;
        go.release();
        stands.acquireUninterruptibly();
        if (!paused && calls.hasEnded()) {
            restart();
        }
        Throwable why = failure;
        if (why != null) {
            failure = null;
            throw new AssertionError("the turn of " + name + " failed", why);
        }
        return outcome;
    }

    private void work() {
        while (true) {
            go.acquireUninterruptibly();
            if (over) {
                return;
            }
            try {
                context.reconcile(reconciler);
            } catch (OperatorCrash ended) {
                outcome = " CRASHED";
            } catch (KubernetesClientException refused) {
                outcome = " ENDED: " + refused.getMessage();
            } catch (Exception | AssertionError unexpected) {
                failure = unexpected;
            }
            stands.release();
        }
    }

    /** On its own thread. */
    private void pass(String change) {
        if (!change.isEmpty() && isToPause(change)) {
            paused = true;
            outcome = " PAUSED " + (inFlight ? "after" : "before") + " the fence of " + change;
            stands.release();
            go.acquireUninterruptibly();
            if (over) {
                throw new OperatorCrash(change);
            }
            if (inFlight) {
                return;
            }
        }
        if (!leads) {
            shut.pass(change);
        }
    }

    private boolean isToPause(String change) {
        boolean isNext = pauseIn > 0 && --pauseIn == 0;
        if (pauseAt != null && change.startsWith(pauseAt)) {
            pauseAt = null;
            return true;
        }
        return isNext;
    }

    @Override
    public void close() {
        over = true;
        go.release();
        if (paused) {
            go.release();
        }
    }
}
