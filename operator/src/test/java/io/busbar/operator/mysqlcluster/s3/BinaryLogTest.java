package io.busbar.operator.mysqlcluster.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinaryLogTest {

    private static final int FORMAT = 15;
    private static final int ROWS = 30;
    private static final int MYSQL_GTID = 33;
    private static final int MARIADB_GTID = 162;

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    BinaryLogTest() {
        file.writeBytes(new byte[] {(byte) 0xfe, 'b', 'i', 'n'});
        event(FORMAT, 10, 100);
    }

    private void event(int type, int time, int bodyBytes) {
        byte[] body = new byte[bodyBytes];
        new Random(type).nextBytes(body);
        file.writeBytes(ByteBuffer.allocate(19)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(time)
                .put((byte) type)
                .putInt(1)
                .putInt(19 + bodyBytes)
                .array());
        file.writeBytes(body);
    }

    private BinaryLog log(byte[] bytes) {
        return new BinaryLog(new ByteArrayInputStream(bytes));
    }

    @ParameterizedTest
    @ValueSource(ints = {MYSQL_GTID, MARIADB_GTID})
    void tells_when_transactions_were_written_and_gives_back_what_it_was(int gtid) throws Exception {
        event(gtid, 50, 42);
        event(ROWS, 99, 300_000);
        event(gtid, 70, 42);
        event(gtid, 60, 0);
        BinaryLog log = log(file.toByteArray());

        byte[] compressed;
        try (InputStream gzipped = log.gzipped()) {
            compressed = gzipped.readAllBytes();
        }

        assertThat(new GZIPInputStream(new ByteArrayInputStream(compressed)).readAllBytes())
                .isEqualTo(file.toByteArray());
        assertThat(log.first()).isEqualTo(Instant.ofEpochSecond(50));
        assertThat(log.last()).as("the latest").isEqualTo(Instant.ofEpochSecond(70));
    }

    @Test
    void has_no_time_without_a_transaction() throws Exception {
        BinaryLog log = log(file.toByteArray());
        log.readAllBytes();
        assertThat(log.first()).isNull();
        assertThat(log.last()).isNull();
    }

    @Test
    void refuses_what_ends_within_an_event_or_is_no_binary_log() {
        event(MYSQL_GTID, 50, 42);
        byte[] whole = file.toByteArray();
        for (int cut : new int[] {1, 42, 50, 60}) {
            byte[] part = new byte[whole.length - cut];
            System.arraycopy(whole, 0, part, 0, part.length);
            assertThatThrownBy(() -> log(part).gzipped().readAllBytes())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ends within an event");
        }
        assertThatThrownBy(() -> log(new byte[0]).readAllBytes()).hasMessageContaining("ends within an event");
        assertThatThrownBy(() -> log(new byte[100]).readAllBytes()).hasMessageContaining("does not begin as");
    }
}
