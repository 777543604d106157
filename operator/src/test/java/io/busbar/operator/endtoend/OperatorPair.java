package io.busbar.operator.endtoend;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Two processes of the operator for MySQLClusters, without webhooks, of which one leads: the other takes over within
 * seconds. One that has ended is started again. Any thread.
 */
final class OperatorPair {

    private static final List<String> NAMES = List.of("first", "second");

    private final KubernetesClient client;
    private final String namespace;
    private final String lease;
    private final List<KillableOperator> operators = new ArrayList<>();
    private final ScheduledExecutorService kubelet = Executors.newSingleThreadScheduledExecutor();

    /**
     * @param lease that they compete for, which nobody else on that cluster does
     * @param folder where they write what they have to say
     */
    OperatorPair(RunningCluster cluster, String lease, Path folder) throws IOException {
        this.client = cluster.client();
        this.namespace = cluster.namespace();
        this.lease = lease;
        OperatorAccount.allowLease(client, lease);
        for (String name : NAMES) {
            Path log = folder.resolve(name + ".log");
            Files.deleteIfExists(log);
            operators.add(new KillableOperator(
                    name,
                    cluster.kubeconfig(),
                    log,
                    "--operators=mysqlcluster",
                    "--webhook-certs=none",
                    "--pod-addressing=PodIP",
                    RunningCluster.STORAGE_IMAGE,
                    "--log-level=info",
                    "--leader-elect",
                    "--leader-election-id=" + lease,
                    "--leader-election-lease-duration=8s",
                    "--leader-election-renew-deadline=6s",
                    "--leader-election-retry-period=1s"));
        }
        var unused = kubelet.scheduleWithFixedDelay(this::startEnded, 1, 1, TimeUnit.SECONDS);
    }

    /** One that has lost the Lease ends by itself. */
    private synchronized void startEnded() {
        for (KillableOperator operator : operators) {
            try {
                operator.startIfEnded();
            } catch (IOException unwritable) {
                throw new UncheckedIOException(unwritable);
            }
        }
    }

    /**
     * As a lost machine would end it; it starts again at once, and the other one takes over as soon as the Lease lets
     * it.
     */
    synchronized void killLeader() throws IOException, InterruptedException {
        leader().killAndStart();
    }

    /** Both at once: nobody leads until one of them has started and the Lease is over. */
    synchronized void killBoth() throws IOException, InterruptedException {
        for (KillableOperator operator : operators) {
            operator.end();
        }
        for (KillableOperator operator : operators) {
            operator.killAndStart();
        }
    }

    /**
     * Stops the one that leads where it is, until the answer is run: for longer than the Lease, it leads no more by
     * then, and is not told.
     */
    synchronized Runnable freezeLeader() throws IOException, InterruptedException {
        KillableOperator frozen = leader();
        frozen.freeze();
        return () -> thaw(frozen);
    }

    private synchronized void thaw(KillableOperator frozen) {
        try {
            frozen.thaw();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** None is frozen any more. */
    synchronized void thawAll() {
        operators.forEach(this::thaw);
    }

    private KillableOperator leader() {
        Lease held = client.leases().inNamespace(namespace).withName(lease).get();
        String holder = held == null || held.getSpec().getHolderIdentity() == null
                ? ""
                : held.getSpec().getHolderIdentity();
        return operators.get(holder.startsWith(NAMES.get(1) + "_") ? 1 : 0);
    }

    synchronized void end() throws InterruptedException {
        kubelet.shutdownNow();
        for (KillableOperator operator : operators) {
            operator.end();
        }
        client.leases().inNamespace(namespace).withName(lease).delete();
    }
}
