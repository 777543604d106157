package io.busbar.operator.mysqlcluster.s3;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * A binary log file, as MariaDB and MySQL write it: events, of which each transaction begins with one that tells its
 * GTID. Some of its transactions, after a header and what tells how its events are read, are such a file again; so are
 * those of several files after one header.
 *
 * <p>One thread; blocks as the streams do. See "Gtid_event" in the MariaDB Knowledge Base, and
 * {@code control_events.h} and {@code mysql/serialization} of MySQL.
 */
final class LogEvents {

    /** No event that tells a GTID is near that. */
    private static final int MOST_GTID_BYTES = 1 << 16;

    /** What belongs to its file, and to no transaction. */
    private static final Set<Integer> OF_FILE = Set.of(
            EventHeader.STOP,
            EventHeader.ROTATE,
            EventHeader.MYSQL_PREVIOUS_GTIDS,
            EventHeader.MARIADB_CHECKPOINT,
            EventHeader.MARIADB_GTID_LIST);

    private final String name;
    private final InputStream file;
    private Instant last = Instant.EPOCH;

    /** @param name for people */
    LogEvents(String name, InputStream file) {
        this.name = name;
        this.file = file;
    }

    /** What is done with events, one after the other. */
    interface Sink {

        /**
         * @param header its bytes
         * @param event what these say
         * @param body the bytes that follow, and no more; what is not read of it is passed over
         */
        void take(byte[] header, EventHeader event, InputStream body) throws IOException;

        /** To be called after the last one. */
        void end() throws IOException;
    }

    /** Writes them as a file. */
    static final class LogFile implements Sink {

        private final OutputStream to;

        LogFile(OutputStream to) throws IOException {
            this.to = to;
            to.write(EventHeader.magic());
        }

        @Override
        public void take(byte[] header, EventHeader event, InputStream body) throws IOException {
            to.write(header);
            body.transferTo(to);
        }

        @Override
        public void end() {
            // A file ends with its last event.
        }
    }

    /**
     * Passes on what is chosen, up to the end or to the first one {@link Selection.Choice#BEYOND}.
     *
     * @return when the last event was written, by the clock of its server
     * @throws S3Failure when this is not a binary log, or one that tells too little
     */
    Instant copy(Sink to, Function<Transaction, Selection.Choice> choice) throws IOException {
        byte[] magic = EventHeader.magic();
        if (!Arrays.equals(bytes(magic.length), magic)) {
            throw new S3Failure(name + " is not a binary log");
        }
        boolean isTaken = false;
        byte[] header = file.readNBytes(EventHeader.BYTES);
        while (header.length > 0) {
            EventHeader event = EventHeader.of(whole(header));
            if (event.type() == EventHeader.FORMAT_DESCRIPTION) {
                pass(header, event, to);
            } else if (event.beginsTransaction()) {
                require(event.type() != EventHeader.MYSQL_ANONYMOUS, "has a transaction without a GTID");
                byte[] body = bytes(Math.min(event.bodyBytes(), MOST_GTID_BYTES));
                Transaction transaction = transaction(event, body);
                last = later(transaction.committed());
                Selection.Choice chosen = choice.apply(transaction);
                if (chosen == Selection.Choice.BEYOND) {
                    return last;
                }
                isTaken = chosen == Selection.Choice.TAKEN;
                if (isTaken) {
                    to.take(header, event, new ByteArrayInputStream(body));
                }
            } else if (isTaken && !OF_FILE.contains(event.type())) {
                pass(header, event, to);
            } else {
                require(event.type() != EventHeader.MARIADB_START_ENCRYPTION, "is encrypted");
                file.skipNBytes(event.bodyBytes());
            }
            last = later(event.time());
            header = file.readNBytes(EventHeader.BYTES);
        }
        return last;
    }

    private void pass(byte[] header, EventHeader event, Sink to) throws IOException {
        Part body = new Part(file, event.bodyBytes());
        to.take(header, event, body);
        body.transferTo(OutputStream.nullOutputStream());
    }

    private Instant later(Instant time) {
        return time.isAfter(last) ? time : last;
    }

    private byte[] bytes(long count) throws IOException {
        byte[] bytes = file.readNBytes((int) count);
        if (bytes.length < count) {
            throw new EOFException();
        }
        return bytes;
    }

    private void require(boolean isSo, String otherwise) {
        if (!isSo) {
            throw new S3Failure(name + " " + otherwise + ", and cannot be replayed");
        }
    }

    private Transaction transaction(EventHeader event, byte[] body) {
        ByteBuffer fields = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
        try {
            return switch (event.type()) {
                case EventHeader.MARIADB_GTID -> ofMariaDb(event, fields);
                case EventHeader.MYSQL_GTID -> ofMySql(event, fields);
                default -> tagged(event, fields);
            };
        } catch (RuntimeException otherwise) {
            throw new S3Failure(name + " has a GTID that cannot be read: " + otherwise);
        }
    }

    private static Transaction ofMariaDb(EventHeader event, ByteBuffer fields) {
        long number = fields.getLong();
        long domain = Integer.toUnsignedLong(fields.getInt());
        return new Transaction(domain + "-" + event.server() + "-" + number, event.time());
    }

    private static Transaction ofMySql(EventHeader event, ByteBuffer fields) {
        fields.get();
        String uuid = uuid(fields.order(ByteOrder.BIG_ENDIAN));
        long number = fields.order(ByteOrder.LITTLE_ENDIAN).getLong();
        Instant committed = event.time();
        // The type of what follows, two numbers of 8 bytes, and then times, of MySQL 8.0 and later.
        if (fields.remaining() > 17 + 7 && fields.get() == 2) {
            fields.position(fields.position() + 16);
            long immediate = micros(fields);
            boolean cameFromElsewhere = (immediate & 1L << 55) != 0;
            committed = instant(cameFromElsewhere ? micros(fields) : immediate);
        }
        return new Transaction(uuid + ":" + number, committed);
    }

    private static String uuid(ByteBuffer fields) {
        return new UUID(fields.getLong(), fields.getLong()).toString();
    }

    /** Seven bytes. */
    private static long micros(ByteBuffer fields) {
        long micros = 0;
        for (int i = 0; i < 7; i++) {
            micros |= (long) Byte.toUnsignedInt(fields.get()) << (8 * i);
        }
        return micros;
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** Fields by their numbers, which rise: 1 is a UUID, 2 a number, 3 a tag, 6 and 7 are times. */
    private static Transaction tagged(EventHeader event, ByteBuffer fields) {
        varying(fields);
        varying(fields);
        varying(fields);
        String uuid = "";
        String tag = "";
        long number = 0;
        Instant committed = event.time();
        for (long field = varying(fields); field <= 7; field = fields.remaining() > 4 ? varying(fields) : 8) {
            switch ((int) field) {
                case 1 -> uuid = varyingUuid(fields);
                case 2 -> number = varying(fields) >> 1;
                case 3 -> {
                    byte[] letters = new byte[(int) varying(fields)];
                    fields.get(letters);
                    tag = new String(letters, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
                }
                case 6, 7 -> committed = instant(varying(fields));
                default -> varying(fields);
            }
        }
        return new Transaction(uuid + ":" + (tag.isEmpty() ? "" : tag + ":") + number, committed);
    }

    private static String varyingUuid(ByteBuffer fields) {
        ByteBuffer uuid = ByteBuffer.allocate(16);
        while (uuid.hasRemaining()) {
            uuid.put((byte) varying(fields));
        }
        return uuid(uuid.flip());
    }

    /** As many bytes more as the first one has ones at its end. */
    private static long varying(ByteBuffer fields) {
        int first = Byte.toUnsignedInt(fields.get());
        int more = Integer.numberOfTrailingZeros(~first);
        long value = more >= 7 ? 0 : first >> (more + 1);
        int shift = Math.max(0, 7 - more);
        for (int i = 0; i < more; i++) {
            value |= (long) Byte.toUnsignedInt(fields.get()) << (shift + 8 * i);
        }
        return value;
    }

    private static byte[] whole(byte[] header) throws EOFException {
        if (header.length < EventHeader.BYTES) {
            throw new EOFException();
        }
        return header;
    }
}
