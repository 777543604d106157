package io.busbar.operator.mysqlcluster.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.Product;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The same on real servers of MySQL, with MySQL's programs alone. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMySql", disabledReason = Product.NEEDS_MYSQL)
class ReplayScriptOnMySqlTest extends ReplayScriptTest {

    @Override
    Product product() {
        return Product.MYSQL;
    }

    @Test
    void transactions_with_tags_are_told_apart() throws Exception {
        write("SET GTID_NEXT = 'AUTOMATIC:nightly'; INSERT INTO shop.orders VALUES (3, 'three');"
                + "INSERT INTO shop.orders VALUES (4, 'four'); SET GTID_NEXT = 'AUTOMATIC'");
        String wanted = position();
        write("SET GTID_NEXT = 'AUTOMATIC:nightly'; INSERT INTO shop.orders VALUES (5, 'five')");
        archive();

        Run run = load(new Until(null, wanted));

        assertThat(run.exitCode()).as(run.said().toString()).isZero();
        assertThat(wanted).contains(":nightly:1-2");
        assertThat(run.said().path("gtid").asText()).isEqualTo(wanted);
    }

    /** As it would be for a replica: no value is computed anew. */
    @Test
    void statements_have_at_the_other_server_what_they_had_in_their_sessions() throws Exception {
        write("CREATE DATABASE `we``ird`; CREATE TABLE shop.told (id INT PRIMARY KEY AUTO_INCREMENT, a VARCHAR(99)"
                + " CHARACTER SET utf8mb4, b VARBINARY(99)); CREATE TABLE `we``ird`.t (a TEXT CHARACTER SET gbk)");
        write("SET SESSION binlog_format = 'STATEMENT', timestamp = 1500000000.123456, time_zone = '+05:30';"
                + "INSERT INTO shop.told (a, b) VALUES (NOW(6), RAND());"
                + "SET SESSION auto_increment_increment = 7, auto_increment_offset = 3, insert_id = 50;"
                + "INSERT INTO shop.told (a) VALUES (UUID_SHORT() > 0); SET SESSION lc_time_names = 'de_DE';"
                + "INSERT INTO shop.told (a, b) VALUES (DATE_FORMAT('2024-03-05', '%W %M'), LAST_INSERT_ID());"
                + "SET @`a``'b` = 'it''s \\ ü', @l = _latin1 X'E4', @n = NULL, @i = -5, @u = 18446744073709551615,"
                + " @r = 0.1e0, @big = 1e300, @d = -1234567890123.000450, @e = 0.5, @z = 12345678901234567890123;"
                + "INSERT INTO shop.told (a, b) VALUES (@`a``'b`, HEX(@`a``'b`)), (@l, COLLATION(@l)), (@n, @n),"
                + " (@i, @u), (@r, @r * 3), (@big, 0), (@d, @e), (@z, @z / 7);"
                + "SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES';"
                + "INSERT INTO shop.told (a, b) VALUES ('back\\', 'a'';b'); CREATE TABLE \"shop\".\"quo'ted\" (i INT);"
                + "SET SESSION sql_mode = DEFAULT; USE `we``ird`; INSERT INTO t VALUES ('in a strange place');"
                + "CREATE TEMPORARY TABLE shop.passing (i INT); INSERT INTO shop.passing VALUES (7);"
                + "INSERT INTO shop.told (a) SELECT i FROM shop.passing; DROP TEMPORARY TABLE shop.passing;"
                + "SET SESSION foreign_key_checks = 0; CREATE TABLE child (i INT, FOREIGN KEY (i) REFERENCES later (i));"
                + "CREATE TABLE later (i INT PRIMARY KEY); SET SESSION foreign_key_checks = 1");
        // Two letters whose second byte is a backslash, the last one before the quote.
        ByteArrayOutputStream statements = new ByteArrayOutputStream();
        statements.writeBytes(
                "SET SESSION binlog_format = 'STATEMENT'; INSERT INTO `we``ird`.t VALUES ('".getBytes(UTF_8));
        statements.writeBytes(new byte[] {(byte) 0xd5, 0x5c, (byte) 0x81, 0x5c});
        statements.writeBytes("');\n".getBytes(UTF_8));
        client(statements.toByteArray(), "--default-character-set=gbk");
        replayed();

        assertSame("SELECT id, HEX(a), HEX(b) FROM shop.told ORDER BY id");
        assertSame("SELECT HEX(a) FROM `we``ird`.t");
        assertSame("SHOW CREATE TABLE `we``ird`.child");
        assertThat(query(source, "SELECT HEX(a) FROM `we``ird`.t")).contains("D55C815C");
        assertThat(query(target, "SHOW TABLES IN shop")).contains("quo'ted");
    }

    @Test
    void rows_come_as_they_are_however_many_and_however_they_were_written_to_the_log() throws Exception {
        String numbers = "WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) ";
        write("CREATE TABLE shop.notes (id INT PRIMARY KEY, doc JSON, order_id INT);"
                + "SET SESSION cte_max_recursion_depth = 10000;"
                + "INSERT INTO shop.orders " + numbers + "SELECT i, REPEAT(CHAR(65 + i % 26), 2000) FROM n;"
                + "INSERT INTO shop.notes " + numbers + "SELECT i, JSON_OBJECT('a', REPEAT('x', 200)), i FROM n;"
                + "UPDATE shop.orders JOIN shop.notes ON order_id = orders.id SET note = CONCAT(note, 'é'),"
                + " order_id = order_id + 1");
        write(
                "SET SESSION binlog_row_value_options = 'PARTIAL_JSON'; UPDATE shop.notes SET doc = JSON_SET(doc, '$.a', 1)"
                        + " WHERE id < 200; SET SESSION binlog_row_value_options = '', binlog_row_image = 'MINIMAL';"
                        + " DELETE FROM shop.notes WHERE id > 8000");
        write(
                "SET SESSION binlog_transaction_compression = ON, binlog_transaction_compression_level_zstd = 22;"
                        + " BEGIN; UPDATE shop.orders SET note = CONCAT(note, id) WHERE id < 5000; DELETE FROM shop.orders WHERE id = 101; COMMIT");
        write("XA START 'one', 'b', 5; INSERT INTO shop.orders VALUES (20000, 'one phase'); XA END 'one', 'b', 5;"
                + " XA COMMIT 'one', 'b', 5 ONE PHASE; XA START X'00FF'; INSERT INTO shop.orders VALUES (20001, 'two');"
                + " XA END X'00FF'; XA PREPARE X'00FF'; XA COMMIT X'00FF'; XA START 'no';"
                + " INSERT INTO shop.orders VALUES (20002, 'no'); XA END 'no'; XA PREPARE 'no'; XA ROLLBACK 'no'");
        write(
                "DROP DATABASE IF EXISTS gone; CREATE DATABASE gone; USE gone; CREATE TABLE t (i INT); DROP DATABASE gone;"
                        + "CREATE DATABASE gone; USE gone; CREATE TABLE t (i INT); INSERT INTO t VALUES (1)");
        replayed();

        assertSame("SELECT COUNT(*), SUM(CRC32(CONCAT_WS('/', id, note))) FROM shop.orders");
        assertSame("SELECT COUNT(*), SUM(CRC32(CONCAT_WS('/', id, doc, order_id))) FROM shop.notes");
        assertSame("SELECT note FROM shop.orders WHERE id > 19999");
        assertSame("SELECT i FROM gone.t");
    }

    @Test
    void logs_without_checksums_are_replayed_too() throws Exception {
        query(source, "SET GLOBAL binlog_checksum = NONE");
        try {
            write("SET SESSION binlog_transaction_compression = ON; INSERT INTO shop.orders VALUES (3, 'three');"
                    + "SET SESSION binlog_transaction_compression = OFF; INSERT INTO shop.orders VALUES (4, 'four')");
            replayed();
        } finally {
            query(source, "SET GLOBAL binlog_checksum = CRC32");
        }

        assertSame("SELECT * FROM shop.orders");
    }

    @Test
    void what_cannot_be_replayed_is_told_before_anything_is_loaded() throws Exception {
        Path rows = Files.writeString(Files.createTempFile("rows", ".tsv"), "7\tseven\n");
        try {
            query(source, "SET GLOBAL local_infile = ON");
            String load = "SET SESSION binlog_format = 'STATEMENT'; LOAD DATA LOCAL INFILE '" + rows
                    + "' INTO TABLE shop.orders";
            client(load.getBytes(UTF_8), "--local-infile");
        } finally {
            Files.delete(rows);
        }
        archive();

        Run run = load(new Until(null, position()));

        assertThat(run.said().path("message").asText())
                .contains("such as LOAD DATA makes with binlog_format=STATEMENT", "cannot be replayed");
        assertThat(query(target, "SHOW DATABASES")).doesNotContain("shop");
    }

    /** Has a client say this to the source. */
    private void client(byte[] statements, String option) throws Exception {
        ProcessBuilder client = servers.client(source, SOURCE.root(), "");
        client.command(Stream.concat(
                        client.command().stream().filter(argument -> !argument.startsWith("--execute")),
                        Stream.of(option))
                .toList());
        Process running = client.start();
        try (OutputStream to = running.getOutputStream()) {
            to.write(statements);
        }
        String said = new String(running.getInputStream().readAllBytes(), UTF_8);
        assertThat(running.waitFor()).as(said).isZero();
    }

    private void replayed() throws Exception {
        archive();
        Run run = load(new Until(null, position()));
        assertThat(run.exitCode()).as(run.said().toString()).isZero();
    }

    private void assertSame(String question) throws Exception {
        assertThat(query(target, question)).as(question).isEqualTo(query(source, question));
    }
}
