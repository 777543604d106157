package io.busbar.operator.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.mysqlclient.SslMode;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a user's program says to a database server. For one thread, which waits. */
final class SqlClient implements AutoCloseable {

    /** For what is to be answered, however slow the machine is. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** That of a program, which then tries another server. */
    static final Duration BRIEF = Duration.ofSeconds(5);

    private final MySQLConnection connection;
    private final Duration patience;

    private SqlClient(MySQLConnection connection, Duration patience) {
        this.connection = connection;
        this.patience = patience;
    }

    static SqlClient connect(Vertx vertx, String host, String user, String password) {
        return connect(vertx, host, user, password, false);
    }

    /** @param encrypted whether over TLS, without a look at whose certificate it is */
    static SqlClient connect(Vertx vertx, String host, String user, String password, boolean encrypted) {
        return connect(vertx, host, user, password, encrypted, PATIENCE);
    }

    /** @param patience how long it waits for each answer */
    static SqlClient connect(
            Vertx vertx, String host, String user, String password, boolean encrypted, Duration patience) {
        MySQLConnectOptions options = new MySQLConnectOptions()
                .setHost(host)
                .setPort(3306)
                .setUser(user)
                .setPassword(password);
        if (encrypted) {
            options.setSslMode(SslMode.REQUIRED).setSslOptions(new ClientSSLOptions().setTrustAll(true));
        }
        return new SqlClient(await(MySQLConnection.connect(vertx, options), patience), patience);
    }

    /** The first column of each row, as text. */
    List<String> query(String sql) {
        RowSet<Row> rows = await(connection.query(sql).execute(), patience);
        List<String> texts = new ArrayList<>();
        rows.forEach(row -> texts.add(String.valueOf(row.getValue(0))));
        return texts;
    }

    /** Some columns of each row, one after the other, as text. */
    List<String> query(String sql, String... columns) {
        RowSet<Row> rows = await(connection.query(sql).execute(), patience);
        List<String> texts = new ArrayList<>();
        rows.forEach(row -> {
            for (String column : columns) {
                texts.add(String.valueOf(row.getValue(column)));
            }
        });
        return texts;
    }

    @Override
    public void close() {
        connection.close();
    }

    private static <T> T await(Future<T> future, Duration patience) {
        try {
            return future.toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException failed) {
            String why = failed.getCause() instanceof TimeoutException
                    ? "no answer in time"
                    : failed.getCause().getMessage();
            throw new IllegalStateException(why, failed);
        }
    }
}
