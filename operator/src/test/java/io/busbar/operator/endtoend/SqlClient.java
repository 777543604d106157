package io.busbar.operator.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a user's program says to a database server. For one thread, which waits. */
final class SqlClient implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 5;

    private final MySQLConnection connection;

    private SqlClient(MySQLConnection connection) {
        this.connection = connection;
    }

    static SqlClient connect(Vertx vertx, String host, String user, String password) {
        MySQLConnectOptions options = new MySQLConnectOptions()
                .setHost(host)
                .setPort(3306)
                .setUser(user)
                .setPassword(password);
        return new SqlClient(await(MySQLConnection.connect(vertx, options)));
    }

    /** The first column of each row, as text. */
    List<String> query(String sql) {
        RowSet<Row> rows = await(connection.query(sql).execute());
        List<String> texts = new ArrayList<>();
        rows.forEach(row -> texts.add(String.valueOf(row.getValue(0))));
        return texts;
    }

    /** Some columns of each row, one after the other, as text. */
    List<String> query(String sql, String... columns) {
        RowSet<Row> rows = await(connection.query(sql).execute());
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

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException failed) {
            String why = failed.getCause() instanceof TimeoutException
                    ? "no answer in time"
                    : failed.getCause().getMessage();
            throw new IllegalStateException(why, failed);
        }
    }
}
