package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.bed.Product;
import org.junit.jupiter.api.Order;

/** The same with servers of MySQL. */
@WithDatabases(value = Product.MYSQL, atLength = true, alone = true)
@Order(EndToEnd.LONG)
class MySQLInterruptedOnMySqlIT extends MySQLInterruptedIT {

    MySQLInterruptedOnMySqlIT(Cluster cluster, Databases databases) {
        super(cluster, databases);
    }
}
