package io.busbar.operator.mysqlcluster.s3;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.Set;

/**
 * What each event of a binary log begins with; both products frame events in one way. See "Binlog Event Header" in
 * MySQL's internals.
 *
 * <p>Immutable.
 *
 * @param time when it was written, by the clock of its server
 * @param type its number
 * @param server the {@code server_id} of who wrote it first
 * @param bodyBytes how many bytes follow
 * @param flags see {@code LOG_EVENT_*_F} of MySQL
 */
record EventHeader(Instant time, int type, long server, long bodyBytes, int flags) {

    static final int BYTES = 19;

    static final int QUERY = 2;
    static final int STOP = 3;
    static final int ROTATE = 4;
    static final int INTVAR = 5;
    static final int RAND = 13;
    static final int USER_VAR = 14;
    static final int FORMAT_DESCRIPTION = 15;
    static final int XID = 16;
    static final int TABLE_MAP = 19;
    static final int FIRST_OLD_ROWS = 23;
    static final int LAST_OLD_ROWS = 25;
    static final int HEARTBEAT = 27;
    static final int ROWS_QUERY = 29;
    static final int WRITE_ROWS = 30;
    static final int DELETE_ROWS = 32;
    static final int MYSQL_GTID = 33;
    static final int MYSQL_ANONYMOUS = 34;
    static final int MYSQL_PREVIOUS_GTIDS = 35;
    static final int TRANSACTION_CONTEXT = 36;
    static final int VIEW_CHANGE = 37;
    static final int XA_PREPARE = 38;
    static final int PARTIAL_UPDATE_ROWS = 39;
    static final int TRANSACTION_PAYLOAD = 40;
    static final int SECOND_HEARTBEAT = 41;
    static final int MYSQL_TAGGED_GTID = 42;
    static final int MARIADB_CHECKPOINT = 161;
    static final int MARIADB_GTID = 162;
    static final int MARIADB_GTID_LIST = 163;
    static final int MARIADB_START_ENCRYPTION = 164;

    private static final Set<Integer> TRANSACTIONS =
            Set.of(MYSQL_GTID, MYSQL_ANONYMOUS, MYSQL_TAGGED_GTID, MARIADB_GTID);

    private static final byte[] MAGIC = {(byte) 0xfe, 'b', 'i', 'n'};

    /** What a file begins with, before its first event. */
    static byte[] magic() {
        return MAGIC.clone();
    }

    /**
     * @param header {@value #BYTES} bytes
     * @throws IOException when no event begins so
     */
    static EventHeader of(byte[] header) throws IOException {
        ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        long bodyBytes = Integer.toUnsignedLong(fields.getInt(9)) - BYTES;
        if (bodyBytes < 0) {
            throw new IOException("an event of the binary log is shorter than its header");
        }
        return new EventHeader(
                Instant.ofEpochSecond(Integer.toUnsignedLong(fields.getInt(0))),
                Byte.toUnsignedInt(fields.get(4)),
                Integer.toUnsignedLong(fields.getInt(5)),
                bodyBytes,
                Short.toUnsignedInt(fields.getShort(17)));
    }

    /** Whether a server says with it that it is there, of MySQL. */
    boolean isHeartbeat() {
        return type == HEARTBEAT || type == SECOND_HEARTBEAT;
    }

    /** Whether it has rows of a table, of MySQL. */
    boolean isOfRows() {
        return (type >= WRITE_ROWS && type <= DELETE_ROWS)
                || (type >= FIRST_OLD_ROWS && type <= LAST_OLD_ROWS)
                || type == PARTIAL_UPDATE_ROWS;
    }

    /** Whether a transaction begins with it. */
    boolean beginsTransaction() {
        return TRANSACTIONS.contains(type);
    }
}
