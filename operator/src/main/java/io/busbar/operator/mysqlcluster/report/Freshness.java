package io.busbar.operator.mysqlcluster.report;

import io.busbar.common.watch.Lister;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import java.time.Duration;
import java.time.Instant;

/** When positions were told last, of each cluster. Any thread. */
public final class Freshness {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final PerCluster<Instant> last = new PerCluster<>();

    boolean isDue(Observation seen) {
        return last.of(seen.cluster())
                .filter(told -> Duration.between(told, seen.steadily()).compareTo(LIMIT) < 0)
                .isEmpty();
    }

    void told(Observation seen, Lister<MySQLCluster> there) {
        last.remember(seen.cluster(), seen.steadily(), there);
    }
}
