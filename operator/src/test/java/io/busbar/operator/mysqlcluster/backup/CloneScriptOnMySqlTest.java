package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.bed.Programs;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** The same on real servers of MySQL, with MySQL's programs alone. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMySql", disabledReason = Product.NEEDS_MYSQL)
class CloneScriptOnMySqlTest extends CloneScriptTest {

    @Override
    Product product() {
        return Product.MYSQL;
    }

    @Test
    void a_position_of_many_writers_is_told_whole() throws Exception {
        String writers = IntStream.range(10, 50)
                .mapToObj("%d000000-e7cc-11f1-bb04-02fc00000001:1-12345"::formatted)
                .collect(Collectors.joining(","));
        servers.sql(donor, ACCOUNTS.root(), "SET GLOBAL gtid_purged = '+" + writers + "'");

        ScriptRun run = run(job());

        assertThat(run.exitCode()).as(run.report().toString()).isZero();
        assertThat(Position.of(Flavor.MYSQL, run.said("gtid")))
                .isEqualTo(state(donor).history());
    }

    @Test
    void a_position_of_more_writers_than_can_be_told_costs_the_member_nothing() throws Exception {
        Programs wordy = servers.programs.with(
                "mysql",
                Files.createDirectories(folder.resolve("wordy")),
                "sed -u 's/^[0-9a-f-]*:1-/" + "10000000-e7cc-11f1-bb04-02fc00000001:1-12345,".repeat(100) + "&/'");

        refused(wordy, job(), "and a Job can tell 3500");
    }

    /** The lock that a dump begins with would wait for that write, and the write for whoever is to have the copy. */
    @Test
    @Timeout(300)
    void a_donor_whose_writes_wait_for_a_replica_gives_a_copy_too() throws Exception {
        Process writer = waitingWriter();
        try {
            ScriptRun run = run(job());

            assertThat(run.exitCode()).as(run.report().toString()).isZero();
            assertThat(servers.sql(member, ACCOUNTS.operator(), "SELECT note FROM shop.orders ORDER BY id"))
                    .isEqualTo("one\ntwo\n");
            assertThat(Position.of(Flavor.MYSQL, run.said("gtid")))
                    .isEqualTo(state(donor).history());
        } finally {
            letGo(writer);
        }
    }

    @Test
    @Timeout(300)
    void a_write_that_comes_through_during_a_dump_without_a_lock_costs_the_member_nothing() throws Exception {
        Process writer = waitingWriter();
        try {
            String client =
                    "mysql --no-defaults --get-server-public-key --protocol=tcp --host=%s --port=%d --user=%s -Ne "
                            .formatted(
                                    donor.address(),
                                    donor.port(),
                                    ACCOUNTS.operator().user());
            Programs interrupted = servers.programs.with(
                    "mysqldump",
                    Files.createDirectories(folder.resolve("interrupted")),
                    "{ cat; " + client + "'SET GLOBAL rpl_semi_sync_source_enabled = OFF'; until [ \"$(" + client
                            + "'SELECT COUNT(*) FROM shop.orders WHERE id = 3')\" = 1 ]; do :; done; }");

            refused(interrupted, job(), "127.0.5.100 may have been written to while it was dumped");
        } finally {
            letGo(writer);
        }
    }

    /** It keeps the table until then, and KILL does not end it. */
    @Test
    @Timeout(300)
    void a_change_of_a_table_that_waits_for_a_replica_does_not_hold_up_a_copy_for_ever() throws Exception {
        prepareToWait();
        servers.sql(donor, ACCOUNTS.operator(), "SET GLOBAL rpl_semi_sync_source_enabled = ON");
        Process change = servers.client(donor, ACCOUNTS.root(), "ALTER TABLE shop.orders COMMENT = 'waits'")
                .start();
        try {
            awaitProcess("Waiting for semi-sync ACK");

            refused(
                    impatient(),
                    "had waited 2 s in shop at: ",
                    ", and writes wait for acknowledgements: bring back a replica that can give them");
        } finally {
            letGo(change);
        }
        ScriptRun run = run(impatient());
        assertThat(run.exitCode()).as(run.report().toString()).isZero();
    }

    /** As when the replicas that had acknowledged are lost in that moment. */
    @Test
    @Timeout(300)
    void a_write_that_begins_to_wait_for_a_replica_while_the_copy_is_made_does_not_hold_it_up_for_ever()
            throws Exception {
        prepareToWait();
        Process gate = servers.client(donor, ACCOUNTS.root(), "SELECT GET_LOCK('gate', 0); SELECT SLEEP(600)")
                .start();
        awaitProcess("SLEEP(600)");
        Process writer = servers.client(
                        donor, ACCOUNTS.root(), "INSERT INTO shop.orders VALUES (3, GET_LOCK('gate', 600))")
                .start();
        try {
            awaitProcess("User lock");
            CompletableFuture<ScriptRun> run = running(job());
            awaitProcess("FLUSH");
            servers.sql(donor, ACCOUNTS.operator(), "SET GLOBAL rpl_semi_sync_source_enabled = ON");
            gate.destroyForcibly().waitFor();
            servers.sql(
                    donor,
                    ACCOUNTS.root(),
                    "SELECT CONCAT('KILL ', ID) FROM information_schema.PROCESSLIST WHERE INFO = 'SELECT SLEEP(600)'"
                            + " INTO @kill; PREPARE ending FROM @kill; EXECUTE ending");
            awaitProcess("Waiting for semi-sync ACK");

            assertThat(run.get().exitCode()).as(run.get().report().toString()).isZero();
            assertThat(servers.sql(member, ACCOUNTS.operator(), "SELECT note FROM shop.orders ORDER BY id"))
                    .isEqualTo("one\ntwo\n");
        } finally {
            letGo(writer);
        }
    }

    /** Each row is one transaction. */
    @Test
    @Timeout(300)
    void a_copy_of_a_donor_that_is_written_to_all_the_time_has_the_rows_of_its_position() throws Exception {
        servers.sql(donor, ACCOUNTS.root(), "CREATE TABLE shop.many (id INT PRIMARY KEY AUTO_INCREMENT)");
        long before = ownTransactions(state(donor).history());
        ProcessBuilder client = servers.client(donor, ACCOUNTS.root(), "");
        client.command(Stream.concat(
                        Stream.of("bash", "-c", "yes 'INSERT INTO shop.many VALUES ();' | \"$@\"", "writer"),
                        client.command().stream().filter(argument -> !argument.startsWith("--execute")))
                .toList());
        Process writer = client.start();
        try {
            while (ownTransactions(state(donor).history()) == before) {
                Thread.onSpinWait();
            }
            ScriptRun run = run(job());

            assertThat(run.exitCode()).as(run.report().toString()).isZero();
            assertThat(writer.isAlive()).as("written to all the time").isTrue();
            long rows = Long.parseLong(servers.sql(member, ACCOUNTS.operator(), "SELECT COUNT(*) FROM shop.many")
                    .strip());
            assertThat(ownTransactions(Position.of(Flavor.MYSQL, run.said("gtid"))))
                    .isEqualTo(before + rows);
        } finally {
            writer.descendants().forEach(ProcessHandle::destroyForcibly);
            writer.waitFor();
            servers.sql(donor, ACCOUNTS.root(), "DROP TABLE shop.many");
        }
    }

    @Test
    void a_lock_that_ends_before_the_dump_has_begun_costs_the_member_nothing() throws Exception {
        Path late = Files.createDirectories(folder.resolve("late")).resolve("mysqldump");
        String client = "mysql --get-server-public-key --protocol=tcp --host=%s --port=%d --user=%s -N "
                .formatted(donor.address(), donor.port(), ACCOUNTS.operator().user());
        Files.writeString(
                late,
                "#!/bin/bash\nPATH=" + servers.programs.path() + "\nfor id in $(" + client
                        + "-e \"SELECT ID FROM information_schema.PROCESSLIST WHERE COMMAND = 'Sleep'\"); do\n  "
                        + client
                        + "-e \"KILL $id\"\ndone\nexec mysqldump \"$@\"\n");
        Files.setPosixFilePermissions(late, PosixFilePermissions.fromString("rwxr-xr-x"));
        Programs programs = new Programs(late.getParent() + ":" + servers.programs.path(), servers.programs.client());

        refused(programs, job(), "127.0.5.100 may have been written to while it was dumped");
    }

    private long ownTransactions(Position position) throws Exception {
        String writer = state(donor).writer();
        return Stream.of(position.text().split(","))
                .filter(part -> part.startsWith(writer))
                .mapToLong(part -> Long.parseLong(part.replaceAll(".*[:-]", "")))
                .sum();
    }

    private CompletableFuture<ScriptRun> running(Job job) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return run(job);
            } catch (IOException | InterruptedException failure) {
                throw new IllegalStateException(failure);
            }
        });
    }

    private void awaitProcess(String words) throws Exception {
        while (!servers.sql(donor, ACCOUNTS.operator(), "SHOW PROCESSLIST").contains(words)) {
            Thread.onSpinWait();
        }
    }

    private Process waitingWriter() throws Exception {
        prepareToWait();
        servers.sql(donor, ACCOUNTS.operator(), "SET GLOBAL rpl_semi_sync_source_enabled = ON");
        Process writer = servers.client(donor, ACCOUNTS.root(), "INSERT INTO shop.orders VALUES (3, 'waits')")
                .start();
        awaitProcess("Waiting for semi-sync ACK");
        return writer;
    }

    private void prepareToWait() throws Exception {
        servers.sql(
                donor,
                ACCOUNTS.root(),
                "INSTALL PLUGIN rpl_semi_sync_source SONAME 'semisync_source.so';"
                        + "SET GLOBAL rpl_semi_sync_source_timeout = 4294967295");
    }

    private void letGo(Process writer) throws Exception {
        servers.sql(donor, ACCOUNTS.operator(), "SET GLOBAL rpl_semi_sync_source_enabled = OFF");
        writer.waitFor();
        servers.sql(
                donor, ACCOUNTS.root(), "DELETE FROM shop.orders WHERE id = 3; UNINSTALL PLUGIN rpl_semi_sync_source");
    }
}
