package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.bed.Product;
import org.junit.jupiter.api.Order;

/** The same with servers of MySQL. */
@WithDatabases(value = Product.MYSQL, atLength = true)
@Order(EndToEnd.LONG)
class MySQLPointInTimeOnMySqlIT extends MySQLPointInTimeIT {

    MySQLPointInTimeOnMySqlIT(Cluster cluster, Databases databases) {
        super(cluster, databases);
    }
}
