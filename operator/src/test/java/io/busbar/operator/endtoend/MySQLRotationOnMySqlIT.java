package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.bed.Product;
import org.junit.jupiter.api.Order;

/** The same with servers of MySQL. */
@WithDatabases(Product.MYSQL)
@Order(EndToEnd.LONG)
class MySQLRotationOnMySqlIT extends MySQLRotationIT {

    MySQLRotationOnMySqlIT(Cluster cluster, Databases databases) {
        super(cluster, databases);
    }
}
