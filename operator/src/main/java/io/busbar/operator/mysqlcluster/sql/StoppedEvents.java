package io.busbar.operator.mysqlcluster.sql;

import java.util.List;

/**
 * Events that a server does not run. A replica tells all as stopped by replication, also those that a user has disabled
 * at its source.
 *
 * <p>Immutable.
 *
 * @param byReplication names with their schemas, quoted as SQL has them
 * @param byUser the same
 */
public record StoppedEvents(List<String> byReplication, List<String> byUser) {

    public StoppedEvents {
        byReplication = List.copyOf(byReplication);
        byUser = List.copyOf(byUser);
    }
}
