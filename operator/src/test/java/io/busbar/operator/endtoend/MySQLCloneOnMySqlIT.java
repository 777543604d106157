package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.Product;
import org.junit.jupiter.api.Test;

/** The same with servers of MySQL, which do it by themselves; a dump is taken where they cannot. */
@WithDatabases(Product.MYSQL)
class MySQLCloneOnMySqlIT extends MySQLCloneIT {

    MySQLCloneOnMySqlIT(Cluster cluster, Databases databases) {
        super(cluster, databases);
    }

    @Override
    void assertHasFiles(String name, String pod) {
        super.assertHasFiles(name, pod);
        assertThat(databases.query(name, pod, "SELECT STATE FROM performance_schema.clone_status"))
                .containsExactly("Completed");
    }

    @Override
    String statusOfStoppedEvents() {
        return "REPLICA_SIDE_DISABLED";
    }

    @Override
    void assertTakesNoWrites(String name, String pod) {
        assertThat(databases.query(name, pod, "SELECT @@GLOBAL.super_read_only"))
                .containsExactly("1");
    }

    @Test
    void a_dump_is_taken_where_tables_would_arrive_empty() {
        begin("dumped", "size: 2", "MyISAM");

        databases.server("dumped-1").loseData();

        databases.eventually(() -> assertThat(databases.events("dumped")).contains("CloneFailed", "MemberRecloned"));
        databases.running("dumped", 2);
        assertHasAll("dumped", "dumped-1");
    }
}
