package io.busbar.operator.mysqlcluster.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** What no server writes; what they do write is replayed in {@code ReplayScriptOnMySqlTest}. */
class LogStatementsTest {

    private static final int INCIDENT = 26;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final LogStatements statements = new LogStatements("the archive", said);

    private static byte[] header(int type, int bodyBytes) {
        return ByteBuffer.allocate(EventHeader.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(10)
                .put((byte) type)
                .putInt(1)
                .putInt(EventHeader.BYTES + bodyBytes)
                .array();
    }

    private void take(int type, byte... body) throws IOException {
        byte[] header = header(type, body.length);
        statements.take(header, EventHeader.of(header), new ByteArrayInputStream(body));
    }

    /** An event of a log with checksums. */
    private void takeSummed(int type, byte... content) throws IOException {
        CRC32 sum = new CRC32();
        sum.update(header(type, content.length + 4));
        sum.update(content);
        take(
                type,
                ByteBuffer.allocate(content.length + 4)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(content)
                        .putInt((int) sum.getValue())
                        .array());
    }

    /** Its fifth last byte tells of checksums. */
    private void begin(int checksums) throws IOException {
        take(EventHeader.FORMAT_DESCRIPTION, (byte) 4, (byte) checksums, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
    }

    @Test
    void an_event_that_was_changed_is_no_event() throws Exception {
        begin(1);
        takeSummed(EventHeader.XID, new byte[8]);

        assertThatThrownBy(() -> take(EventHeader.XID, new byte[12]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("checksum");
    }

    @Test
    void one_that_is_cut_off_is_none_either() throws Exception {
        begin(1);
        byte[] header = header(EventHeader.WRITE_ROWS, 100);

        assertThatThrownBy(
                        () -> statements.take(header, EventHeader.of(header), new ByteArrayInputStream(new byte[20])))
                .isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> takeSummed(EventHeader.QUERY, new byte[3]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("too short");
    }

    @Test
    void an_event_that_nothing_can_be_made_of_is_told() throws Exception {
        begin(0);

        assertThatThrownBy(() -> take(INCIDENT, new byte[2]))
                .isInstanceOf(S3Failure.class)
                .hasMessageStartingWith("the archive has an event of the type 26")
                .hasMessageEndingWith("which cannot be replayed");
        assertThatThrownBy(
                        () -> take(EventHeader.TRANSACTION_PAYLOAD, (byte) 0, (byte) 1, (byte) 2, (byte) 3, (byte) 4))
                .isInstanceOf(S3Failure.class)
                .hasMessageContaining("a compressed transaction");
    }

    @Test
    void nothing_is_said_where_there_is_nothing() throws Exception {
        statements.end();

        assertThat(said.toString(UTF_8)).isEmpty();
    }
}
