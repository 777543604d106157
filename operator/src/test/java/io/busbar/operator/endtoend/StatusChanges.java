package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Notes in a journal what is told of the clusters of a namespace, whenever it changes. Notes on the client's threads.
 */
final class StatusChanges implements Watcher<MySQLCluster>, AutoCloseable {

    private static final Set<String> TOLD = Set.of("Degraded", "ReplicationHealthy", "Archived");

    private final Journal journal;
    private final Watch watch;
    private String last = "";

    StatusChanges(KubernetesClient client, String namespace, Journal journal) {
        this.journal = journal;
        this.watch = client.resources(MySQLCluster.class).inNamespace(namespace).watch(this);
    }

    @Override
    public synchronized void eventReceived(Action action, MySQLCluster cluster) {
        String told = cluster.getStatus() == null ? "nothing" : describe(cluster.getStatus());
        if (!told.equals(last)) {
            last = told;
            journal.note("    status: " + told);
        }
    }

    private static String describe(MySQLClusterStatus status) {
        String members = status.members().stream()
                .map(member -> member.role()
                        + (member.ioRunning() ? "+" : "-")
                        + (member.lastError() == null ? "" : " (" + member.lastError() + ")"))
                .collect(Collectors.joining(","));
        String why = status.conditions().stream()
                .filter(one -> TOLD.contains(one.getType()))
                .filter(one -> !one.getMessage().isEmpty())
                .map(one -> one.getReason() + " " + one.getMessage())
                .collect(Collectors.joining("; "));
        return status.phase() + ", primary " + status.currentPrimary() + ", failover "
                + status.failover().phase() + ", " + members + ", " + why;
    }

    @Override
    public void onClose(WatcherException cause) {
        journal.note("    status: not seen any more, " + cause.getMessage());
    }

    @Override
    public void close() {
        watch.close();
    }
}
