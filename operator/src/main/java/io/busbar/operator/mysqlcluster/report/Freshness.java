package io.busbar.operator.mysqlcluster.report;

import io.busbar.common.ObjectKey;
import io.busbar.operator.mysqlcluster.topology.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** When positions were told last, of each cluster. Any thread. */
public final class Freshness {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Map<ObjectKey, Instant> last = new ConcurrentHashMap<>();

    boolean isDue(Turn turn) {
        Instant told = last.get(turn.context().key());
        return told == null || Duration.between(told, turn.now()).compareTo(LIMIT) >= 0;
    }

    void told(Turn turn) {
        last.put(turn.context().key(), turn.now());
    }
}
