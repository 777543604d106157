package io.busbar.operator.mysqlcluster.sql;

import io.vertx.core.Vertx;

/**
 * Reaches servers by Vert.x's client for MySQL, which MariaDB understands as well. Connections are of the plain protocol; a password that
 * MySQL wants to see is sent under the server's own public key.
 *
 * <p>Any thread but an event loop's: a worker verticle may wait here, as connections live on a context of their own.
 */
public final class VertxDatabaseServers implements DatabaseServers {

    private final Vertx vertx;
    private final EventLoop loop;

    public VertxDatabaseServers(Vertx vertx) {
        this.vertx = vertx;
        this.loop = new EventLoop(vertx);
    }

    @Override
    public DatabaseServer server(Endpoint endpoint, Account account) {
        return new ConnectedServer(endpoint, account, () -> VertxStatements.open(vertx, loop, endpoint, account));
    }
}
