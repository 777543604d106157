package io.busbar.operator.mysqlcluster.sql;

import java.util.Optional;

/** The way to servers. Any thread. */
public interface DatabaseServers {

    /**
     * Connections are made when they are needed, and none is kept once the server is closed.
     *
     * @param account of {@link Accounts#operator()}, of root before that one is there, or of programs, to see whether
     *     they are let in
     */
    default DatabaseServer server(Endpoint endpoint, Account account) {
        return server(endpoint, account, Optional.empty());
    }

    /**
     * The same, verified.
     *
     * @param trust empty for an endpoint that is not encrypted; one that is and cannot be verified is not connected to
     */
    DatabaseServer server(Endpoint endpoint, Account account, Optional<Trust> trust);

    /**
     * The same, of a member.
     *
     * @param administered whether it has a {@linkplain Endpoint#forAdministration() port for administration}, where it
     *     is asked as long as it has no other connection left
     */
    default DatabaseServer server(Endpoint endpoint, Account account, Optional<Trust> trust, boolean administered) {
        return server(endpoint, account, trust);
    }
}
