package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.bed.Programs;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.nio.file.Files;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
        Programs lying = servers.programs.with(
                "mysqldump",
                Files.createDirectories(folder.resolve("wordy")),
                "sed \"s/GTID_PURGED='+/&" + "10000000-e7cc-11f1-bb04-02fc00000001:1-12345,".repeat(100) + "/\"");

        ScriptRun run = ScriptRun.of(job(), ACCOUNTS.operator().password(), lying, folder, folder);

        assertThat(run.said("message")).contains("nothing of 127.0.5.110 was touched", "and a Job can tell 3500");
    }

    /** The lock that a dump begins with would wait for that write, and the write for whoever is to have the copy. */
    @Test
    @Timeout(60)
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
    @Timeout(60)
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

            refused(interrupted, job(), "127.0.5.100 was written to while it was dumped without a lock");
        } finally {
            letGo(writer);
        }
    }

    private Process waitingWriter() throws Exception {
        servers.sql(
                donor,
                ACCOUNTS.root(),
                "INSTALL PLUGIN rpl_semi_sync_source SONAME 'semisync_source.so';"
                        + "SET GLOBAL rpl_semi_sync_source_timeout = 4294967295;"
                        + "SET GLOBAL rpl_semi_sync_source_enabled = ON");
        Process writer = servers.client(donor, ACCOUNTS.root(), "INSERT INTO shop.orders VALUES (3, 'waits')")
                .start();
        while (!servers.sql(donor, ACCOUNTS.operator(), "SHOW PROCESSLIST").contains("Waiting for semi-sync ACK")) {
            Thread.onSpinWait();
        }
        return writer;
    }

    private void letGo(Process writer) throws Exception {
        servers.sql(donor, ACCOUNTS.operator(), "SET GLOBAL rpl_semi_sync_source_enabled = OFF");
        writer.waitFor();
        servers.sql(
                donor, ACCOUNTS.root(), "DELETE FROM shop.orders WHERE id = 3; UNINSTALL PLUGIN rpl_semi_sync_source");
    }
}
