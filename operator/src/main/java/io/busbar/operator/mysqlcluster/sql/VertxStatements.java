package io.busbar.operator.mysqlcluster.sql;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.busbar.reconciler.leader.FencedException;
import io.busbar.reconciler.leader.Permit;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.SslMode;
import io.vertx.mysqlclient.spi.MySQLDriver;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.spi.ConnectionFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

/**
 * A connection of Vert.x's client, spoken to in the text protocol. It has a factory to itself, since closing that is
 * what ends a connection on which a statement hangs.
 *
 * <p>For one thread, which may block.
 */
final class VertxStatements implements Statements {

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration CONNECT_AND_LOG_IN = Duration.ofSeconds(3);
    private static final Duration ORDERLY_CLOSE = Duration.ofSeconds(1);

    private final EventLoop loop;
    private final Endpoint server;
    private final ConnectionFactory<MySQLConnectOptions> factory;
    private final SqlConnection connection;
    private final Permit permit;
    private final Optional<ShownCertificate> shown;
    private volatile boolean open = true;

    private VertxStatements(
            EventLoop loop,
            Endpoint server,
            ConnectionFactory<MySQLConnectOptions> factory,
            SqlConnection connection,
            Permit permit,
            Optional<ShownCertificate> shown) {
        this.loop = loop;
        this.server = server;
        this.factory = factory;
        this.connection = connection;
        this.permit = permit;
        this.shown = shown;
        connection.closeHandler(lost -> open = false);
        // It is printed where nobody listens. What is under way fails, too, and says why.
        connection.exceptionHandler(lost -> open = false);
    }

    static VertxStatements open(
            Vertx vertx, EventLoop loop, Endpoint server, Account account, Optional<Trust> trust, Permit permit)
            throws SqlFailure, InterruptedException {
        if (server.encrypted() && trust.isEmpty()) {
            throw new SqlFailure(
                    SqlFailure.Kind.UNREACHABLE, server + ": there is no CA to verify its certificate by", null);
        }
        Optional<ShownCertificate> shown =
                trust.filter(its -> server.encrypted()).map(ShownCertificate::new);
        ConnectionFactory<MySQLConnectOptions> factory = MySQLDriver.INSTANCE.createConnectionFactory(
                vertx,
                new NetClientOptions()
                        .setConnectTimeout((int) CONNECT.toMillis())
                        // All connections share one event loop, and a handshake takes some milliseconds to compute.
                        .setSslEngineOptions(new JdkSSLEngineOptions().setUseWorkerThread(true)));
        SqlConnection connection = null;
        try {
            connection = loop.await(
                    context -> factory.connect(context, options(server, account, shown))
                            .map(connected -> NoFiles.guard(connected, server)),
                    CONNECT_AND_LOG_IN);
            return new VertxStatements(loop, server, factory, connection, permit, shown);
        } catch (ExecutionException e) {
            throw Failures.ofLogin(server, account, e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw Failures.ofLogin(server, account, e);
        } finally {
            if (connection == null) {
                end(loop, factory);
            }
        }
    }

    private static MySQLConnectOptions options(Endpoint server, Account account, Optional<ShownCertificate> shown) {
        MySQLConnectOptions options = new MySQLConnectOptions()
                .setHost(server.host())
                .setPort(server.port())
                .setUser(account.user())
                .setPassword(account.password())
                .setCharset("utf8mb4");
        shown.ifPresent(manager -> options.setSslMode(SslMode.VERIFY_CA)
                .setSslOptions(new ClientSSLOptions().setTrustOptions(TrustOptions.wrap(manager))));
        return options;
    }

    @Override
    public List<Row> query(String sql, Duration patience) throws SqlFailure, InterruptedException {
        return query(sql, patience, (server, cause) -> Failures.of(server, sql, cause));
    }

    @Override
    public void secret(String kind, String sql) throws SqlFailure, InterruptedException {
        query(sql, PATIENCE, (server, cause) -> Failures.ofSecret(server, kind, cause));
    }

    private List<Row> query(String sql, Duration patience, BiFunction<Endpoint, Throwable, SqlFailure> failure)
            throws SqlFailure, InterruptedException {
        boolean answered = false;
        try {
            permit.pass("SQL to " + server); // on the thread that works on the cluster, and again where it is sent
            Runnable pass = permit.carried(() -> permit.pass("SQL to " + server));
            RowSet<io.vertx.sqlclient.Row> rows = loop.await(
                    context -> {
                        pass.run();
                        return connection.query(sql).execute();
                    },
                    patience);
            answered = true;
            return rows(rows);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FencedException fenced) {
                throw fenced;
            }
            SqlFailure why = failure.apply(server, e.getCause() == null ? e : e.getCause());
            answered = why.kind() != SqlFailure.Kind.UNREACHABLE;
            throw why;
        } catch (TimeoutException e) {
            throw failure.apply(server, e);
        } finally {
            if (!answered) {
                open = false;
                end(loop, factory);
            }
        }
    }

    private static List<Row> rows(RowSet<io.vertx.sqlclient.Row> set) {
        List<Row> rows = new ArrayList<>();
        for (io.vertx.sqlclient.Row row : set) {
            Map<String, Optional<String>> columns = new LinkedHashMap<>();
            for (int i = 0; i < row.size(); i++) {
                Object value = row.getValue(i);
                Object text = value instanceof Buffer bytes ? bytes.toString() : value;
                columns.put(row.getColumnName(i), Optional.ofNullable(text).map(Object::toString));
            }
            rows.add(new Row(columns));
        }
        return rows;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public Optional<X509Certificate> certificate() {
        return shown.flatMap(ShownCertificate::verified);
    }

    /** In order, so that the server has nothing to complain about; at once when it does not answer. */
    @Override
    public void close() {
        if (open) {
            open = false;
            loop.run(context -> connection
                    .close()
                    .timeout(ORDERLY_CLOSE.toMillis(), MILLISECONDS)
                    .onComplete(closed -> end(loop, factory)));
        }
    }

    private static void end(EventLoop loop, ConnectionFactory<MySQLConnectOptions> factory) {
        loop.run(context -> factory.close(Promise.promise()));
    }
}
