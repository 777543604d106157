package io.busbar.operator.mysqlcluster.sql;

import io.busbar.operator.mysqlcluster.bed.Product;
import org.junit.jupiter.api.condition.EnabledIf;

/** The same with a server of MySQL. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMySql", disabledReason = Product.NEEDS_MYSQL)
class EncryptedServersOnMySqlTest extends EncryptedServersTest {

    @Override
    Product product() {
        return Product.MYSQL;
    }
}
