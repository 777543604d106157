package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.bed.Product;

/** The same with servers of MySQL. */
@WithDatabases(Product.MYSQL)
class MySQLExporterOnMySqlIT extends MySQLExporterIT {

    MySQLExporterOnMySqlIT(Cluster cluster, Databases databases) {
        super(cluster, databases);
    }
}
