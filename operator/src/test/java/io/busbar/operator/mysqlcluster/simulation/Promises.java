package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.v1alpha1.DivergedMembers;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the operator promises, whatever happens around it. It is held to it after every step.
 *
 * <ol>
 *   <li>With semi-synchronous replication, what a client was told is written stays as long as a single server has it on
 *       its volume: applied, or received by one that was not restarted since. A member that has only part of a copy
 *       does not count. Two servers have each such write at first, so that one lost volume, or server, is never enough
 *       to lose any; losing the primary's volume and, before anybody else has got it, that of the one replica that
 *       acknowledged a write is, and nobody can promise anything about that write from then on. Who takes writes as
 *       the primary has all of them.
 *   <li>No two Pods that have the label of the primary take writes.
 *   <li>No server that has all that was acknowledged, and nothing else than the primary has, loses any of it through
 *       the operator. One that lacks something, or has writes of its own, may where the spec allows that; and the
 *       primary has it then, or, where the primary has lost its own, somebody else. So may one that lacks what nobody
 *       was told of and the primary's log does not have any more: it could never follow.
 * </ol>
 *
 * <p>Without semi-synchronous replication only the second holds. For one thread.
 */
final class Promises {

    private final SimulatedCluster cluster;
    private final boolean semiSync;

    /** Acknowledged, and still somewhere. */
    private final Set<Transaction> kept = new LinkedHashSet<>();

    private final Map<String, Set<Transaction>> before = new HashMap<>();
    private final Set<Transaction> keptBefore = new LinkedHashSet<>();
    private int seen;
    private int voided;

    Promises(SimulatedCluster cluster) {
        this.cluster = cluster;
        this.semiSync = cluster.cluster().wanted().replication().semiSync();
    }

    /**
     * Servers and volumes were destroyed by something else than the operator: what only they had is not promised any
     * more.
     */
    void destroyed() {
        note();
        int had = kept.size();
        kept.removeIf(written -> !isSomewhere(written));
        voided += had - kept.size();
        remember();
    }

    /** How many acknowledged writes were destroyed by what the operator cannot help. */
    int voided() {
        return voided;
    }

    int kept() {
        return kept.size();
    }

    /** After what the operator, its Jobs, clients and time did. @return what was broken; null for nothing */
    @Nullable
    String broken() {
        note();
        String broken = ends();
        if (broken == null && semiSync) {
            broken = lost();
        }
        remember();
        return broken;
    }

    /** What is still promised is all that is asked for from now on. */
    void release() {
        note();
        cluster.servers.forgetAllBut(semiSync ? Set.copyOf(kept) : Set.of());
    }

    private void note() {
        Set<Transaction> acknowledged = cluster.servers.acknowledged();
        if (acknowledged.size() > seen) {
            acknowledged.stream().skip(seen).forEach(kept::add);
            seen = acknowledged.size();
        }
    }

    private void remember() {
        keptBefore.clear();
        keptBefore.addAll(kept);
        for (SimulatedServer server : cluster.servers.all()) {
            Set<Transaction> rows = new LinkedHashSet<>();
            if (!server.incomplete) {
                rows.addAll(server.rows);
            }
            before.put(server.pod, rows);
        }
    }

    private boolean isSomewhere(Transaction written) {
        return cluster.servers.all().stream().anyMatch(server -> server.has(written));
    }

    /** @return two Pods that both take writes as primaries; null for none */
    @Nullable
    String ends() {
        List<String> ends = new ArrayList<>();
        for (Pod pod : cluster.context.list(Pod.class)) {
            if (ClusterNames.label(pod, ClusterNames.ROLE).equals(ClusterNames.PRIMARY) && takesWrites(pod)) {
                ends.add(pod.getMetadata().getName());
            }
        }
        return ends.size() > 1 ? "two Pods have the label of the primary and take writes: " + ends : null;
    }

    private boolean takesWrites(Pod pod) {
        SimulatedServer server = cluster.servers.of(pod.getMetadata().getName());
        return server.up && !server.silent && !server.readOnly;
    }

    private @Nullable String lost() {
        for (Transaction written : kept) {
            if (!isSomewhere(written)) {
                return "acknowledged, and nowhere any more: " + written;
            }
        }
        for (Pod pod : cluster.context.list(Pod.class)) {
            if (ClusterNames.label(pod, ClusterNames.ROLE).equals(ClusterNames.PRIMARY) && takesWrites(pod)) {
                SimulatedServer primary = cluster.servers.of(pod.getMetadata().getName());
                for (Transaction written : kept) {
                    if (!primary.rows.contains(written)) {
                        return "acknowledged, and not with " + primary.pod + ", which takes writes as the primary: "
                                + written;
                    }
                }
            }
        }
        return taken();
    }

    /** Where somebody has emptied the status, to whom the Service leads. */
    private @Nullable String primary() {
        String named = cluster.status().currentPrimary();
        List<String> labelled = cluster.labelled();
        return named != null || labelled.isEmpty() ? named : labelled.get(0);
    }

    private boolean wasWhole(Set<Transaction> had, SimulatedServer primary) {
        return primary.rows.containsAll(had) && had.containsAll(keptBefore) && primary.tells(had);
    }

    /** Whether the primary has what is taken from a member that has not all, or something else, or could not follow. */
    private boolean isLeftToPrimary(SimulatedServer member, Set<Transaction> had, Transaction written) {
        String name = primary();
        if (name == null || name.equals(member.pod)) {
            return false;
        }
        SimulatedServer primary = cluster.servers.of(name);
        return primary.rows.contains(written) && !wasWhole(had, primary);
    }

    /**
     * Whether it is taken from one that lacked something promised, and somebody has it: a primary may have lost all.
     */
    private boolean isLeftBehind(Set<Transaction> had, Transaction written) {
        return !had.containsAll(keptBefore) && isSomewhere(written);
    }

    private @Nullable String taken() {
        for (SimulatedServer server : cluster.servers.all()) {
            Set<Transaction> had = before.getOrDefault(server.pod, Set.of());
            for (Transaction written : had) {
                if (kept.contains(written) && (server.incomplete || !server.rows.contains(written))) {
                    boolean allowed = cluster.cluster().wanted().divergedMembers() == DivergedMembers.Reclone
                            && (isLeftToPrimary(server, had, written) || isLeftBehind(had, written));
                    if (!allowed) {
                        return "acknowledged, and taken from " + server.pod + ", which was to be left as it was: "
                                + written;
                    }
                }
            }
        }
        return null;
    }
}
