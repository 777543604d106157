package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.bed.Product;

/** The same with servers of MySQL. */
@WithDatabases(value = Product.MYSQL, atLength = true, alone = true)
class MySQLSecretOnMySqlIT extends MySQLSecretIT {

    MySQLSecretOnMySqlIT(Cluster cluster, Databases databases) {
        super(cluster, databases);
    }
}
