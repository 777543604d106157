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

    /** Where members of either product let in whoever administers them: the number that MySQL has for this. */
    public static final int ADMINISTRATION_PORT = 33062;

    /** Without TLS. */
    public Endpoint(String host, int port) {
        this(host, port, false);
    }

    /** Whether it is reached by a name, which a certificate can hold for. */
    public boolean isNamed() {
        return !host.matches("[0-9.]+|.*:.*");
    }

    /** The same server, by the port that lets in although programs hold all connections. */
    public Endpoint forAdministration() {
        return new Endpoint(host, ADMINISTRATION_PORT, encrypted);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
