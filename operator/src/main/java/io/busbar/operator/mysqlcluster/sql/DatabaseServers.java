package io.busbar.operator.mysqlcluster.sql;

/** The way to servers. Any thread. */
public interface DatabaseServers {

    /**
     * Connections are made when they are needed, and none is kept once the server is closed.
     *
     * @param account of {@link Accounts#operator()}, or of root before that one is there
     */
    DatabaseServer server(Endpoint endpoint, Account account);
}
