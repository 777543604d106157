package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.Product;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The same on real servers of MySQL, with MySQL's programs alone. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMySql", disabledReason = Product.NEEDS_MYSQL)
class ArchiveScriptOnMySqlTest extends ArchiveScriptTest {

    @Override
    Product product() {
        return Product.MYSQL;
    }

    @Test
    void a_file_is_archived_byte_by_byte() throws Exception {
        insert(1);
        sql("ALTER TABLE shop.orders MODIFY note LONGTEXT");
        sql("SET SESSION binlog_transaction_compression = ON; INSERT INTO shop.orders SELECT 2, REPEAT('x', 40000000)");
        sql(
                "SET SESSION binlog_row_image = 'MINIMAL'; UPDATE shop.orders SET note = CONCAT(note, UUID()) WHERE id = 2");
        archived(archive());

        Path file = folder.resolve("primary").resolve("binlog.000001");
        byte[] archived = new GZIPInputStream(new ByteArrayInputStream(bucket.read(onlyLog()))).readAllBytes();
        assertThat(archived).isEqualTo(Files.readAllBytes(file));
    }

    private String onlyLog() {
        return bucket.keys().stream()
                .filter(key -> key.endsWith(".gz"))
                .findFirst()
                .orElseThrow();
    }
}
