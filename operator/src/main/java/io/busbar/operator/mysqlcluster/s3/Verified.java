package io.busbar.operator.mysqlcluster.s3;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;

/**
 * A backup that was read from its beginning to its end, and is what it was when it was made.
 *
 * <p>One thread; blocks.
 */
final class Verified {

    private static final String LAST_LINE = "\n-- Dump completed";
    private static final int TAIL_BYTES = 256;

    private final Manifest manifest;
    private final ObjectStream object;

    private Verified(Manifest manifest, ObjectStream object) {
        this.manifest = manifest;
        this.object = object;
    }

    /**
     * @param sha256 that it must have
     * @throws S3Failure when it is not what it was, or cannot be read
     */
    static Verified of(Bucket bucket, String key, String sha256) {
        Manifest manifest = manifest(bucket, key);
        ObjectStream object = bucket.read(key);
        MessageDigest digest = Upload.digest("SHA-256");
        boolean complete;
        try (DigestInputStream bytes = new DigestInputStream(object, digest)) {
            complete = isComplete(bytes);
            bytes.transferTo(OutputStream.nullOutputStream());
        } catch (IOException impossible) {
            throw new S3Failure(key + " cannot be read: " + impossible.getMessage());
        }
        String found = HexFormat.of().formatHex(digest.digest());
        if (!found.equals(sha256) || !found.equals(manifest.sha256())) {
            throw new S3Failure(key + " is not what it was when the backup was made: its SHA-256 is " + found);
        }
        if (!complete) {
            throw new S3Failure(key + " is not complete");
        }
        return new Verified(manifest, object);
    }

    /** @throws S3Failure when there is no such backup */
    static Manifest manifest(Bucket bucket, String key) {
        return bucket.manifest(key)
                .orElseThrow(() -> new S3Failure(
                        "there is no backup " + key + " in the bucket: it has no manifest " + Manifest.key(key)));
    }

    private static boolean isComplete(InputStream compressed) {
        byte[] tail = new byte[0];
        try (GZIPInputStream dump = new GZIPInputStream(unclosed(compressed), 1 << 16)) {
            byte[] more = new byte[1 << 16];
            int length = dump.read(more);
            while (length >= 0) {
                tail = tail(tail, more, length);
                length = dump.read(more);
            }
        } catch (IOException notCompressed) {
            return false;
        }
        return new String(tail, StandardCharsets.ISO_8859_1).contains(LAST_LINE);
    }

    /** Its rest is still to be read afterwards. */
    private static InputStream unclosed(InputStream stream) {
        return new FilterInputStream(stream) {
            @Override
            public void close() {}
        };
    }

    private static byte[] tail(byte[] before, byte[] more, int length) {
        if (length >= TAIL_BYTES) {
            return Arrays.copyOfRange(more, length - TAIL_BYTES, length);
        }
        byte[] both = Arrays.copyOf(before, before.length + length);
        System.arraycopy(more, 0, both, before.length, length);
        return Arrays.copyOfRange(both, Math.max(0, both.length - TAIL_BYTES), both.length);
    }

    /** What it was when it was made, and is. */
    Manifest manifest() {
        return manifest;
    }

    /** The same bytes once more. */
    InputStream stream() {
        return object.again();
    }
}
