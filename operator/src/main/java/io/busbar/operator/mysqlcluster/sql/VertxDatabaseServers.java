package io.busbar.operator.mysqlcluster.sql;

import com.google.common.base.Suppliers;
import io.vertx.core.Vertx;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reaches servers by Vert.x's client for MySQL, which MariaDB understands as well. Connections are of the plain
 * protocol; a password that MySQL wants to see is sent under the server's own public key.
 *
 * <p>Any thread but an event loop's: a worker verticle may wait here, as connections live on a context of their own.
 */
public final class VertxDatabaseServers implements DatabaseServers {

    private final Supplier<Vertx> vertx;
    private final Supplier<EventLoop> loop;
    private final Consumer<String> fence;

    /**
     * @param vertx asked for at the first connection
     * @param fence asked right before each statement is sent, on an event loop; throws unless this replica leads
     */
    public VertxDatabaseServers(Supplier<Vertx> vertx, Consumer<String> fence) {
        this.vertx = vertx;
        this.fence = fence;
        this.loop = Suppliers.memoize(() -> new EventLoop(vertx.get()));
    }

    @Override
    public DatabaseServer server(Endpoint endpoint, Account account) {
        return new ConnectedServer(
                endpoint, account, () -> VertxStatements.open(vertx.get(), loop.get(), endpoint, account, fence));
    }
}
