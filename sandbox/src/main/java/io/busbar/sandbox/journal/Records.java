package io.busbar.sandbox.journal;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * The form of our files: a mark, then records, each of its length, the length again in disguise, a checksum, and so
 * many bytes.
 *
 * <p>Immutable. A file that ends within a record is torn, as a process leaves it that dies while it writes. Anything
 * else that is wrong with a file is damage, and is told apart from that: a length that was altered must not look like
 * the end.
 */
final class Records {

    static final byte[] MARK = "busbar-journal-1\n".getBytes(StandardCharsets.US_ASCII);

    private static final int HEADER = 3 * Integer.BYTES;
    private static final int DISGUISE = 0x5a5aa5a5;

    private Records() {}

    static ByteBuffer encode(byte[] payload) {
        return ByteBuffer.allocate(HEADER + payload.length)
                .putInt(payload.length)
                .putInt(payload.length ^ DISGUISE)
                .putInt(checksum(payload))
                .put(payload)
                .flip();
    }

    /**
     * Reads all whole records.
     *
     * @return how long the file is without a torn end
     * @throws DamagedException when more is wrong than that
     */
    static long read(Path file, Consumer<byte[]> records) throws IOException {
        long size = Files.size(file);
        try (InputStream in = Files.newInputStream(file);
                DataInputStream data = new DataInputStream(new BufferedInputStream(in, 1 << 16))) {
            byte[] mark = data.readNBytes(MARK.length);
            if (mark.length < MARK.length && Arrays.equals(mark, Arrays.copyOf(MARK, mark.length))) {
                return 0;
            }
            if (!Arrays.equals(mark, MARK)) {
                throw new DamagedException(file, 0, "is no journal of this program");
            }
            long offset = MARK.length;
            while (size - offset >= HEADER) {
                int length = data.readInt();
                if ((data.readInt() ^ DISGUISE) != length || length <= 0) {
                    return blankFrom(file, offset);
                }
                int checksum = data.readInt();
                long end = offset + HEADER + length;
                if (end > size) {
                    return offset;
                }
                byte[] payload = data.readNBytes(length);
                if (checksum(payload) != checksum) {
                    if (end == size) {
                        return offset;
                    }
                    throw new DamagedException(file, offset, "holds a record whose checksum is wrong");
                }
                records.accept(payload);
                offset = end;
            }
            return offset;
        }
    }

    /** A file system that lost its power may have made a file longer, and not filled it. */
    private static long blankFrom(Path file, long offset) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            in.skipNBytes(offset);
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next != 0) {
                    throw new DamagedException(file, offset, "holds no record where one should begin");
                }
            }
        }
        return offset;
    }

    private static int checksum(byte[] payload) {
        CRC32C checksum = new CRC32C();
        checksum.update(payload);
        return (int) checksum.getValue();
    }
}
