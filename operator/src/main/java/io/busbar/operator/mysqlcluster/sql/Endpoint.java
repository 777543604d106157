package io.busbar.operator.mysqlcluster.sql;

/**
 * Where a server listens, and how it is connected to there.
 *
 * <p>Immutable.
 *
 * @param host a name or an address
 * @param encrypted whether connections go over TLS, and are not made without; a replica whose connection is not as it
 *     should be does not follow what it should
 */
public record Endpoint(String host, int port, boolean encrypted) {

    /** Without TLS. */
    public Endpoint(String host, int port) {
        this(host, port, false);
    }

    /** Whether it is reached by a name, which a certificate can hold for. */
    public boolean isNamed() {
        return !host.matches("[0-9.]+|.*:.*");
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
