package io.busbar.operator.mysqlcluster.sql;

/** The way to servers. Any thread. */
public interface DatabaseServers {

    /**
     * Connections are made when they are needed, and none is kept once the server is closed.
     *
     * @param account of {@link Accounts#operator()}, of root before that one is there, or of programs, to see whether
     *     they are let in
     */
    DatabaseServer server(Endpoint endpoint, Account account);
}
