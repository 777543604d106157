package io.busbar.operator.mysqlcluster.scale;

import io.busbar.common.watch.Lister;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.observe.Memory.Recommendation;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Load;
import io.busbar.operator.mysqlcluster.v1alpha1.Autoscaling;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How many members there should be by how busy they are. What was sampled is forgotten when the operator ends; the size
 * that was decided on is in the status, and when that was is not: an operator that begins waits as after a change. Any
 * thread.
 */
public final class Autoscaler {

    private final PerCluster<LoadHistory> histories = new PerCluster<>();

    /** Samples the load of a cluster that is scaled by it; once in a turn. */
    public Recommendation sample(Observation seen, Autoscaling rules, Lister<MySQLCluster> there) {
        int now = seen.replicas();
        int most = Math.max(rules.minReplicas(), rules.maxReplicas());
        if (now < rules.minReplicas() || now > most) {
            int bounded = Math.min(most, Math.max(rules.minReplicas(), now));
            return new Recommendation(bounded, bounded);
        }
        LoadHistory history = histories.of(seen.cluster()).orElseGet(() -> new LoadHistory(seen.steadily()));
        histories.remember(seen.cluster(), history, there);
        OptionalDouble average = history.average(rules.metric(), loads(seen));
        if (average.isEmpty()) {
            return new Recommendation(now, now);
        }
        int calledFor = (int) Math.ceil(now * average.getAsDouble() / rules.target());
        int bounded = Math.min(most, Math.max(rules.minReplicas(), calledFor));
        return new Recommendation(history.decide(rules, now, bounded, seen.steadily()), calledFor);
    }

    /** Of a cluster that is not scaled by its load any more. */
    public void forget(MySQLCluster cluster) {
        histories.forget(cluster);
    }

    private static Map<String, Load> loads(Observation seen) {
        Map<String, Load> byName = new HashMap<>();
        seen.members().reachable().forEach(member -> member.load().ifPresent(load -> byName.put(member.name(), load)));
        return byName;
    }
}
