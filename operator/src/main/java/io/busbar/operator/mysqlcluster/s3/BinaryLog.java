package io.busbar.operator.mysqlcluster.s3;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a binary log file of either product, as they pass: what cannot be one, or ends within an event, is an
 * {@link IOException}.
 *
 * <p>One thread; blocks.
 */
final class BinaryLog extends FilterInputStream {

    private static final byte[] MAGIC = EventHeader.magic();

    private final byte[] header = new byte[EventHeader.BYTES];
    private int headerBytes;
    private boolean hasMagic;
    private long bodyBytes;
    private @Nullable Instant first;
    private @Nullable Instant last;

    BinaryLog(InputStream file) {
        super(file);
    }

    /** When the first transaction so far was written; null for none. */
    @Nullable
    Instant first() {
        return first;
    }

    /** The latest moment at which one of the transactions so far was written; null for none. */
    @Nullable
    Instant last() {
        return last;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int got = super.read(bytes, offset, length);
        if (got > 0) {
            follow(bytes, offset, offset + got);
        } else if (got < 0 && (!hasMagic || headerBytes > 0 || bodyBytes > 0)) {
            throw new IOException("the binary log ends within an event");
        }
        return got;
    }

    private void follow(byte[] bytes, int from, int end) throws IOException {
        int at = from;
        while (at < end) {
            if (bodyBytes > 0) {
                int skipped = (int) Math.min(bodyBytes, (long) end - at);
                at += skipped;
                bodyBytes -= skipped;
            } else {
                header[headerBytes++] = bytes[at++];
                begin();
            }
        }
    }

    private void begin() throws IOException {
        if (!hasMagic) {
            if (header[headerBytes - 1] != MAGIC[headerBytes - 1]) {
                throw new IOException("it does not begin as a binary log does");
            }
            hasMagic = headerBytes == MAGIC.length;
            headerBytes = hasMagic ? 0 : headerBytes;
        } else if (headerBytes == EventHeader.BYTES) {
            EventHeader event = EventHeader.of(header);
            if (event.beginsTransaction()) {
                note(event.time());
            }
            bodyBytes = event.bodyBytes();
            headerBytes = 0;
        }
    }

    private void note(Instant written) {
        first = first == null ? written : first;
        last = last == null || written.isAfter(last) ? written : last;
    }

    /** Compresses it as {@code gzip} does, piece by piece. */
    InputStream gzipped() {
        return new Gzipped(this);
    }

    /** RFC 1952. */
    private static final class Gzipped extends InputStream {

        private static final byte[] BEGIN = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
        private static final int END_BYTES = 8;

        private final CRC32 sum = new CRC32();
        private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        private final InputStream body;
        private final InputStream begin = new ByteArrayInputStream(BEGIN);
        private @Nullable InputStream end;

        Gzipped(InputStream file) {
            body = new DeflaterInputStream(new CheckedInputStream(file, sum), deflater, 1 << 16);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int got = begin.read(bytes, offset, length);
            if (got < 0 && end == null) {
                got = body.read(bytes, offset, length);
                end = got < 0 ? end() : null;
            }
            return got < 0 && end != null ? end.read(bytes, offset, length) : got;
        }

        private InputStream end() {
            return new ByteArrayInputStream(ByteBuffer.allocate(END_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt((int) sum.getValue())
                    .putInt((int) deflater.getBytesRead())
                    .array());
        }

        @Override
        public void close() {
            deflater.end();
        }
    }
}
