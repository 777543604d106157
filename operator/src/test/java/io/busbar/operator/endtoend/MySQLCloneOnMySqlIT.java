package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.Product;

/** The same with servers of MySQL, which do it by themselves. */
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

    @Override
    String otherEngine() {
        return "MyISAM";
    }
}
