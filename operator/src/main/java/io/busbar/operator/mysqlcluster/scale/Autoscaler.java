package io.busbar.operator.mysqlcluster.scale;

import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.sql.Load;
import io.busbar.operator.mysqlcluster.topology.ClusterReasons;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.Autoscaling;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How many members are wanted: as the spec says, or by how busy they are. What was sampled is forgotten when the operator ends; the size that
 * was decided on is in the status, and when that was is not: an operator that begins waits as after a change. Any thread.
 */
public final class Autoscaler {

    private final PerCluster<LoadHistory> histories = new PerCluster<>();

    int wanted(Turn turn, int now) {
        Autoscaling rules = turn.spec().autoscaling();
        if (rules == null || !rules.enabled()) {
            histories.forget(turn.cluster());
            return turn.spec().size();
        }
        int most = Math.max(rules.minReplicas(), rules.maxReplicas());
        if (now < rules.minReplicas() || now > most) {
            return Math.min(most, Math.max(rules.minReplicas(), now));
        }
        LoadHistory history = history(turn);
        OptionalDouble average = history.average(rules.metric(), sample(turn));
        if (average.isEmpty()) {
            return now;
        }
        int unbounded = (int) Math.ceil(now * average.getAsDouble() / rules.target());
        int bounded = Math.min(most, Math.max(rules.minReplicas(), unbounded));
        if (bounded != unbounded) {
            turn.draft()
                    .note(
                            unbounded > bounded ? ClusterReasons.TOO_MANY_REPLICAS : ClusterReasons.TOO_FEW_REPLICAS,
                            unbounded + " members are called for, " + rules.minReplicas() + " to " + most + " allowed");
        }
        return history.decide(rules, now, bounded, turn.now());
    }

    private LoadHistory history(Turn turn) {
        LoadHistory history = histories.of(turn.cluster()).orElseGet(() -> new LoadHistory(turn.now()));
        histories.remember(turn.cluster(), history, turn.context().lister(MySQLCluster.class));
        return history;
    }

    private static Map<String, Load> sample(Turn turn) {
        Map<String, Load> byName = new HashMap<>();
        turn.members().reachable().forEach(member -> member.load().ifPresent(load -> byName.put(member.name(), load)));
        return byName;
    }
}
