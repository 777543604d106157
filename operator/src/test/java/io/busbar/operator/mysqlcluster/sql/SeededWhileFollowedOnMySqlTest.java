package io.busbar.operator.mysqlcluster.sql;

import io.busbar.operator.mysqlcluster.bed.Product;
import org.junit.jupiter.api.condition.EnabledIf;

/** The same with servers of MySQL. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMySql", disabledReason = Product.NEEDS_MYSQL)
class SeededWhileFollowedOnMySqlTest extends SeededWhileFollowedTest {

    @Override
    Product product() {
        return Product.MYSQL;
    }
}
