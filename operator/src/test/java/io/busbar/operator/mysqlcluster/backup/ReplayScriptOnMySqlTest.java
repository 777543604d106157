package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.Product;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The same on real servers of MySQL, with MySQL's programs alone. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMySql", disabledReason = Product.NEEDS_MYSQL)
class ReplayScriptOnMySqlTest extends ReplayScriptTest {

    @Override
    Product product() {
        return Product.MYSQL;
    }

    @Test
    void transactions_with_tags_are_told_apart() throws Exception {
        write("SET GTID_NEXT = 'AUTOMATIC:nightly'; INSERT INTO shop.orders VALUES (3, 'three');"
                + "INSERT INTO shop.orders VALUES (4, 'four'); SET GTID_NEXT = 'AUTOMATIC'");
        String wanted = position();
        write("SET GTID_NEXT = 'AUTOMATIC:nightly'; INSERT INTO shop.orders VALUES (5, 'five')");
        archive();

        Run run = load(new Until(null, wanted));

        assertThat(run.exitCode()).as(run.said().toString()).isZero();
        assertThat(wanted).contains(":nightly:1-2");
        assertThat(run.said().path("gtid").asText()).isEqualTo(wanted);
    }
}
