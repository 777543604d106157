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
}
