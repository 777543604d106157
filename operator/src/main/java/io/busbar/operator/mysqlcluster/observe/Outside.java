package io.busbar.operator.mysqlcluster.observe;

import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.SourceState;
import io.busbar.operator.mysqlcluster.sql.Upstream;
import java.util.List;
import java.util.Optional;

/**
 * The server outside that a cluster follows, at one moment.
 *
 * <p>Immutable.
 *
 * @param endpoint where it listens
 * @param upstream the way there; empty while a Secret for it is missing
 * @param state what it says of itself; empty when it was not asked, or cannot be
 * @param suspects some tables that a dump may not hold as they were at its moment; asked for with the first member
 * @param failure why there is no way, or no answer; with the remedy
 */
public record Outside(
        Endpoint endpoint,
        Optional<Upstream> upstream,
        Optional<SourceState> state,
        List<String> suspects,
        Optional<String> failure) {

    public Outside {
        suspects = List.copyOf(suspects);
    }
}
