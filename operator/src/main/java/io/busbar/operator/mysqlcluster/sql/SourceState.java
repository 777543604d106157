package io.busbar.operator.mysqlcluster.sql;

import java.util.Set;

/**
 * What a server outside says of itself, at one moment, to who is to follow it.
 *
 * <p>Immutable.
 *
 * @param version as it tells, such as {@code 10.11.18-MariaDB}
 * @param readOnly whether ordinary accounts cannot write; told before the history, so that one that is read-only has
 *     no more than that
 * @param logs whether it has a binary log
 * @param identifies whether its transactions have GTIDs
 * @param history all transactions that it has in its binary log
 * @param latest of these, by what a replica that has all of them has applied
 * @param serverIds by which MariaDB tells who wrote its transactions, and its own; empty of MySQL
 */
public record SourceState(
        ServerState.Flavor flavor,
        String version,
        boolean readOnly,
        boolean logs,
        boolean identifies,
        Position history,
        Position latest,
        Set<Long> serverIds) {

    public SourceState {
        serverIds = Set.copyOf(serverIds);
    }
}
