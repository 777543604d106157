package io.busbar.operator.mysqlcluster.sql;

/**
 * Where a server listens.
 *
 * <p>Immutable.
 *
 * @param host a name or an address
 */
public record Endpoint(String host, int port) {

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
