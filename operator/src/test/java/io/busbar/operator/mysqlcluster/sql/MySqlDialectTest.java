package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.busbar.operator.mysqlcluster.sql.Replication.Io;
import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Exchanges as MySQL's reference manual shows them, of versions that no test runs too. */
class MySqlDialectTest {

    private static final String UUID = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private static final String OTHER = "4e11fa47-71ca-11e1-9e33-c80aa9429562";
    private static final Endpoint SOURCE = new Endpoint("db-0.db", 3306);
    private static final Account OPERATOR = new Account("operator", "o'p");
    private static final Account REPLICATION = new Account("replication", "re\\pl");
    private static final Application APPLICATION = new Application(new Account("program", "p"), "my_app");
    private static final Accounts ACCOUNTS =
            new Accounts(new Account("root", "r"), OPERATOR, REPLICATION, Optional.of(APPLICATION));

    private static final List<String> STATE =
            List.of("version", "server_id", "server_uuid", "read_only", "history", "incomplete", "acknowledgements");
    private static final List<String> BEFORE_CHANGE = List.of("read_only", "super_read_only", "incomplete");
    private static final List<String> STATUS = List.of(
            "Replica_IO_State",
            "Source_Host",
            "Source_User",
            "Source_Port",
            "Replica_IO_Running",
            "Replica_SQL_Running",
            "Seconds_Behind_Source",
            "Last_IO_Errno",
            "Last_IO_Error",
            "Last_SQL_Errno",
            "Last_SQL_Error",
            "Retrieved_Gtid_Set",
            "Executed_Gtid_Set",
            "Auto_Position",
            "Source_SSL_Allowed",
            "Channel_Name");
    private static final String CHANGE = "CHANGE REPLICATION SOURCE TO SOURCE_HOST = 'db-0.db', SOURCE_PORT = 3306,"
            + " SOURCE_USER = 'replication', SOURCE_PASSWORD = 're\\\\pl', SOURCE_CONNECT_RETRY = 2,"
            + " SOURCE_RETRY_COUNT = 86400, SOURCE_HEARTBEAT_PERIOD = 2, SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1,"
            + " SOURCE_SSL = 0";

    private final ScriptedStatements script = new ScriptedStatements();

    private DatabaseServer speaking(String version) {
        script.then(ConnectedServer.SESSION).then(ConnectedServer.VERSION, List.of("version"), new String[] {version});
        return new ConnectedServer(SOURCE, OPERATOR, () -> script);
    }

    private DatabaseServer speaking() {
        return speaking("8.0.36");
    }

    private static String[] status(String io, String sql, String lag, String errno, String retrieved, String host) {
        return new String[] {
            "Waiting for source to send event",
            host,
            "replication",
            "3306",
            io,
            sql,
            lag,
            errno,
            "",
            "0",
            "",
            retrieved,
            "",
            "1",
            "No",
            ""
        };
    }

    @AfterEach
    void all_was_said() {
        script.assertSpoken();
    }

    @Test
    void a_source_says_what_it_wrote_and_what_it_has() throws Exception {
        DatabaseServer server = speaking("8.4.3");
        script.then(MySqlDialect.STATE, STATE, new String[] {
            "8.4.3", "100", UUID, "0", UUID + ":1-5,\n" + OTHER + ":1-9", "0", "2"
        });
        script.then(MySqlDialect.REPLICATION);

        ServerState state = server.observe();
        assertThat(state.flavor()).isEqualTo(ServerState.Flavor.MYSQL);
        assertThat(state.version()).isEqualTo("8.4.3");
        assertThat(state.serverId()).isEqualTo(100);
        assertThat(state.readOnly()).isFalse();
        assertThat(state.history().text()).isEqualTo(UUID + ":1-5," + OTHER + ":1-9");
        assertThat(state.applied()).isEqualTo(state.history());
        assertThat(state.own().text()).isEqualTo(UUID + ":1-5");
        assertThat(state.replication()).isEmpty();
        assertThat(state.incomplete()).isFalse();
        assertThat(state.acknowledgements()).isEqualTo(2);
    }

    @Test
    void a_replica_says_whom_it_follows_and_how_far_it_is() throws Exception {
        DatabaseServer server = speaking();
        script.then(MySqlDialect.STATE, STATE, new String[] {"8.0.36", "101", UUID, "1", OTHER + ":1-5", "1", null});
        script.then(
                MySqlDialect.REPLICATION, STATUS, status("Connecting", "Yes", null, "2003", OTHER + ":3-7", "db-0.db"));
        script.then(ClonePlugin.MARKED_DONORS);

        Replication replication = server.observe().replication().orElseThrow();
        assertThat(replication.source()).isEqualTo(SOURCE);
        assertThat(replication.io()).isEqualTo(Io.CONNECTING);
        assertThat(replication.sqlRunning()).isTrue();
        assertThat(replication.ioErrno()).isEqualTo(2003);
        assertThat(replication.lag()).isEqualTo(Optional.empty());
        assertThat(replication.received().text()).isEqualTo(OTHER + ":1-7");
    }

    @Test
    void a_replica_is_pointed_to_another_source_by_its_set_of_transactions() throws Exception {
        DatabaseServer server = speaking();
        String[] before = status("Yes", "Yes", "0", "0", "", "db-1.db");
        script.then(MySqlDialect.REPLICATION, STATUS, before).then(MySqlDialect.REPLICATION, STATUS, before);
        script.then("STOP REPLICA FOR CHANNEL ''", "RESET REPLICA ALL FOR CHANNEL ''", MySqlDialect.START_CLOSED)
                .then(CHANGE, "START REPLICA");
        server.follow(SOURCE, REPLICATION, true);
    }

    @Test
    void one_that_is_to_receive_nothing_more_still_applies_what_it_has() throws Exception {
        DatabaseServer server = speaking();
        script.then(MySqlDialect.REPLICATION, STATUS, status("Yes", "Yes", "0", "0", "", "db-1.db"));
        script.then("STOP REPLICA IO_THREAD FOR CHANNEL ''");
        server.stopReceiving();
    }

    @Test
    void that_a_write_has_found_no_room_is_read_from_the_error_log() throws Exception {
        DatabaseServer server = speaking();
        script.then(MySqlDialect.NO_ROOM, List.of("LOGGED"));
        assertThat(server.disk()).isEmpty();
        script.then(MySqlDialect.NO_ROOM, List.of("LOGGED"), new String[] {"2026-01-01 00:00:00.000000"});
        assertThat(server.disk()).contains(Disk.WITHOUT_ROOM);
    }

    @Test
    void one_that_follows_already_is_left_alone_or_started() throws Exception {
        DatabaseServer server = speaking();
        script.then(MySqlDialect.REPLICATION, STATUS, status("Connecting", "Yes", null, "2003", "", "db-0.db"));
        server.follow(SOURCE, REPLICATION, false);
        script.then(MySqlDialect.REPLICATION, STATUS, status("No", "Yes", null, "1236", "", "db-0.db"))
                .then(MySqlDialect.OTHER_HEARTBEAT, List.of("1"))
                .then("START REPLICA");
        server.follow(SOURCE, REPLICATION, false);
    }

    @Test
    void one_that_would_not_notice_for_long_that_its_source_is_gone_is_told_anew_when_it_is_started() throws Exception {
        DatabaseServer server = speaking();
        String[] stopped = status("No", "No", null, "0", "", "db-0.db");
        script.then(MySqlDialect.REPLICATION, STATUS, stopped)
                .then(MySqlDialect.OTHER_HEARTBEAT, List.of("1"), new String[] {"1"})
                .then(MySqlDialect.REPLICATION, STATUS, stopped);
        script.then("STOP REPLICA FOR CHANNEL ''", "RESET REPLICA ALL FOR CHANNEL ''", MySqlDialect.START_CLOSED)
                .then(CHANGE, "START REPLICA");
        server.follow(SOURCE, REPLICATION, false);
    }

    @Test
    void a_password_that_no_longer_holds_is_given_anew() throws Exception {
        DatabaseServer server = speaking();
        String[] denied = status("Connecting", "Yes", null, "1045", "", "db-0.db");
        script.then(MySqlDialect.REPLICATION, STATUS, denied).then(MySqlDialect.REPLICATION, STATUS, denied);
        script.then("STOP REPLICA FOR CHANNEL ''", "RESET REPLICA ALL FOR CHANNEL ''", MySqlDialect.START_CLOSED)
                .then(CHANGE, "START REPLICA");
        server.follow(SOURCE, REPLICATION, false);
    }

    @Test
    void read_only_is_for_everybody_and_writable_too() throws Exception {
        DatabaseServer server = speaking();
        script.then("SET GLOBAL super_read_only = ON", "SET GLOBAL read_only = OFF");
        server.makeReadOnly();
        server.makeWritable();
    }

    @Test
    void accounts_are_made_outside_the_binary_log_while_even_the_operator_could_not_write() throws Exception {
        DatabaseServer server = speaking();
        script.then(MySqlDialect.BEFORE_CHANGE, BEFORE_CHANGE, new String[] {"1", "1", "0"});
        script.then(
                "SET GLOBAL super_read_only = OFF",
                "SET SESSION sql_log_bin = OFF",
                "CREATE USER IF NOT EXISTS 'operator'@'%' IDENTIFIED WITH caching_sha2_password BY 'o''p'",
                "ALTER USER 'operator'@'%' PASSWORD EXPIRE NEVER PASSWORD HISTORY 0 PASSWORD REUSE INTERVAL 0 DAY",
                "ALTER USER 'operator'@'%' IDENTIFIED WITH caching_sha2_password BY 'o''p'",
                "ALTER USER 'operator'@'%' DISCARD OLD PASSWORD",
                "GRANT ALL PRIVILEGES ON *.* TO 'operator'@'%' WITH GRANT OPTION",
                "CREATE USER IF NOT EXISTS 'replication'@'%' IDENTIFIED WITH caching_sha2_password BY 're\\\\pl'",
                "ALTER USER 'replication'@'%' PASSWORD EXPIRE NEVER PASSWORD HISTORY 0 PASSWORD REUSE INTERVAL 0 DAY",
                "ALTER USER 'replication'@'%' IDENTIFIED WITH caching_sha2_password BY 're\\\\pl'",
                "ALTER USER 'replication'@'%' DISCARD OLD PASSWORD");
        script.then(
                "SHOW GRANTS FOR 'replication'@'%'",
                List.of("Grants for replication@%"), new String[] {"GRANT USAGE ON *.* TO `replication`@`%`"});
        script.then(
                "REVOKE ALL PRIVILEGES, GRANT OPTION FROM 'replication'@'%'",
                "GRANT REPLICATION SLAVE ON *.* TO 'replication'@'%'",
                "CREATE USER IF NOT EXISTS 'program'@'%' IDENTIFIED WITH caching_sha2_password BY 'p'",
                "ALTER USER 'program'@'%' PASSWORD EXPIRE NEVER PASSWORD HISTORY 0 PASSWORD REUSE INTERVAL 0 DAY",
                "ALTER USER 'program'@'%' IDENTIFIED WITH caching_sha2_password BY 'p'",
                "ALTER USER 'program'@'%' DISCARD OLD PASSWORD");
        script.then(
                "SHOW GRANTS FOR 'program'@'%'",
                List.of("Grants for program@%"), new String[] {"GRANT USAGE ON *.* TO `program`@`%`"});
        script.then(
                "GRANT ALL PRIVILEGES ON `my\\_app`.* TO 'program'@'%'",
                "DROP USER IF EXISTS 'busbar_exporter'@'%'",
                "SET PERSIST_ONLY super_read_only = ON",
                "SET GLOBAL super_read_only = ON");
        server.createAccounts(ACCOUNTS);
        assertThat(script.isOpen()).isFalse();
    }

    @Test
    void one_that_takes_no_writes_is_closed_again_when_a_change_fails() throws Exception {
        DatabaseServer server = speaking();
        script.then(MySqlDialect.BEFORE_CHANGE, BEFORE_CHANGE, new String[] {"1", "1", "0"});
        script.then("SET GLOBAL super_read_only = OFF", "SET SESSION sql_log_bin = OFF");
        script.thenFails("GRANT SERVICE_CONNECTION_ADMIN ON *.* TO 'replication'@'%'");
        script.then("SET GLOBAL super_read_only = ON");
        assertThatThrownBy(() -> server.admitReplicas(REPLICATION)).hasMessageContaining("refused");
    }

    @Test
    void one_that_was_left_open_is_closed_by_the_next_change() throws Exception {
        DatabaseServer server = speaking();
        script.then(MySqlDialect.BEFORE_CHANGE, BEFORE_CHANGE, new String[] {"1", "0", "0"});
        script.then("SET SESSION sql_log_bin = OFF");
        script.then("GRANT SERVICE_CONNECTION_ADMIN ON *.* TO 'replication'@'%'", "SET GLOBAL super_read_only = ON");
        server.admitReplicas(REPLICATION);
    }

    @Test
    void one_that_is_being_given_a_copy_or_takes_writes_is_left_as_it_was() throws Exception {
        for (String[] before : List.of(new String[] {"1", "0", "1"}, new String[] {"0", "0", "0"})) {
            DatabaseServer server = speaking();
            script.then(MySqlDialect.BEFORE_CHANGE, BEFORE_CHANGE, before);
            script.then("SET SESSION sql_log_bin = OFF");
            script.then("GRANT SERVICE_CONNECTION_ADMIN ON *.* TO 'replication'@'%'");
            server.admitReplicas(REPLICATION);
        }
    }

    @Test
    void what_is_received_is_waited_for_with_what_is_there() throws Exception {
        DatabaseServer server = speaking();
        String[] state = {"8.0.36", "101", UUID, "1", OTHER + ":1-5", "0", null};
        String[] replica = status("Connecting", "Yes", null, "2003", OTHER + ":6-7", "db-0.db");
        script.then(MySqlDialect.STATE, STATE, state).then(MySqlDialect.REPLICATION, STATUS, replica);
        script.then(MySqlDialect.STATE, STATE, state).then(MySqlDialect.REPLICATION, STATUS, replica);
        script.then(
                "SELECT WAIT_FOR_EXECUTED_GTID_SET('" + OTHER + ":1-7', 1) AS waited",
                List.of("waited"),
                new String[] {"1"});
        assertThat(server.awaitReceived(Duration.ofMillis(10))).isFalse();
    }

    @Test
    void as_many_replicas_as_are_asked_for_are_waited_for_from_the_first_write_on() throws Exception {
        DatabaseServer server = speaking();
        script.then(
                "SET GLOBAL rpl_semi_sync_source_wait_for_replica_count = 2",
                "SET GLOBAL rpl_semi_sync_source_enabled = ON");
        server.acknowledgeByReplicas(2);
        script.then(MySqlDialect.SEMI_SYNC);
        server.acknowledgeByReplicas(0);
    }

    @Test
    void a_freeze_tells_all_that_was_written() throws Exception {
        DatabaseServer server = speaking();
        script.then("SET SESSION lock_wait_timeout = 10, SESSION wait_timeout = 70", "FLUSH TABLES WITH READ LOCK");
        script.then(MySqlDialect.STATE, STATE, new String[] {"8.0.36", "100", UUID, "1", UUID + ":1-5", "0", null});
        script.then(MySqlDialect.REPLICATION);
        script.then("UNLOCK TABLES");
        try (DatabaseServer.Freeze freeze = server.freeze(Duration.ofSeconds(10))) {
            assertThat(freeze.position().text()).isEqualTo(UUID + ":1-5");
            assertThat(script.isOpen()).isTrue();
        }
        assertThat(script.isOpen()).isFalse();
    }

    @Test
    void erasing_leaves_it_open_to_the_operator_until_it_is_seeded() throws Exception {
        DatabaseServer server = speaking("8.0.36");
        script.then(MySqlDialect.REPLICATION);
        script.then("SET GLOBAL super_read_only = OFF", "SET SESSION sql_log_bin = OFF");
        script.then("CREATE DATABASE IF NOT EXISTS busbar_copy_in_progress");
        script.then(
                Schemas.LIST,
                List.of("Database"),
                new String[] {"busbar_copy_in_progress"},
                new String[] {"information_schema"},
                new String[] {"mysql"},
                new String[] {"performance_schema"},
                new String[] {"sho`p"},
                new String[] {"sys"});
        script.then("DROP DATABASE IF EXISTS `sho``p`", "RESET MASTER");
        server.erase();
    }

    @Test
    void seeding_uses_the_words_that_came_when_the_old_ones_went() throws Exception {
        DatabaseServer server = speaking("8.4.3");
        script.then(MySqlDialect.REPLICATION);
        script.then(MySqlDialect.READ_ONLY, List.of("read_only", "super_read_only"), new String[] {"1", "0"});
        script.then(
                "SET GLOBAL super_read_only = OFF",
                "SET SESSION sql_log_bin = OFF",
                "RESET BINARY LOGS AND GTIDS",
                "SET GLOBAL gtid_purged = '" + UUID + ":1-5'");
        List<String> columns = List.of("Id", "User", "Command");
        String[] replica = {"8", "replication", "Binlog Dump GTID"};
        String[] own = {"11", "operator", "Query"};
        script.then(Clients.LIST, columns, replica, own).then("KILL 8", Clients.PAUSE);
        script.then(Clients.LIST, columns, own);
        script.then(
                ClonePlugin.MARKED_DONORS,
                "DROP DATABASE IF EXISTS busbar_copy_in_progress",
                "SET GLOBAL super_read_only = ON");
        server.seed(UUID.toUpperCase(Locale.ROOT) + ":1-3:4-5");
    }

    @Test
    void clients_are_closed_but_for_operators_replicas_and_the_server() throws Exception {
        DatabaseServer server = speaking();
        List<String> columns = List.of("Id", "User", "Host", "db", "Command", "Time", "State", "Info");
        String[] scheduler = {"5", "event_scheduler", "localhost", null, "Daemon", "9", "", null};
        String[] replica = {"8", "replication", "10.0.0.7:39876", null, "Binlog Dump GTID", "9", "", null};
        String[] applier = {"9", "system user", "connecting host", null, "Connect", "9", "", null};
        String[] app = {"10", "app", "10.0.0.9:1", "shop", "Sleep", "1", "", null};
        String[] own = {"11", "operator", "10.0.0.8:1", null, "Query", "0", "init", "SHOW PROCESSLIST"};
        script.then(Clients.OWN, List.of("id"), new String[] {"11"});
        script.then(Clients.LIST, columns, scheduler, replica, applier, app, own)
                .then("KILL 10", Clients.PAUSE);
        script.then(Clients.LIST, columns, scheduler, replica, applier, app, own)
                .then(Clients.PAUSE);
        script.then(Clients.LIST, columns, scheduler, replica, applier, own);
        server.closeClients();
    }

    @Test
    void the_load_is_counted() throws Exception {
        DatabaseServer server = speaking();
        script.then(
                StatusCounters.question(MySqlDialect.COUNTERS),
                List.of("name", "value"),
                new String[] {"questions", "77"},
                new String[] {"threads_connected", "4"},
                new String[] {"threads_running", "2"},
                new String[] {"uptime", "60"},
                new String[] {"max_connections", "151"});
        assertThat(server.load()).isEqualTo(new Load(2, 4, 151, 77, 60));
    }

    @Test
    void versions_that_do_not_know_these_words_are_refused() {
        for (String version : List.of("8.0.22", "5.7.44-log", "PostgreSQL 16")) {
            DatabaseServer server = speaking(version);
            SqlFailure failure = catchThrowableOfType(SqlFailure.class, server::observe);
            assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
            assertThat(failure).hasMessageStartingWith(SOURCE.toString());
        }
        assertThat(Dialect.of("8.0.23")).isEqualTo(new MySqlDialect("RESET MASTER"));
        assertThat(Dialect.of("8.1.0")).isEqualTo(new MySqlDialect("RESET MASTER"));
        assertThat(Dialect.of("8.2.0")).isEqualTo(new MySqlDialect("RESET BINARY LOGS AND GTIDS"));
        assertThat(Dialect.of("8.0.36-28")).isInstanceOf(MySqlDialect.class);
        assertThat(Dialect.of("11.4.2-MariaDB-ubu2404")).isInstanceOf(MariaDbDialect.class);
        assertThatThrownBy(() -> Dialect.of("")).isInstanceOf(IllegalArgumentException.class);
    }
}
