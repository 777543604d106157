package io.busbar.operator.mysqlcluster.scale;

import io.busbar.operator.mysqlcluster.sql.Load;
import io.busbar.operator.mysqlcluster.v1alpha1.Autoscaling;
import io.busbar.operator.mysqlcluster.v1alpha1.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** What was sampled of one cluster, and decided. For one thread at a time. */
final class LoadHistory {

    private final Deque<Recommendation> recommendations = new ArrayDeque<>();
    private Map<String, Load> before = Map.of();
    private Instant changedAt;

    private record Recommendation(Instant at, int members) {}

    /**
     * @param begin taken for a time when the number of members was changed, as nobody knows better
     */
    LoadHistory(Instant begin) {
        changedAt = begin;
    }

    /**
     * Of a metric, over the members.
     *
     * @param now by member; rates are since the sample before
     * @return empty while there is nothing to go by
     */
    OptionalDouble average(Metric metric, Map<String, Load> now) {
        OptionalDouble average = now.entrySet().stream()
                .map(entry -> value(metric, before.get(entry.getKey()), entry.getValue()))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .average();
        before = new HashMap<>(now);
        return average;
    }

    /**
     * More members at once, fewer only when they have sufficed for a while; at most a step at a time, and not soon
     * after another.
     *
     * @param recommended within bounds
     */
    int decide(Autoscaling rules, int size, int recommended, Instant now) {
        Duration window = Duration.ofSeconds(rules.scaleDownStabilizationSeconds());
        recommendations.add(new Recommendation(now, recommended));
        Instant first = recommendations.peekFirst().at();
        while (recommendations.peekFirst().at().isBefore(now.minus(window))) {
            recommendations.removeFirst();
        }
        int highest =
                recommendations.stream().mapToInt(Recommendation::members).max().orElse(recommended);
        boolean stable = !first.isAfter(now.minus(window));
        int wanted = recommended > size ? recommended : stable ? Math.min(size, highest) : size;
        boolean cooling = now.isBefore(changedAt.plus(Duration.ofSeconds(rules.cooldownSeconds())));
        if (wanted == size || cooling) {
            return size;
        }
        changedAt = now;
        return wanted > size ? Math.min(wanted, size + rules.step()) : Math.max(wanted, size - rules.step());
    }

    private static OptionalDouble value(Metric metric, @Nullable Load before, Load now) {
        return switch (metric) {
            case ThreadsRunning -> OptionalDouble.of((double) now.threadsRunning());
            case Connections -> OptionalDouble.of((double) now.connections());
            case QueriesPerSecond -> rate(before, now);
        };
    }

    /** Nothing after a restart of the server. */
    private static OptionalDouble rate(@Nullable Load before, Load now) {
        if (before == null || now.uptimeSeconds() <= before.uptimeSeconds() || now.queries() < before.queries()) {
            return OptionalDouble.empty();
        }
        double seconds = (double) (now.uptimeSeconds() - before.uptimeSeconds());
        return OptionalDouble.of((double) (now.queries() - before.queries()) / seconds);
    }
}
