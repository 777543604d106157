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
 */
record EventHeader(Instant time, int type, long server, long bodyBytes) {

    static final int BYTES = 19;

    static final int STOP = 3;
    static final int ROTATE = 4;
    static final int FORMAT_DESCRIPTION = 15;
    static final int MYSQL_GTID = 33;
    static final int MYSQL_ANONYMOUS = 34;
    static final int MYSQL_PREVIOUS_GTIDS = 35;
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
                bodyBytes);
    }

    /** Whether a transaction begins with it. */
    boolean beginsTransaction() {
        return TRANSACTIONS.contains(type);
    }
}
