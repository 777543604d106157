package io.busbar.operator.mysqlcluster.s3;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * So many bytes of a stream, and no fewer: where it ends earlier, an {@link EOFException}. Closing it does nothing.
 *
 * <p>One thread; blocks as the stream does.
 */
final class Part extends InputStream {

    private final InputStream whole;
    private long left;

    Part(InputStream whole, long bytes) {
        this.whole = whole;
        this.left = bytes;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (left == 0) {
            return -1;
        }
        int got = whole.read(bytes, offset, (int) Math.min(length, left));
        if (got < 0) {
            throw new EOFException("%d bytes are missing".formatted(left));
        }
        left -= got;
        return got;
    }
}
