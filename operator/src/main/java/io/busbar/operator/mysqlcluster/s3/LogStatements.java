package io.busbar.operator.mysqlcluster.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The events of MySQL's binary logs as the statements by which the client {@code mysql --binary-mode} brings them about
 * at another server: what {@code mysqlbinlog --skip-gtids} does, which MySQL's own images do not have. Rows go as they
 * are, in {@code BINLOG}; statements, with all that they depended on in their session.
 *
 * <p>One thread; blocks as the streams do. Keeps a whole statement in memory, but never the rows of an event. An event
 * that is not what it was when it was written is an {@link IOException}, one that cannot be brought about so an
 * {@link S3Failure}. See {@code libs/mysql/binlog/event} of MySQL.
 */
final class LogStatements implements LogEvents.Sink {

    /** From so many bytes of rows on, a statement here ends, and the next one goes on with the rows. */
    private static final long MOST_ROW_BYTES = 4 << 20;

    /** Longer ones a server does not take. */
    private static final long LONGEST_STATEMENT = 1 << 30;

    private static final int CHECKSUM_BYTES = 4;

    private static final int LINE_CHARACTERS = 76;

    /** Flags of events. */
    private static final int SUPPRESS_USE = 0x8;

    private static final int IGNORABLE = 0x80;

    /** The first flag of an event of rows, after the number of the table: its statement needs no table any more. */
    private static final int END_OF_STATEMENT = 1;

    private static final int TABLE_NUMBER_BYTES = 6;

    private static final Set<Integer> PASSED_OVER = Set.of(
            EventHeader.ROWS_QUERY,
            EventHeader.MYSQL_GTID,
            EventHeader.MYSQL_TAGGED_GTID,
            EventHeader.TRANSACTION_CONTEXT,
            EventHeader.VIEW_CHANGE);

    private final String name;
    private final OutputStream to;

    /** Nobody who wrote a statement knew it. The client takes 15 characters. */
    private final String delimiter = "end" + String.format(Locale.ROOT, "%08x", new SecureRandom().nextInt());

    /** What the session has been told, by name. */
    private final Map<String, String> session = new LinkedHashMap<>();

    private final List<TableMap> tables = new ArrayList<>();
    private boolean hasBegun;
    private boolean hasChecksums;
    private String clientCharset = QueryVariables.DEFAULT_CHARSET;
    private @Nullable OutputStream rows;
    private long rowBytes;

    /** Which table a number means, until the end of a statement. Not a record: it is no value. */
    private static final class TableMap {

        private final byte[] header;
        private final byte[] body;

        TableMap(byte[] header, byte[] body) {
            this.header = header;
            this.body = body;
        }
    }

    /** @param name of the logs, for people */
    LogStatements(String name, OutputStream to) {
        this.name = name;
        this.to = to;
    }

    @Override
    public void take(byte[] header, EventHeader event, InputStream body) throws IOException {
        if (event.type() == EventHeader.FORMAT_DESCRIPTION) {
            begin(header, body.readAllBytes());
        } else if (event.beginsTransaction() || !hasChecksums) {
            bringAbout(header, event, event.bodyBytes(), body);
        } else {
            takeChecked(header, event, body);
        }
    }

    private void takeChecked(byte[] header, EventHeader event, InputStream body) throws IOException {
        long bytes = event.bodyBytes() - CHECKSUM_BYTES;
        CRC32 sum = new CRC32();
        sum.update(header);
        InputStream checked = new CheckedInputStream(new Part(body, bytes), sum);
        bringAbout(header, event, bytes, checked);
        checked.transferTo(OutputStream.nullOutputStream());
        byte[] written = new Part(body, CHECKSUM_BYTES).readAllBytes();
        if (littleEndian(written).getInt() != (int) sum.getValue()) {
            throw new IOException("the checksum of an event is not what it was");
        }
    }

    /** Statements that follow are as any others. */
    @Override
    public void end() throws IOException {
        if (hasBegun) {
            statement("SET @@session.pseudo_slave_mode = 0");
            write("DELIMITER ;\n");
        }
    }

    /** How events are from here on. The checksum of this one, which has always one, is after the byte that tells. */
    private void begin(byte[] header, byte[] body) throws IOException {
        if (!hasBegun) {
            hasBegun = true;
            write("DELIMITER " + delimiter + "\n");
            statement("SET @@session.pseudo_slave_mode = 1");
        }
        if (body.length <= CHECKSUM_BYTES) {
            throw new EOFException();
        }
        hasChecksums = body[body.length - CHECKSUM_BYTES - 1] == 1;
        OutputStream begun = beginRows();
        begun.write(header);
        begun.write(body);
        endRows();
        // The server expects to be told, after that.
        statement("SET @@session.gtid_next = 'AUTOMATIC'");
    }

    private void bringAbout(byte[] header, EventHeader event, long bytes, InputStream body) throws IOException {
        if (event.type() == EventHeader.TABLE_MAP) {
            tables.add(new TableMap(header, body.readAllBytes()));
        } else if (event.isOfRows()) {
            bringRows(header, bytes, body);
        } else if (event.type() == EventHeader.TRANSACTION_PAYLOAD) {
            try {
                unpack(body);
            } catch (MalformedInputException unreadable) {
                require(false, "a compressed transaction (" + unreadable.getMessage() + ")");
            }
        } else if (!PASSED_OVER.contains(event.type())) {
            require(bytes < LONGEST_STATEMENT, "a statement of " + bytes + " bytes");
            try {
                say(event, littleEndian(body.readAllBytes()));
            } catch (BufferUnderflowException tooShort) {
                throw new IOException("an event of the type " + event.type() + " is too short", tooShort);
            }
        }
    }

    private void require(boolean isSo, String otherwise) {
        if (!isSo) {
            throw new S3Failure(name + " has " + otherwise + ", which cannot be replayed");
        }
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Each BINLOG is for the server the end of a statement: the tables of one that goes on are told again. */
    private void bringRows(byte[] header, long bytes, InputStream body) throws IOException {
        byte[] start = new Part(body, TABLE_NUMBER_BYTES + 1).readAllBytes();
        boolean isLast = (start[TABLE_NUMBER_BYTES] & END_OF_STATEMENT) != 0;
        OutputStream begun = rows == null ? beginRows() : rows;
        if (rowBytes == 0) {
            for (TableMap table : tables) {
                event(table.header, table.body.length, new ByteArrayInputStream(table.body), begun);
            }
        }
        rowBytes += bytes;
        boolean isEnd = isLast || rowBytes >= MOST_ROW_BYTES;
        if (isEnd) {
            start[TABLE_NUMBER_BYTES] = (byte) (start[TABLE_NUMBER_BYTES] | END_OF_STATEMENT);
        }
        event(header, bytes, new SequenceInputStream(new ByteArrayInputStream(start), body), begun);
        if (isEnd) {
            endRows();
        }
        if (isLast) {
            tables.clear();
        }
    }

    private OutputStream beginRows() throws IOException {
        write("BINLOG '\n");
        rowBytes = 0;
        rows = Base64.getMimeEncoder(LINE_CHARACTERS, new byte[] {'\n'}).wrap(new FilterOutputStream(to) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
            }

            @Override
            public void close() {
                // More is to come after this.
            }
        });
        return rows;
    }

    private void endRows() throws IOException {
        if (rows != null) {
            rows.close();
            rows = null;
            write("\n'" + delimiter + "\n");
        }
    }

    /** With the checksum that it has now, where events have one. */
    private void event(byte[] header, long bytes, InputStream body, OutputStream begun) throws IOException {
        byte[] sized = header.clone();
        littleEndian(sized).putInt(9, (int) (EventHeader.BYTES + bytes + (hasChecksums ? CHECKSUM_BYTES : 0)));
        CRC32 sum = new CRC32();
        sum.update(sized);
        begun.write(sized);
        new CheckedInputStream(body, sum).transferTo(begun);
        if (hasChecksums) {
            byte[] checksum = new byte[CHECKSUM_BYTES];
            littleEndian(checksum).putInt((int) sum.getValue());
            begun.write(checksum);
        }
    }

    /** With {@code binlog_transaction_compression}: fields by their numbers, and then events without checksums. */
    private void unpack(InputStream body) throws IOException {
        boolean isCompressed = true;
        for (long field = packed(body); field != 0; field = packed(body)) {
            long length = packed(body);
            if (field == 2) {
                isCompressed = packed(body) == 0;
            } else {
                body.skipNBytes(length);
            }
        }
        InputStream events = isCompressed ? new ZstdInputStream(body) : body;
        byte[] header = events.readNBytes(EventHeader.BYTES);
        while (header.length == EventHeader.BYTES) {
            EventHeader event = EventHeader.of(header);
            InputStream content = new Part(events, event.bodyBytes());
            bringAbout(header, event, event.bodyBytes(), content);
            content.transferTo(OutputStream.nullOutputStream());
            header = events.readNBytes(EventHeader.BYTES);
        }
        if (header.length > 0) {
            throw new EOFException();
        }
    }

    /** An integer whose first byte tells how many follow, where it is not the integer itself. */
    private static long packed(InputStream from) throws IOException {
        int first = new Part(from, 1).read();
        int more = switch (first) {
            case 252 -> 2;
            case 253 -> 3;
            case 254 -> 8;
            default -> 0;
        };
        long value = more == 0 ? first : 0;
        byte[] bytes = new Part(from, more).readAllBytes();
        for (int i = 0; i < more; i++) {
            value |= (long) Byte.toUnsignedInt(bytes[i]) << (8 * i);
        }
        return value;
    }

    private void say(EventHeader event, ByteBuffer fields) throws IOException {
        switch (event.type()) {
            case EventHeader.QUERY -> query(event, fields);
            case EventHeader.XID -> statement("COMMIT");
            case EventHeader.INTVAR ->
                statement("SET @@session." + (fields.get() == 1 ? "last_insert_id" : "insert_id") + " = "
                        + Long.toUnsignedString(fields.getLong()));
            case EventHeader.RAND ->
                statement("SET @@session.rand_seed1 = " + Long.toUnsignedString(fields.getLong())
                        + ", @@session.rand_seed2 = " + Long.toUnsignedString(fields.getLong()));
            case EventHeader.USER_VAR -> userVariable(fields);
            case EventHeader.XA_PREPARE -> prepare(fields);
            default ->
                require(
                        (event.flags() & IGNORABLE) != 0,
                        "an event of the type " + event.type()
                                + ", such as LOAD DATA makes with binlog_format=STATEMENT");
        }
    }

    private void query(EventHeader event, ByteBuffer fields) throws IOException {
        int thread = fields.getInt();
        fields.getInt(); // How long it took.
        int databaseBytes = Byte.toUnsignedInt(fields.get());
        fields.getShort(); // The error that it ended with.
        ByteBuffer variables = next(fields, Short.toUnsignedInt(fields.getShort()));
        byte[] database = bytes(fields, databaseBytes);
        fields.get();
        QueryVariables of = QueryVariables.read(variables);
        if ((event.flags() & SUPPRESS_USE) == 0 && database.length > 0) {
            statement("USE `" + new String(database, UTF_8).replace("`", "``") + "`");
        }
        tellCharset(of.charset());
        Map<String, String> wanted = new LinkedHashMap<>();
        wanted.put("timestamp", moment(event.time(), of.micros()));
        wanted.put("pseudo_thread_id", Integer.toUnsignedString(thread));
        wanted.putAll(of.settings());
        set(wanted);
        to.write(fields.array(), fields.arrayOffset() + fields.position(), fields.remaining());
        write("\n" + delimiter + "\n");
    }

    private static String moment(Instant second, int micros) {
        return second.getEpochSecond() + "."
                + String.valueOf(1_000_000 + micros).substring(1);
    }

    private void tellCharset(String charset) throws IOException {
        if (!charset.equals(clientCharset)) {
            clientCharset = charset;
            write("/*!\\C " + charset + " */" + delimiter + "\n");
            // The client has told the server now, too.
            session.keySet().removeAll(QueryVariables.OF_CHARSET);
        }
    }

    private void set(Map<String, String> wanted) throws IOException {
        String changes = wanted.entrySet().stream()
                .filter(variable -> !variable.getValue().equals(session.get(variable.getKey())))
                .map(variable -> "@@session." + variable.getKey() + " = " + variable.getValue())
                .collect(Collectors.joining(", "));
        if (!changes.isEmpty()) {
            statement("SET " + changes);
            session.putAll(wanted);
        }
    }

    private void userVariable(ByteBuffer fields) throws IOException {
        byte[] variable = bytes(fields, fields.getInt());
        String quoted = "@`" + new String(variable, UTF_8).replace("`", "``") + "`";
        if (fields.get() != 0) {
            statement("SET " + quoted + " = NULL");
            return;
        }
        int type = fields.get();
        int collation = fields.getInt();
        ByteBuffer value = next(fields, fields.getInt());
        boolean isUnsigned = fields.hasRemaining() && (fields.get() & 1) != 0;
        switch (type) {
            case 0 -> textVariable(quoted, collation, value);
            case 1 -> statement("SET " + quoted + " = CAST('" + value.getDouble() + "' AS DOUBLE)");
            case 2 ->
                statement("SET " + quoted + " = "
                        + (isUnsigned ? Long.toUnsignedString(value.getLong()) : Long.toString(value.getLong())));
            case 4 -> statement("SET " + quoted + " = " + decimal(value));
            default -> require(false, "a variable " + quoted + " of the type " + type);
        }
    }

    /** The server knows the names of collations. */
    private void textVariable(String quoted, int collation, ByteBuffer value) throws IOException {
        statement("SELECT CONCAT('SET ', CONVERT(X'" + hex(quoted.getBytes(UTF_8)) + "' USING utf8mb4), ' = _',"
                + " CHARACTER_SET_NAME, ' X''" + hex(bytes(value, value.remaining()))
                + "'' COLLATE ', COLLATION_NAME) INTO @busbar_next FROM information_schema.COLLATIONS WHERE ID = "
                + collation);
        statement("PREPARE busbar_next FROM @busbar_next");
        statement("EXECUTE busbar_next");
        statement("DEALLOCATE PREPARE busbar_next");
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** Nine digits in four bytes, and those that are left at both ends in fewer; the first bit tells the sign. */
    private static String decimal(ByteBuffer value) {
        int precision = value.get();
        int scale = value.get();
        byte[] digits = bytes(value, value.remaining());
        boolean isNegative = (digits[0] & 0x80) == 0;
        digits[0] ^= (byte) 0x80;
        if (isNegative) {
            for (int i = 0; i < digits.length; i++) {
                digits[i] = (byte) ~digits[i];
            }
        }
        ByteBuffer rest = ByteBuffer.wrap(digits);
        int whole = precision - scale;
        StringBuilder text = new StringBuilder(group(rest, whole % 9));
        for (int i = 0; i < whole / 9 + scale / 9; i++) {
            text.append(group(rest, 9));
        }
        text.append(group(rest, scale % 9));
        BigDecimal decimal = new BigDecimal(new BigInteger(text.toString()), scale);
        return (isNegative ? decimal.negate() : decimal).toPlainString();
    }

    private static String group(ByteBuffer from, int digits) {
        if (digits == 0) {
            return "";
        }
        long number = 0;
        for (int i = 0; i < (digits + 1) / 2 - digits / 9; i++) {
            number = number << 8 | Byte.toUnsignedInt(from.get());
        }
        String text = Long.toString(number);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }

    private void prepare(ByteBuffer fields) throws IOException {
        boolean isOnePhase = fields.get() != 0;
        int format = fields.getInt();
        int global = fields.getInt();
        int branch = fields.getInt();
        String id = "X'" + hex(bytes(fields, global)) + "', X'" + hex(bytes(fields, branch)) + "', " + format;
        statement(isOnePhase ? "XA COMMIT " + id + " ONE PHASE" : "XA PREPARE " + id);
    }

    private static ByteBuffer next(ByteBuffer fields, int count) {
        return littleEndian(bytes(fields, count));
    }

    private static byte[] bytes(ByteBuffer fields, int count) {
        if (count < 0 || count > fields.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[count];
        fields.get(bytes);
        return bytes;
    }

    private void statement(String text) throws IOException {
        write(text + "\n" + delimiter + "\n");
    }

    private void write(String text) throws IOException {
        to.write(text.getBytes(UTF_8));
    }
}
