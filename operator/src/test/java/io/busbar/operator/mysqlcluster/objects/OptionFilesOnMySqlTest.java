package io.busbar.operator.mysqlcluster.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.LocalServer;
import io.busbar.operator.mysqlcluster.bed.Product;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A real server of MySQL reads the option files of a member. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMySql", disabledReason = Product.NEEDS_MYSQL)
class OptionFilesOnMySqlTest {

    @TempDir
    private Path folder;

    @Test
    void it_keeps_gtids_and_follows_nobody_by_itself_and_can_wait_for_replicas() throws Exception {
        LocalServer.initialize(Product.MYSQL, folder.resolve("data"), "secret");
        Path common = Files.writeString(
                folder.resolve("my.cnf"),
                ServerConfig.common(
                        TestClusters.cluster("replication: {semiSync: true}\n").wanted(), true));
        Path member = Files.writeString(folder.resolve("member.cnf"), ServerConfig.member(3, Optional.of("127.0.6.1")));
        Vertx vertx = Vertx.vertx();
        try (LocalServer server =
                LocalServer.start(Product.MYSQL, folder.resolve("data"), "127.0.6.1", 0, common, member)) {
            server.awaitAccepting(Duration.ofSeconds(30));
            assertThat(query(
                            vertx,
                            server,
                            "SELECT CONCAT_WS(' ', @@gtid_mode, @@enforce_gtid_consistency, @@read_only, @@server_id,"
                                    + " @@rpl_semi_sync_replica_enabled, @@rpl_semi_sync_source_enabled,"
                                    + " @@rpl_semi_sync_source_timeout)"))
                    .containsExactly("ON ON 1 103 1 0 4294967295");
            assertThat(query(vertx, server, "SHOW VARIABLES LIKE 'skip_replica_start'"))
                    .containsExactly("skip_replica_start ON");
            assertThat(query(vertx, server, "SELECT CONCAT(@@admin_address, ' ', @@admin_port)"))
                    .containsExactly("127.0.6.1 33062");
        } finally {
            vertx.close().await();
        }
    }

    private static List<String> query(Vertx vertx, LocalServer server, String sql) {
        MySQLConnectOptions options = new MySQLConnectOptions()
                .setHost(server.address())
                .setPort(server.port())
                .setUser("root")
                .setPassword("secret");
        MySQLConnection connection = MySQLConnection.connect(vertx, options).await();
        try {
            List<String> rows = new ArrayList<>();
            for (Row row : connection.query(sql).execute().await()) {
                rows.add(row.size() == 1 ? row.getString(0) : row.getString(0) + " " + row.getString(1));
            }
            return rows;
        } finally {
            connection.close().await();
        }
    }
}
