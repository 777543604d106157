package io.busbar.operator.mysqlcluster.sql;

import com.google.common.base.Suppliers;
import io.busbar.reconciler.leader.Permit;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reaches servers by Vert.x's client for MySQL, which MariaDB understands as well. Without TLS, a password
 * that MySQL wants to see is sent under the server's own public key.
 *
 * <p>Any thread but an event loop's: a worker verticle may wait here, as connections live on a context of their own.
 */
public final class VertxDatabaseServers implements DatabaseServers {

    private final Supplier<Vertx> vertx;
    private final Supplier<EventLoop> loop;
    private final Permit permit;

    /**
     * @param vertx asked for at the first connection
     * @param permit asked right before each statement is sent, by the thread that works on the cluster and on an event
     *     loop
     */
    public VertxDatabaseServers(Supplier<Vertx> vertx, Permit permit) {
        this.vertx = vertx;
        this.permit = permit;
        this.loop = Suppliers.memoize(() -> new EventLoop(vertx.get()));
    }

    @Override
    public DatabaseServer server(Endpoint endpoint, Account account, Optional<Trust> trust) {
        return server(endpoint, account, trust, false);
    }

    @Override
    public DatabaseServer server(Endpoint endpoint, Account account, Optional<Trust> trust, boolean administered) {
        return new ConnectedServer(endpoint, account, () -> {
            try {
                return open(endpoint, account, trust);
            } catch (SqlFailure failure) {
                if (!administered || !Failures.isTurnedAway(failure)) {
                    throw failure;
                }
                return openForAdministration(endpoint, account, trust, failure);
            }
        });
    }

    private Statements open(Endpoint endpoint, Account account, Optional<Trust> trust)
            throws SqlFailure, InterruptedException {
        return VertxStatements.open(vertx.get(), loop.get(), endpoint, account, trust, permit);
    }

    /** @param full what is told where there is no such way in either */
    private Statements openForAdministration(Endpoint endpoint, Account account, Optional<Trust> trust, SqlFailure full)
            throws SqlFailure, InterruptedException {
        try {
            return open(endpoint.forAdministration(), account, trust);
        } catch (SqlFailure alsoClosed) {
            full.addSuppressed(alsoClosed);
            throw full;
        }
    }
}
