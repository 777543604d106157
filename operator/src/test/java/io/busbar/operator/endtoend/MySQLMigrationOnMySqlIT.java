package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.bed.Product;

/** The same with servers of MySQL. */
@WithDatabases(value = Product.MYSQL)
class MySQLMigrationOnMySqlIT extends MySQLMigrationIT {

    MySQLMigrationOnMySqlIT(Cluster cluster, Databases databases) {
        super(cluster, databases);
    }
}
