package io.busbar.operator.mysqlcluster.s3;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * An object that is being written, part by part: of a stream of any length one part is in memory.
 *
 * <p>One thread; blocks.
 */
final class Upload {

    private static final Logger log = LoggerFactory.getLogger(Upload.class);

    /** All parts of an object but the last are of one size, as some servers want it. */
    static final int PART_BYTES = 32 * 1024 * 1024;

    /** What S3 allows. */
    private static final int MOST_PARTS = 10_000;

    private final S3Client client;
    private final S3Place place;
    private final String key;
    private final String id;
    private final int partBytes;
    private final List<CompletedPart> parts = new ArrayList<>();
    private final MessageDigest sha256 = digest("SHA-256");
    private long size;

    Upload(S3Client client, S3Place place, String key, String id, int partBytes) {
        this.client = client;
        this.place = place;
        this.key = key;
        this.id = id;
        this.partBytes = partBytes;
    }

    /**
     * Writes all parts.
     *
     * @throws IOException when the stream cannot be read
     * @throws S3Failure when a part cannot be written
     */
    void parts(InputStream from) throws IOException {
        byte[] part = new byte[partBytes];
        int length = from.readNBytes(part, 0, part.length);
        while (length > 0) {
            if (parts.size() == MOST_PARTS) {
                throw new S3Failure("the backup is larger than " + MOST_PARTS + " parts of " + partBytes + " bytes,"
                        + " the most that an object of S3 can have");
            }
            part(part, length);
            length = from.readNBytes(part, 0, part.length);
        }
    }

    private void part(byte[] bytes, int length) {
        int number = parts.size() + 1;
        MessageDigest md5 = digest("MD5");
        md5.update(bytes, 0, length);
        String contentMd5 = Base64.getEncoder().encodeToString(md5.digest());
        try {
            String eTag = client.uploadPart(
                            request -> request.bucket(place.bucket())
                                    .key(key)
                                    .uploadId(id)
                                    .partNumber(number)
                                    .contentMD5(contentMd5),
                            RequestBody.fromContentProvider(
                                    () -> new ByteArrayInputStream(bytes, 0, length),
                                    length,
                                    "application/octet-stream"))
                    .eTag();
            parts.add(CompletedPart.builder().partNumber(number).eTag(eTag).build());
        } catch (SdkException failure) {
            throw S3Failure.of(place, "written to", failure);
        }
        sha256.update(bytes, 0, length);
        size += length;
    }

    /**
     * Makes the object.
     *
     * @throws S3Failure also when the bucket has another one afterwards
     */
    void complete() {
        try {
            client.completeMultipartUpload(request ->
                    request.bucket(place.bucket()).key(key).uploadId(id).multipartUpload(all -> all.parts(parts)));
            long there = client.headObject(
                            request -> request.bucket(place.bucket()).key(key))
                    .contentLength();
            if (there != size) {
                throw new S3Failure(place + " has " + there + " bytes of " + key + ", and was given " + size);
            }
        } catch (SdkException failure) {
            throw S3Failure.of(place, "written to", failure);
        }
    }

    /** Gives up what was written. A server that cannot be asked now keeps it until it is asked again. */
    void abort() {
        try {
            client.abortMultipartUpload(
                    request -> request.bucket(place.bucket()).key(key).uploadId(id));
        } catch (SdkException failure) {
            log.atWarn()
                    .addKeyValue(
                            "reason", S3Failure.of(place, "written to", failure).getMessage())
                    .log("an upload that was begun may be left in the bucket");
        }
    }

    long size() {
        return size;
    }

    /** Once all parts are written. */
    String sha256() {
        return HexFormat.of().formatHex(sha256.digest());
    }

    static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
