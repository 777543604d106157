package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.busbar.operator.mysqlcluster.bed.LocalServer;
import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.bed.Programs;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Accounts;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command of the Job that gives a member another one's data, on real servers of MariaDB: what the member has goes
 * only when all of the copy is there, and only while the member is as it was when the copy was asked for.
 */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMariaDb", disabledReason = Product.NEEDS_MARIADB)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CloneScriptTest {

    static final Accounts ACCOUNTS = new Accounts(
            new Account("root", "r"),
            new Account(ClusterNames.OPERATOR, "operator"),
            new Account(ClusterNames.REPLICATION, "replication"),
            Optional.empty());

    private static final Account PROGRAM = new Account("program", "program");

    /** More often than without waiting. */
    private static final int ASKED = 8;

    @TempDir
    static Path folder;

    ScriptServers servers;
    LocalServer donor;
    LocalServer member;

    /** That both servers and the programs of Jobs are of. */
    Product product() {
        return Product.MARIADB;
    }

    @BeforeAll
    void start() throws Exception {
        servers = new ScriptServers(product(), folder);
        donor = servers.start("donor", "127.0.5.", 100, ACCOUNTS);
        member = servers.start("member", "127.0.5.", 110, ACCOUNTS);
        servers.sql(
                donor,
                ACCOUNTS.root(),
                "CREATE DATABASE shop; CREATE TABLE shop.orders (id INT PRIMARY KEY, note TEXT);"
                        + "INSERT INTO shop.orders VALUES (1, 'one'), (2, 'two')");
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    /** Data that only the member has, whatever a test before has left of it. */
    @BeforeEach
    void diverge() throws Exception {
        try (DatabaseServer server = servers.connect(member, ACCOUNTS.operator())) {
            server.makeReadOnly();
            server.erase();
            server.seed("");
            server.makeWritable();
            servers.sql(
                    member,
                    ACCOUNTS.root(),
                    "CREATE DATABASE mine; CREATE TABLE mine.t (i INT); INSERT INTO mine.t VALUES (7)");
            server.makeReadOnly();
        }
    }

    @Test
    void a_member_gets_all_of_it_in_place_of_what_it_had_and_is_complete_once_it_has_the_position() throws Exception {
        ScriptRun run = run(job());

        assertThat(run.exitCode()).as(run.report().toString()).isZero();
        assertThat(databases()).contains("shop").doesNotContain("mine");
        assertThat(servers.sql(member, ACCOUNTS.operator(), "SELECT note FROM shop.orders ORDER BY id"))
                .isEqualTo("one\ntwo\n");
        assertThat(state(member).incomplete()).isTrue();
        assertThat(state(member).history().isEmpty()).isTrue();
        try (DatabaseServer server = servers.connect(member, ACCOUNTS.operator())) {
            server.seed(run.said("gtid"));
        }
        assertThat(state(member).incomplete()).isFalse();
        assertThat(state(member).history().text())
                .isEqualTo(state(donor).history().text());
        assertThat(databases()).doesNotContain(DatabaseServer.MARK_OF_INCOMPLETE);
    }

    @Test
    void events_of_the_donor_do_not_run_at_the_member() throws Exception {
        servers.sql(
                donor,
                ACCOUNTS.root(),
                "CREATE DATABASE a_shop;"
                        + "CREATE EVENT a_shop.early ON SCHEDULE EVERY 1 HOUR DO SET @a = 1;"
                        + "CREATE USER 'a`p` p'@'%'; CREATE DEFINER = 'a`p` p'@'%' EVENT shop.`x ``ON COMPLETION PRESERVE ENABLE;`"
                        + " ON SCHEDULE EVERY '1:30' MINUTE_SECOND STARTS '2030-01-01 00:00:00' ENDS '2036-01-01 00:00:00'"
                        + " ON COMPLETION PRESERVE COMMENT ' ON COMPLETION PRESERVE ENABLE '"
                        + " DO SET @b = '2\n ON COMPLETION PRESERVE ENABLE ';"
                        + "CREATE EVENT shop.never ON SCHEDULE EVERY 1 DAY DISABLE DO SET @c = 3;"
                        + "CREATE EVENT shop.once ON SCHEDULE AT '2035-01-01 00:00:00' DO SET @d = 4");
        String texts = "SELECT EVENT_NAME, DEFINER, EVENT_DEFINITION, EVENT_COMMENT, ON_COMPLETION FROM"
                + " information_schema.EVENTS ORDER BY EVENT_NAME";
        try {
            ScriptRun run = run(job());

            assertThat(run.exitCode()).as(run.report().toString()).isZero();
            assertThat(servers.sql(
                            member,
                            ACCOUNTS.root(),
                            "SELECT CONCAT(EVENT_NAME, ': ', REPLACE(STATUS, 'REPLICA_SIDE', 'SLAVESIDE'))"
                                    + " FROM information_schema.EVENTS ORDER BY EVENT_NAME"))
                    .isEqualTo("""
                            early: SLAVESIDE_DISABLED
                            never: DISABLED
                            once: SLAVESIDE_DISABLED
                            x `ON COMPLETION PRESERVE ENABLE;: SLAVESIDE_DISABLED
                            """);
            assertThat(servers.sql(member, ACCOUNTS.root(), texts))
                    .isEqualTo(servers.sql(donor, ACCOUNTS.root(), texts));
        } finally {
            servers.sql(
                    donor,
                    ACCOUNTS.root(),
                    "DROP DATABASE a_shop; DROP USER 'a`p` p'@'%'; DROP EVENT shop.never; DROP EVENT shop.once;"
                            + "DROP EVENT shop.`x ``ON COMPLETION PRESERVE ENABLE;`");
        }
    }

    @Test
    void what_broke_off_half_way_is_made_anew() throws Exception {
        try (DatabaseServer server = servers.connect(member, ACCOUNTS.operator())) {
            server.erase();
            server.makeReadOnly();
        }
        ScriptRun run = run(job());

        assertThat(run.exitCode()).as(run.report().toString()).isZero();
        assertThat(databases()).contains("shop");
        assertThat(state(member).incomplete()).isTrue();
    }

    @Test
    void a_donor_that_breaks_in_the_middle_of_its_dump_costs_the_member_nothing() throws Exception {
        servers.sql(
                donor,
                ACCOUNTS.root(),
                "CREATE VIEW shop.z AS SELECT id FROM shop.orders; "
                        + "CREATE TABLE shop.gone (i INT); CREATE OR REPLACE VIEW shop.z AS SELECT i FROM shop.gone; DROP TABLE shop.gone");
        try {
            refused(job(), "the dump of 127.0.5.100 was broken off", "shop.z");
        } finally {
            servers.sql(donor, ACCOUNTS.root(), "DROP VIEW shop.z");
        }
    }

    @Test
    void a_dump_that_tells_less_than_the_donor_had_before_costs_the_member_nothing() throws Exception {
        assumeThat(product()).as("whose dump tells a position").isEqualTo(Product.MARIADB);
        Programs lying = servers.programs.with(
                "mariadb-dump",
                Files.createDirectories(folder.resolve("lying")),
                "sed \"s/gtid_slave_pos='0-100-[0-9]*'/gtid_slave_pos='0-100-1'/\"");

        ScriptRun run = ScriptRun.of(job(), ACCOUNTS.operator().password(), lying, folder, folder);

        assertThat(run.exitCode()).isNotZero();
        assertThat(run.said("message"))
                .startsWith("nothing of 127.0.5.110 was touched: the dump of 127.0.5.100 is at '")
                .contains("and 127.0.5.100 was at '");
        untouched();
    }

    @Test
    void a_donor_that_lags_is_waited_for_until_it_has_what_the_copy_must_have() throws Exception {
        String before = state(donor).own().text();
        String number = before.replaceAll(".*[:-]", "");
        boolean isFirst = before.endsWith(":" + number);
        String next = before.substring(0, before.length() - (isFirst ? 0 : number.length()))
                + (isFirst ? "-" : "")
                + (Integer.parseInt(number) + 1);
        Position required = Position.of(state(donor).flavor(), next);
        Job job = clusterJobs()
                .clone(1, ScriptServers.endpoint(donor), ScriptServers.endpoint(member), state(member), required);

        CompletableFuture<ScriptRun> run = CompletableFuture.supplyAsync(() -> {
            try {
                return run(job);
            } catch (IOException | InterruptedException failure) {
                throw new IllegalStateException(failure);
            }
        });
        // Each question of the Job is a connection, and so is each of these.
        long connections = connections();
        for (int own = 1; connections() < connections + own + ASKED; own++) {
            assertThat(run).isNotDone();
        }
        servers.sql(donor, ACCOUNTS.root(), "CREATE DATABASE late");

        try {
            assertThat(run.get().exitCode()).as(run.get().report().toString()).isZero();
            assertThat(databases()).contains("late");
        } finally {
            servers.sql(donor, ACCOUNTS.root(), "DROP DATABASE late");
        }
    }

    private long connections() throws Exception {
        return Long.parseLong(servers.sql(donor, ACCOUNTS.root(), "SHOW GLOBAL STATUS LIKE 'Connections'")
                .replaceAll("\\D", ""));
    }

    @Test
    void a_donor_that_is_away_costs_the_member_nothing() throws Exception {
        Job job = clusterJobs()
                .clone(
                        1,
                        new Endpoint("127.0.5.200", 1),
                        ScriptServers.endpoint(member),
                        state(member),
                        state(donor).history());

        assertThat(run(job).said("message")).contains("127.0.5.200 cannot be asked");
        untouched();
    }

    @Test
    void a_donor_that_has_itself_only_part_of_a_copy_gives_none() throws Exception {
        servers.sql(
                donor,
                ACCOUNTS.operator(),
                "SET sql_log_bin = 0; CREATE DATABASE " + DatabaseServer.MARK_OF_INCOMPLETE);
        try {
            assertThat(run(job()).said("message")).contains("127.0.5.100 has itself only part of a copy");
            untouched();
        } finally {
            servers.sql(
                    donor,
                    ACCOUNTS.operator(),
                    "SET sql_log_bin = 0; DROP DATABASE " + DatabaseServer.MARK_OF_INCOMPLETE);
        }
    }

    @Test
    void a_member_that_has_become_writable_keeps_what_it_has() throws Exception {
        Job job = job();
        try (DatabaseServer server = servers.connect(member, ACCOUNTS.operator())) {
            server.makeWritable();
        }
        refused(job, "it is writable");
    }

    @Test
    void a_member_that_has_moved_on_keeps_what_it_has() throws Exception {
        Job job = job();
        try (DatabaseServer server = servers.connect(member, ACCOUNTS.operator())) {
            server.makeWritable();
            servers.sql(member, ACCOUNTS.root(), "INSERT INTO mine.t VALUES (8)");
            server.makeReadOnly();
        }
        refused(job, "when this was decided");
    }

    @Test
    void another_server_at_the_same_address_keeps_what_it_has() throws Exception {
        ServerState before = state(member);
        ServerState another = new ServerState(
                before.flavor(),
                before.version(),
                1,
                "another",
                true,
                before.history(),
                before.applied(),
                before.own(),
                before.replication(),
                false,
                false,
                0,
                Optional.empty());
        refused(
                clusterJobs()
                        .clone(
                                1,
                                ScriptServers.endpoint(donor),
                                ScriptServers.endpoint(member),
                                another,
                                state(donor).history()),
                "not another");
    }

    @Test
    void a_member_that_somebody_uses_keeps_what_it_has() throws Exception {
        Process client =
                servers.client(member, ACCOUNTS.root(), "SELECT SLEEP(60)").start();
        try {
            while (!servers.sql(member, ACCOUNTS.operator(), "SHOW PROCESSLIST").contains("SLEEP(60)")) {
                Thread.onSpinWait();
            }
            refused(job(), "somebody is connected to it: root from ");
        } finally {
            client.destroyForcibly().waitFor();
            try (DatabaseServer server = servers.connect(member, ACCOUNTS.operator())) {
                server.closeClients();
            }
        }
    }

    @Test
    void programs_that_come_back_past_the_Services_do_not_hold_it_up() throws Exception {
        try (DatabaseServer server = servers.connect(member, ACCOUNTS.operator())) {
            server.makeWritable();
            servers.sql(
                    member,
                    ACCOUNTS.root(),
                    "CREATE USER program@'%' IDENTIFIED BY 'program'; GRANT ALL ON mine.* TO program@'%'");
            server.makeReadOnly();
        }
        ProcessBuilder client =
                servers.client(member, PROGRAM, "BEGIN; SELECT * FROM mine.t; SELECT SLEEP(600) FROM mine.t");
        client.command(Stream.concat(
                        Stream.of("bash", "-c", "while true; do \"$@\"; done", "again"), client.command().stream())
                .toList());
        Process program = client.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        try {
            while (!servers.sql(member, ACCOUNTS.operator(), "SHOW PROCESSLIST").contains("SLEEP(600)")) {
                Thread.onSpinWait();
            }
            ScriptRun run = run(job());

            assertThat(run.exitCode()).as(run.report().toString()).isZero();
            assertThat(databases()).contains("shop").doesNotContain("mine");
        } finally {
            program.destroyForcibly().waitFor();
            try (DatabaseServer server = servers.connect(member, ACCOUNTS.operator())) {
                server.closeClients();
            }
        }
    }

    @Test
    void data_files_that_were_asked_for_do_not_come_into_a_dump_that_was_loaded() throws Exception {
        assumeThat(product()).isEqualTo(Product.MARIADB);
        try (DatabaseServer server = servers.connect(member, ACCOUNTS.operator())) {
            server.beginCopy(ScriptServers.endpoint(donor), ACCOUNTS.replication());
            assertThat(server.observe().copy()).isPresent();
        }

        ScriptRun run = run(job());

        assertThat(run.exitCode()).as(run.report().toString()).isZero();
        assertThat(state(member).incomplete()).isTrue();
        assertThat(state(member).copy()).isEmpty();
    }

    /** The last one that is let in may be an administrator. */
    @Test
    void a_donor_gives_a_copy_though_others_hold_all_its_connections() throws Exception {
        Job job = job();
        ClusterJobs.container(job).getEnv().stream()
                .filter(variable -> variable.getName().equals("ADMINISTRATION_PORT"))
                .forEach(port -> port.setValue(String.valueOf(servers.administrationPort(donor))));
        int most = 10;
        servers.sql(donor, ACCOUNTS.root(), "SET GLOBAL max_connections = " + most);
        List<Process> others = new ArrayList<>();
        try {
            while (servers.client(donor, ACCOUNTS.operator(), "DO 0").start().waitFor() == 0) {
                ProcessBuilder waiting = servers.client(donor, ACCOUNTS.root(), "");
                waiting.command().removeIf(argument -> argument.startsWith("--execute"));
                others.add(
                        waiting.redirectOutput(ProcessBuilder.Redirect.DISCARD).start());
            }

            ScriptRun run = run(job);

            assertThat(run.exitCode()).as(run.report().toString()).isZero();
            assertThat(databases()).contains("shop").doesNotContain("mine");
        } finally {
            for (Process other : others) {
                other.destroyForcibly().waitFor();
            }
            while (servers.client(donor, ACCOUNTS.root(), "SET GLOBAL max_connections = DEFAULT")
                            .start()
                            .waitFor()
                    != 0) {
                Thread.sleep(50);
            }
        }
    }

    @Test
    void a_member_that_follows_again_keeps_what_it_has() throws Exception {
        Job job = job();
        try (DatabaseServer server = servers.connect(member, ACCOUNTS.operator())) {
            server.follow(new Endpoint("127.0.5.200", 3306), ACCOUNTS.replication(), false);
            try {
                refused(job, "it follows another server");
            } finally {
                server.stopFollowing();
            }
        }
    }

    @Test
    void a_member_that_is_followed_keeps_what_it_has() throws Exception {
        try (DatabaseServer replica = servers.connect(donor, ACCOUNTS.operator())) {
            replica.follow(ScriptServers.endpoint(member), ACCOUNTS.replication(), false);
            try {
                while (!servers.sql(member, ACCOUNTS.operator(), "SHOW PROCESSLIST")
                        .contains("Binlog Dump")) {
                    Thread.onSpinWait();
                }
                refused(job(), "which follows it");
            } finally {
                replica.stopFollowing();
                servers.sql(donor, ACCOUNTS.operator(), "SET sql_log_bin = 0; DROP DATABASE IF EXISTS mine");
            }
        }
    }

    @Test
    @Timeout(300)
    void a_table_that_is_locked_at_the_donor_is_not_waited_for_for_ever() throws Exception {
        Process holder = servers.client(donor, ACCOUNTS.root(), "LOCK TABLES shop.orders WRITE; SELECT SLEEP(600)")
                .start();
        try {
            while (!servers.sql(donor, ACCOUNTS.operator(), "SHOW PROCESSLIST").contains("SLEEP(600)")) {
                Thread.onSpinWait();
            }
            refused(
                    impatient(),
                    "the dump of 127.0.5.100 was given up after it had waited 2 s in shop at: ",
                    "orders",
                    "; another session has locked that: ");
        } finally {
            holder.destroyForcibly().waitFor();
            try (DatabaseServer server = servers.connect(donor, ACCOUNTS.operator())) {
                server.closeClients();
            }
        }
        ScriptRun run = run(impatient());
        assertThat(run.exitCode()).as(run.report().toString()).isZero();
    }

    /** As the operator would ask for it now, but that it waits for a table for 2 seconds only. */
    Job impatient() throws Exception {
        Job job = job();
        ClusterJobs.variable(job, "TABLE_PATIENCE", "2");
        return job;
    }

    void refused(Job job, String... why) throws Exception {
        refused(servers.programs, job, why);
    }

    void refused(Programs programs, Job job, String... why) throws Exception {
        ScriptRun run = ScriptRun.of(job, ACCOUNTS.operator().password(), programs, folder, folder);
        assertThat(run.exitCode()).isNotZero();
        assertThat(run.said("message"))
                .startsWith("nothing of 127.0.5.110 was touched: ")
                .contains(why);
        untouched();
    }

    private void untouched() throws Exception {
        assertThat(servers.sql(member, ACCOUNTS.operator(), "SELECT MIN(i) FROM mine.t"))
                .isEqualTo("7\n");
        assertThat(state(member).incomplete()).isFalse();
    }

    private static ClusterJobs clusterJobs() {
        return new ClusterJobs(SampleBackups.cluster("size: 2"));
    }

    /** As the operator would ask for it now. */
    Job job() throws Exception {
        return clusterJobs()
                .clone(
                        1,
                        ScriptServers.endpoint(donor),
                        ScriptServers.endpoint(member),
                        state(member),
                        state(donor).history());
    }

    ScriptRun run(Job job) throws IOException, InterruptedException {
        return ScriptRun.of(job, ACCOUNTS.operator().password(), servers.programs, folder, folder);
    }

    private String databases() throws Exception {
        return servers.sql(member, ACCOUNTS.operator(), "SHOW DATABASES");
    }

    ServerState state(LocalServer server) throws Exception {
        return servers.state(server, ACCOUNTS.operator());
    }
}
