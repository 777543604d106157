package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.sql.PhysicalCopy.Stage;
import io.busbar.operator.mysqlcluster.sql.Replication.Io;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Physical copies on real servers of MySQL: a source, and one that is given its data. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMySql", disabledReason = Product.NEEDS_MYSQL)
class ClonePluginTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Less than a server has without any table of its own, and more than there is before its files. */
    private static final int SOME_FILES = 4 * 1024 * 1024;

    /** More than most files have. */
    private static final int ALL_BUT_THE_END = 40 * 1024 * 1024;

    @TempDir
    private Path folder;

    private Vertx vertx;
    private List<Node> nodes;
    private Node donor;
    private Node target;

    @BeforeEach
    void start() throws Exception {
        vertx = Vertx.vertx();
        donor = start(141);
        target = start(142);
        nodes = List.of(donor, target);
        for (Node node : nodes) {
            node.server().forgetBirth();
            node.server().createAccounts(Node.ACCOUNTS);
        }
        donor.server().makeWritable();
        donor.sql(
                "CREATE DATABASE shop",
                "CREATE TABLE shop.orders (id INT PRIMARY KEY)",
                "INSERT INTO shop.orders VALUES (1)",
                "CREATE EVENT shop.sweep ON SCHEDULE EVERY 1 HOUR DO SET @swept = 1");
        target.server().makeWritable();
        target.sql("CREATE DATABASE mine");
        target.server().makeReadOnly();
    }

    @AfterEach
    void stop() {
        nodes.forEach(Node::close);
        vertx.close().await();
    }

    /** The small ones of the tests tell nothing of a copy. */
    private Node start(int serverId, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("performance_schema=ON");
        return Node.start(Product.MYSQL, vertx, folder, serverId, all.toArray(String[]::new));
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().ignoreExceptionsInstanceOf(SqlFailure.class)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(assertion);
    }

    private static void until(Callable<Boolean> condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).until(condition);
    }

    private DatabaseServer operator() {
        return target.server(Node.OPERATOR);
    }

    /** As the operator, whom its server lets write while it does. */
    private void begin(Account account) throws Exception {
        begin(donor.endpoint(), account);
    }

    private void begin(Endpoint where, Account account) throws Exception {
        try (DatabaseServer from = donor.server(Node.OPERATOR);
                DatabaseServer to = operator()) {
            assertThat(from.offerCopy(Node.REPLICATION)).isEmpty();
            target.forget();
            to.beginCopy(where, account);
        }
    }

    private ServerState state() throws Exception {
        try (DatabaseServer server = operator()) {
            return server.observe();
        }
    }

    private PhysicalCopy copy() throws Exception {
        return state().copy().orElseThrow();
    }

    @Test
    void a_whole_copy_goes_on_where_its_donor_stood_once_it_is_accepted() throws Exception {
        String writer = target.state().writer();
        begin(Node.REPLICATION);
        until(() -> !target.process().isAlive());
        target.restart();

        ServerState whole = state();
        assertThat(whole.copy().orElseThrow().stage()).isEqualTo(Stage.WHOLE);
        assertThat(whole.incomplete()).isTrue();
        assertThat(whole.readOnly()).isTrue();
        assertThat(whole.writer()).isEqualTo(writer);
        assertThat(whole.history()).isEqualTo(donor.state().history());
        try (DatabaseServer server = operator()) {
            server.acceptCopy();
        }

        ServerState accepted = state();
        assertThat(accepted.copy()).isEmpty();
        assertThat(accepted.incomplete()).isFalse();
        assertThat(accepted.history()).isEqualTo(donor.state().history());
        assertThat(target.sql(MySqlDialect.READ_ONLY).get(0).isOn("super_read_only"))
                .isTrue();
        assertThat(target.server().stoppedEvents().byReplication()).containsExactly("`shop`.`sweep`");
        assertThat(donor.server().stoppedEvents().byReplication()).isEmpty();
        target.server().follow(donor.endpoint(), Node.REPLICATION, false);
        donor.sql("INSERT INTO shop.orders VALUES (2)");
        eventually(() -> assertThat(target.orders()).isEqualTo(2));
        assertThat(target.replication().io()).isEqualTo(Io.YES);
    }

    @Test
    void one_that_was_copied_from_a_replica_follows_the_source_of_that_when_it_is_told_to() throws Exception {
        try (Node source = start(143)) {
            source.server().forgetBirth();
            source.server().createAccounts(Node.ACCOUNTS);
            donor.server().makeReadOnly();
            donor.server().erase();
            donor.server().createAccounts(Node.ACCOUNTS);
            donor.server().seed("");
            donor.server().follow(source.endpoint(), Node.REPLICATION, false);
            source.server().makeWritable();
            source.sql("CREATE DATABASE shop", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
            eventually(() -> assertThat(donor.orders()).isZero());
            begin(Node.REPLICATION);
            until(() -> !target.process().isAlive());
            target.restart();
            try (DatabaseServer server = operator()) {
                server.acceptCopy();
                assertThat(server.observe().replication()).isEmpty();
                server.follow(source.endpoint(), Node.REPLICATION, false);
            }

            source.sql("INSERT INTO shop.orders VALUES (3)");

            eventually(() -> assertThat(target.orders()).isEqualTo(1));
        }
    }

    @Test
    void one_whose_donor_does_not_let_it_in_keeps_what_it_has_and_is_marked_until_it_is_seeded() throws Exception {
        begin(new Account(Node.REPLICATION.user(), "wrong"));

        assertThat(copy().stage()).isEqualTo(Stage.BROKEN_OFF);
        assertThat(copy().message()).contains("Access denied").doesNotContain("wrong");
        assertThat(state().incomplete()).isTrue();
        assertThat(target.sql("SHOW DATABASES LIKE 'mine'")).hasSize(1);
        assertThatThrownBy(() -> target.server(Node.OPERATOR).acceptCopy()).isInstanceOf(SqlFailure.class);
        target.kill();
        target.restart();
        assertThat(state().incomplete()).isTrue();

        target.server().erase();
        target.server().seed("");
        assertThat(state().incomplete()).isFalse();
        assertThat(state().copy()).isEmpty();
    }

    @Test
    void a_server_that_does_not_begin_says_why() throws Exception {
        begin(new Account(Node.REPLICATION.user(), "wrong"));
        target.sql("SET sql_log_bin = OFF", "REVOKE CLONE_ADMIN ON *.* FROM " + Quoted.account(Node.OPERATOR.user()));

        assertThatThrownBy(() -> begin(Node.REPLICATION))
                .isInstanceOf(SqlFailure.class)
                .hasMessageContaining("CLONE INSTANCE: error 1227");
        assertThat(copy().stage()).isEqualTo(Stage.BROKEN_OFF);
    }

    @Test
    void a_copy_that_was_cut_by_the_death_of_its_server_is_broken_off() throws Exception {
        try (StallingRelay relay = new StallingRelay(donor.endpoint(), SOME_FILES)) {
            begin(relay.endpoint(), Node.REPLICATION);
            assertThat(copy().stage()).isEqualTo(Stage.UNDER_WAY);

            target.kill();
        }
        target.restart();

        assertThat(copy().stage()).isEqualTo(Stage.BROKEN_OFF);
        assertThat(state().incomplete()).isTrue();
        assertThat(state().history().isEmpty()).isTrue();
    }

    /** What has come by then stays, where no dump can make it: folders of databases that the server knows nothing of. */
    @Test
    void a_copy_that_was_broken_off_is_made_again_where_a_dump_cannot_be_loaded() throws Exception {
        try (StallingRelay relay = new StallingRelay(donor.endpoint(), ALL_BUT_THE_END)) {
            begin(relay.endpoint(), Node.REPLICATION);
            assertThat(copy().stage()).isEqualTo(Stage.UNDER_WAY);
            Path folderOfDatabase = folder.resolve("data142").resolve("shop");
            until(() -> Files.exists(folderOfDatabase));
            target.sql(
                    "SELECT CONCAT('KILL QUERY ', PID) INTO @kill FROM performance_schema.clone_status",
                    "PREPARE kill_it FROM @kill",
                    "EXECUTE kill_it");
            relay.reset();
            eventually(() -> assertThat(copy().stage()).isEqualTo(Stage.BROKEN_OFF));
        }
        target.server().erase();
        assertThatThrownBy(() -> target.sql("CREATE DATABASE shop")).hasMessageContaining("already exists");

        begin(Node.REPLICATION);
        until(() -> !target.process().isAlive());
        target.restart();

        assertThat(copy().stage()).isEqualTo(Stage.WHOLE);
        assertThat(state().history()).isEqualTo(donor.state().history());
        assertThat(target.orders()).isEqualTo(1);
    }

    @Test
    void the_copy_before_is_not_taken_for_one_that_did_not_begin() throws Exception {
        begin(Node.REPLICATION);
        until(() -> !target.process().isAlive());
        target.restart();
        try (DatabaseServer server = operator()) {
            server.acceptCopy();
            server.makeReadOnly();
        }
        String before = target.sql(ClonePlugin.STATUS).get(0).text("began");

        target.sql("SET PERSIST clone_valid_donor_list = 'x:1,busbar_copy_in_progress.after." + before + ":1'");

        assertThat(copy()).isEqualTo(new PhysicalCopy(Stage.BROKEN_OFF, "the server did not begin with it"));
    }

    @Test
    void who_has_tables_that_would_arrive_empty_is_no_donor() throws Exception {
        donor.sql("CREATE TABLE shop.notes (id INT) ENGINE = MyISAM");

        assertThat(donor.server().offerCopy(Node.REPLICATION))
                .contains("shop.notes is of MyISAM, and only InnoDB's data are copied so");
    }

    @Test
    void the_account_of_replicas_gets_one_right_more_and_keeps_it() throws Exception {
        assertThat(donor.server().offerCopy(Node.REPLICATION)).isEmpty();
        Position before = donor.state().history();
        donor.server().createAccounts(Node.ACCOUNTS);

        assertThat(donor.sql("SHOW GRANTS FOR replication"))
                .extracting(row -> row.only().orElseThrow())
                .containsExactlyInAnyOrder(
                        "GRANT REPLICATION SLAVE ON *.* TO `replication`@`%`",
                        "GRANT BACKUP_ADMIN ON *.* TO `replication`@`%`");
        assertThat(donor.state().history()).isEqualTo(before);
    }

    @Test
    void one_that_cannot_load_the_plugin_refuses_and_stays_as_it_is() throws Exception {
        Path nothing = folder.resolve("no-plugins");
        assertThat(nothing.toFile().mkdir()).isTrue();
        try (Node without = start(144, "plugin_dir=" + nothing)) {
            without.server().createAccounts(Node.ACCOUNTS);

            try (DatabaseServer server = without.server(Node.OPERATOR)) {
                without.forget();
                assertThatThrownBy(() -> server.beginCopy(donor.endpoint(), Node.REPLICATION))
                        .hasMessageContaining("mysql_clone.so");
                assertThat(server.observe().incomplete()).isFalse();
            }
        }
    }
}
