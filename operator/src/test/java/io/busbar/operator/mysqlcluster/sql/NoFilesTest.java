package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import io.busbar.reconciler.leader.Permit;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.MySQLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NoFilesTest {

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private Path token;

    @BeforeEach
    void a_secret() throws Exception {
        token = Files.writeString(folder.resolve("token"), "the operator's token");
    }

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void a_server_that_asks_for_a_file_gets_nothing() throws Exception {
        try (ThievingServer thief = new ThievingServer(token);
                DatabaseServer server = new VertxDatabaseServers(() -> vertx, Permit.always())
                        .server(thief.endpoint(), new Account("a", "b"))) {
            SqlFailure failure = catchThrowableOfType(SqlFailure.class, server::observe);
            assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(thief.stolen()).isEmpty();
        }
    }

    /** Else the guard is not needed any more. */
    @Test
    void the_bare_client_would_send_it() throws Exception {
        try (ThievingServer thief = new ThievingServer(token)) {
            MySQLConnectOptions options = new MySQLConnectOptions()
                    .setHost(thief.endpoint().host())
                    .setPort(thief.endpoint().port())
                    .setUser("a")
                    .setPassword("b");
            MySQLConnection.connect(vertx, options)
                    .onSuccess(connection -> connection.query("SELECT 1").execute());
            assertThat(thief.stolen()).isEqualTo("the operator's token");
        }
    }
}
