package io.busbar.operator.mysqlcluster.sql;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FileRegion;
import io.netty.handler.stream.ChunkedInput;
import io.netty.util.ReferenceCountUtil;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.SqlConnectionInternal;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the operator's files from servers. A server may answer any statement by asking for a file of the client's
 * ({@code LOAD DATA LOCAL INFILE}), the client sends it, and has no option not to; yet a user of the cluster chooses
 * which image runs as a server, and must not get the operator's token by that. The connection is closed instead.
 *
 * <p>One context.
 */
final class NoFiles extends ChannelOutboundHandlerAdapter {

    private static final Logger LOG = LoggerFactory.getLogger(NoFiles.class);

    private final Endpoint server;

    private NoFiles(Endpoint server) {
        this.server = server;
    }

    /** Before the first statement, on the connection's event loop. */
    static SqlConnection guard(SqlConnection connection, Endpoint server) {
        if (connection instanceof SqlConnectionInternal internal
                && internal.unwrap() instanceof SocketConnectionBase socket) {
            ChannelHandlerContext client = socket.socket().channelHandlerContext();
            client.pipeline().addBefore(client.name(), "noFiles", new NoFiles(server));
            return connection;
        }
        throw new IllegalStateException("cannot be kept from files: " + connection.getClass());
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (message instanceof FileRegion || message instanceof ChunkedInput<?>) {
            LOG.atWarn()
                    .addKeyValue("server", server)
                    .log("Cut off a database server that asks for a file of the operator");
            ReferenceCountUtil.release(message);
            promise.tryFailure(new IOException("files are not sent"));
            close(context, context.newPromise());
        } else {
            super.write(context, message, promise);
        }
    }
}
