package io.busbar.operator.mysqlcluster.objects;

import io.busbar.common.watch.Lister;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * What the operator remembers of each cluster, as long as that is there: when something is remembered of another one,
 * what was of those that are gone is forgotten. A cluster that is made anew under the same name is another one. Any
 * thread.
 *
 * @param <V> never null
 */
public final class PerCluster<V> {

    private final Map<String, V> byUid = new ConcurrentHashMap<>();

    public Optional<V> of(MySQLCluster cluster) {
        return Optional.ofNullable(byUid.get(uid(cluster)));
    }

    /** @param there all clusters, this one perhaps not yet */
    public void remember(MySQLCluster cluster, V value, Lister<MySQLCluster> there) {
        if (byUid.put(uid(cluster), value) == null) {
            Set<String> kept =
                    there.list().stream().map(PerCluster::uid).collect(Collectors.toCollection(HashSet::new));
            kept.add(uid(cluster));
            byUid.keySet().retainAll(kept);
        }
    }

    public void forget(MySQLCluster cluster) {
        byUid.remove(uid(cluster));
    }

    private static String uid(MySQLCluster cluster) {
        return cluster.getMetadata().getUid();
    }
}
