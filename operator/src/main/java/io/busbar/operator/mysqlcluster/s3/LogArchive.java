package io.busbar.operator.mysqlcluster.s3;

import io.busbar.operator.mysqlcluster.sql.Position;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The binary logs of a cluster in a bucket: in a folder of their own, {@code 0000000001.gz} and so on, and beside each,
 * written last, {@code 0000000001.json}, its {@link Segment}.
 *
 * <p>One thread; blocks. All methods throw {@link S3Failure}.
 */
final class LogArchive {

    private static final Logger log = LoggerFactory.getLogger(LogArchive.class);

    /** In the folder of a cluster's backups. */
    private static final String NAME = "binlogs/";

    private static final Pattern KEY = Pattern.compile("([0-9]{10})\\.json");

    private final Bucket bucket;
    private final String folder;

    private LogArchive(Bucket bucket, String folder) {
        this.bucket = bucket;
        this.folder = folder;
    }

    /** @param folder that of the cluster's backups, with a slash at the end */
    static LogArchive beside(Bucket bucket, String folder) {
        return new LogArchive(bucket, folder + NAME);
    }

    /** What a segment is, once all its bytes are known. */
    interface Description {

        /**
         * @param sizeBytes of the object
         * @param sha256 of the object, in hexadecimal digits
         */
        Segment of(long sizeBytes, String sha256);
    }

    /** All that are there, in their order. */
    List<Segment> segments() {
        return segments(0);
    }

    /**
     * The last ones, from the last one on that is such a beginning, in their order; all where none is.
     *
     * <p>Reads no others: an archive may be of months.
     */
    List<Segment> segmentsFrom(Predicate<Segment> beginning) {
        List<Long> numbers = numbers(0);
        Deque<Segment> last = new ArrayDeque<>();
        for (int i = numbers.size() - 1; i >= 0; i--) {
            last.addFirst(segment(numbers.get(i)));
            if (beginning.test(last.getFirst())) {
                break;
            }
        }
        return List.copyOf(last);
    }

    /** All that are there with higher numbers than this one, in their order. */
    List<Segment> segments(long after) {
        return numbers(after).stream().map(this::segment).toList();
    }

    /**
     * The last one; empty where there is none.
     *
     * @param known the number of one that was there once; 0 for none: saves looking through all that are before
     */
    Optional<Segment> last(long known) {
        List<Long> numbers = numbers(Math.max(0, known - 1));
        if (numbers.isEmpty() && known > 1) {
            numbers = numbers(0);
        }
        return numbers.isEmpty() ? Optional.empty() : Optional.of(segment(numbers.get(numbers.size() - 1)));
    }

    /**
     * The one of that number, or else the next one that is there.
     *
     * @throws S3Failure also when there is none
     */
    Segment first(long number) {
        long there = bucket.firstKey(
                        folder, after(number - 1), key -> number(key).isPresent())
                .flatMap(this::number)
                .orElse(number);
        return segment(there);
    }

    /** @throws S3Failure also when there is none of that number */
    Segment segment(long number) {
        String key = key(number, "json");
        byte[] json = bucket.bytes(key).orElseThrow(() -> new S3Failure("there is no " + key + " in the archive"));
        return Segment.of(key, number, json);
    }

    private List<Long> numbers(long after) {
        return bucket.keys(folder, after(after)).stream()
                .flatMap(key -> number(key).stream())
                .toList();
    }

    /** The last key of what is not after it. */
    private String after(long number) {
        return number == 0 ? "" : key(number, "json");
    }

    /** Of a segment; empty for any other key. */
    private Optional<Long> number(String key) {
        Matcher matched = KEY.matcher(key.substring(folder.length()));
        return matched.matches() ? Optional.of(Long.parseLong(matched.group(1))) : Optional.empty();
    }

    /**
     * Writes a segment: all of it, or nothing that counts.
     *
     * @param number the one after the last
     * @param bytes of the object; where they break off, nothing is written
     * @param partBytes as {@link Upload} takes it
     * @throws IOException when the bytes break off
     */
    Segment put(long number, InputStream bytes, int partBytes, Description description) throws IOException {
        // What was begun and not ended is of an earlier Job: there is never more than one.
        bucket.abortUploads(folder);
        Upload upload = bucket.upload(key(number, "gz"), partBytes);
        boolean whole = false;
        try {
            upload.parts(bytes);
            whole = true;
        } finally {
            if (!whole) {
                upload.abort();
            }
        }
        Segment segment = description.of(upload.size(), upload.sha256());
        if (bucket.bytes(key(number, "json")).isPresent()) {
            upload.abort();
            throw new S3Failure(key(number, "json") + " is there already: somebody else writes to this archive");
        }
        complete(upload, number, segment);
        return segment;
    }

    private void complete(Upload upload, long number, Segment segment) {
        boolean done = false;
        try {
            upload.complete();
            bucket.writeJson(key(number, "json"), segment.toJson());
            done = true;
        } finally {
            if (!done) {
                discard(number);
            }
        }
    }

    /** A server may have done what it then did not say. What counts goes first. */
    private void discard(long number) {
        try {
            bucket.removeObject(key(number, "json"));
            bucket.removeObject(key(number, "gz"));
        } catch (S3Failure left) {
            log.atWarn().addKeyValue("reason", left.getMessage()).log("a binary log may be left in the bucket");
        }
    }

    /**
     * Removes the first segments, which no backup needs: what follows on it begins later.
     *
     * @param backups all that are in the bucket; where there is none, nothing is removed
     */
    void removeUnneeded(List<Manifest> backups) {
        if (backups.isEmpty()) {
            return;
        }
        List<Manifest> beginEarlier = new ArrayList<>(backups);
        List<Segment> needed = segmentsFrom(segment -> {
            beginEarlier.removeIf(backup -> backup.position().reaches(Position.of(backup.flavor(), segment.start())));
            return beginEarlier.isEmpty();
        });
        if (needed.isEmpty() || !beginEarlier.isEmpty()) {
            return;
        }
        String first = key(needed.get(0).number(), "");
        List<String> before = bucket.keys(folder, "").stream()
                .filter(key -> key.compareTo(first) < 0)
                .toList();
        // What counts goes first.
        Stream.concat(
                        before.stream().filter(key -> key.endsWith(".json")),
                        before.stream().filter(key -> key.endsWith(".gz")))
                .forEach(bucket::removeObject);
    }

    /**
     * The bytes of a segment, which were read once to their end, and are what they were.
     *
     * @throws S3Failure when they are not
     */
    ObjectStream open(Segment segment) {
        String key = key(segment.number(), "gz");
        ObjectStream object = bucket.read(key);
        MessageDigest digest = Upload.digest("SHA-256");
        long size;
        try (DigestInputStream bytes = new DigestInputStream(object, digest)) {
            size = bytes.transferTo(OutputStream.nullOutputStream());
        } catch (IOException impossible) {
            throw new S3Failure(key + " cannot be read: " + impossible.getMessage());
        }
        String found = HexFormat.of().formatHex(digest.digest());
        if (size != segment.sizeBytes() || !found.equals(segment.sha256())) {
            throw new S3Failure(key + " is not what it was when it was archived: it has " + size
                    + " bytes and the SHA-256 " + found);
        }
        return object.again();
    }

    private String key(long number, String ending) {
        return String.format(Locale.ROOT, "%s%010d.%s", folder, number, ending);
    }
}
