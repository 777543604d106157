package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.bed.Product;
import org.junit.jupiter.api.condition.EnabledIf;

/** The same on real servers of MySQL, with MySQL's programs alone. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMySql", disabledReason = Product.NEEDS_MYSQL)
class ArchiveScriptOnMySqlTest extends ArchiveScriptTest {

    @Override
    Product product() {
        return Product.MYSQL;
    }
}
