package io.busbar.operator.mysqlcluster.report;

import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import java.time.Duration;
import java.time.Instant;

/** When positions were told last, of each cluster. Any thread. */
public final class Freshness {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final PerCluster<Instant> last = new PerCluster<>();

    boolean isDue(Turn turn) {
        return last.of(turn.cluster())
                .filter(told -> Duration.between(told, turn.now()).compareTo(LIMIT) < 0)
                .isEmpty();
    }

    void told(Turn turn) {
        last.remember(turn.cluster(), turn.now(), turn.context().lister(MySQLCluster.class));
    }
}
