package io.busbar.operator.mysqlcluster.scale;

import io.busbar.common.ObjectKey;
import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.Load;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.topology.ConditionTypes;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.Autoscaling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many members are wanted: as the spec says, or by how busy they are. What was sampled is forgotten when the operator ends; the size that
 * was decided on is in the status. Any thread.
 */
public final class Autoscaler {

    private final Map<ObjectKey, LoadHistory> histories = new ConcurrentHashMap<>();

    int wanted(Turn turn, int now) throws InterruptedException {
        Autoscaling rules = turn.spec().autoscaling();
        if (rules == null || !rules.enabled()) {
            histories.remove(turn.context().key());
            return turn.spec().size();
        }
        int most = Math.max(rules.minReplicas(), rules.maxReplicas());
        if (now < rules.minReplicas() || now > most) {
            return Math.min(most, Math.max(rules.minReplicas(), now));
        }
        LoadHistory history = histories.computeIfAbsent(turn.context().key(), key -> new LoadHistory());
        OptionalDouble average = history.average(rules.metric(), sample(turn));
        if (average.isEmpty()) {
            return now;
        }
        int unbounded = (int) Math.ceil(now * average.getAsDouble() / rules.target());
        int bounded = Math.min(most, Math.max(rules.minReplicas(), unbounded));
        if (bounded != unbounded) {
            turn.draft()
                    .note(
                            ConditionTypes.SCALING_LIMITED,
                            unbounded > bounded ? "TooManyReplicas" : "TooFewReplicas",
                            unbounded + " members are called for, " + rules.minReplicas() + " to " + most + " allowed");
        }
        return history.decide(rules, now, bounded, turn.now());
    }

    private static Map<String, Load> sample(Turn turn) throws InterruptedException {
        List<Member> reachable = turn.members().reachable();
        List<Optional<Load>> loads = turn.fleet().each(reachable, member -> load(turn, member));
        Map<String, Load> byName = new ConcurrentHashMap<>();
        for (int i = 0; i < reachable.size(); i++) {
            String name = reachable.get(i).name();
            loads.get(i).ifPresent(load -> byName.put(name, load));
        }
        return byName;
    }

    private static Optional<Load> load(Turn turn, Member member) throws InterruptedException {
        try (DatabaseServer server = turn.fleet().connect(member)) {
            return Optional.of(server.load());
        } catch (SqlFailure away) {
            return Optional.empty();
        }
    }
}
