package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.bed.Product;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The same with servers of MySQL. */
@EnabledIfSystemProperty(named = "busbar.chaos", matches = ".+", disabledReason = "a long run, by -Dbusbar.chaos=PT30M")
@WithDatabases(value = Product.MYSQL, alone = true)
class MySQLChaosOnMySqlIT extends MySQLChaosIT {

    MySQLChaosOnMySqlIT(Cluster cluster, Databases databases) {
        super(cluster, databases);
    }
}
