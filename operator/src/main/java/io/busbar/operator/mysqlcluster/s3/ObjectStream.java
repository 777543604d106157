package io.busbar.operator.mysqlcluster.s3;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * The bytes of one object: where its server cuts them off, they are asked for from there on, of the same object.
 *
 * <p>One thread; blocks. What cannot be read is an {@link S3Failure}.
 */
final class ObjectStream extends InputStream {

    /** How often in a row the server may send nothing. */
    private static final int MOST_CUTS = 5;

    private final Bucket bucket;
    private final String key;
    private @Nullable ResponseInputStream<GetObjectResponse> rest;
    private String eTag = "";
    private long size = -1;
    private long position;
    private int cuts;

    ObjectStream(Bucket bucket, String key) {
        this.bucket = bucket;
        this.key = key;
    }

    /** The same, which must be this object still. */
    ObjectStream again() {
        ObjectStream again = new ObjectStream(bucket, key);
        again.eTag = eTag;
        return again;
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
        while (position != size) {
            int got = some(open(), bytes, offset, length);
            if (got > 0) {
                position += got;
                cuts = 0;
                return got;
            }
            cut();
        }
        return -1;
    }

    private ResponseInputStream<GetObjectResponse> open() {
        ResponseInputStream<GetObjectResponse> open = rest;
        if (open == null) {
            open = bucket.from(key, position, eTag);
            rest = open;
            if (size < 0) {
                size = open.response().contentLength();
            }
            eTag = open.response().eTag();
        }
        return open;
    }

    /** @return 0 or less where it was cut off */
    private static int some(InputStream from, byte[] bytes, int offset, int length) {
        try {
            return from.read(bytes, offset, length);
        } catch (IOException | SdkException cutOff) {
            return 0;
        }
    }

    private void cut() {
        close();
        cuts++;
        if (cuts > MOST_CUTS) {
            throw new S3Failure(
                    key + " cannot be read: its server cuts it off after " + position + " of " + size + " bytes");
        }
    }

    @Override
    public void close() {
        if (rest != null) {
            rest.abort();
            rest = null;
        }
    }
}
