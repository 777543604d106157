package io.busbar.operator.mysqlcluster.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The archive before a real S3 server. */
class LogArchiveTest {

    private static final String FOLDER = "prefix/ns/db/";
    private static final int PART_BYTES = 5 * 1024 * 1024;

    private S3Server server;
    private FaultyS3 s3;
    private Bucket bucket;
    private LogArchive archive;

    @BeforeEach
    void start() throws Exception {
        server = S3Server.start();
        s3 = new FaultyS3(server.port());
        bucket = Bucket.open(
                new S3Place(s3.endpoint(), "us-east-1", S3Server.BUCKET, true, null),
                Credentials.of(
                        Map.of(
                                "AWS_ACCESS_KEY_ID", S3Server.ACCESS_KEY_ID,
                                "AWS_SECRET_ACCESS_KEY", S3Server.SECRET_ACCESS_KEY),
                        false),
                3);
        archive = LogArchive.beside(bucket, FOLDER);
    }

    @AfterEach
    void stop() throws Exception {
        bucket.close();
        s3.close();
        server.close();
    }

    static Segment described(long number, long sizeBytes, String sha256) {
        return new Segment(
                number,
                "0-100-" + (number - 1),
                "0-100-" + number,
                "2026-01-01T00:00:00Z",
                null,
                "db-0",
                "bin.00000" + number,
                sizeBytes,
                sha256,
                "10.11.14-MariaDB",
                number > 1,
                1);
    }

    private Segment put(long number, InputStream bytes) throws IOException {
        return archive.put(number, bytes, PART_BYTES, (size, sha256) -> described(number, size, sha256));
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    /** The bytes of a script that ends too early. */
    private static InputStream brokenOff() {
        return new SequenceInputStream(bytes("some"), new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("broken off");
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                return read();
            }
        });
    }

    @Test
    void gives_segments_back_in_their_order_and_says_which_is_the_last() throws Exception {
        assertThat(archive.segments()).isEmpty();
        assertThat(archive.last(0)).isEmpty();
        assertThat(archive.last(7)).isEmpty();

        Segment first = put(1, bytes("one"));
        Segment second = put(2, bytes("two"));
        for (long number = 3; number <= 12; number++) {
            put(number, bytes("more"));
        }

        assertThat(archive.segments()).hasSize(12).startsWith(first, second);
        assertThat(archive.segments(10)).extracting(Segment::number).containsExactly(11L, 12L);
        for (long known : List.of(0L, 1L, 2L, 12L, 99L)) {
            assertThat(archive.last(known)).get().extracting(Segment::number).isEqualTo(12L);
        }
        assertThat(archive.segment(2)).isEqualTo(second);
        assertThat(new String(archive.open(first).readAllBytes(), UTF_8)).isEqualTo("one");
        assertThat(server.keys()).startsWith(FOLDER + "binlogs/0000000001.gz", FOLDER + "binlogs/0000000001.json");
        assertThat(server.text(FOLDER + "binlogs/0000000002.json"))
                .contains("\"number\" : 2")
                .contains("\"start\" : \"0-100-1\"")
                .contains("\"end\" : \"0-100-2\"")
                .contains("\"firstEventTime\" : \"2026-01-01T00:00:00Z\"")
                .contains("\"lastEventTime\" : null")
                .contains("\"continues\" : true");
    }

    @Test
    void goes_through_all_pages_of_a_long_archive() {
        for (long number = 1; number <= 510; number++) {
            String key = FOLDER + "binlogs/" + String.format(Locale.ROOT, "%010d", number);
            server.write(key + ".gz", new byte[0]);
            server.write(key + ".json", described(number, 0, "").toJson());
        }
        assertThat(archive.last(0)).get().extracting(Segment::number).isEqualTo(510L);
        assertThat(archive.segments(500)).hasSize(10);
        assertThat(s3.requests())
                .filteredOn(request -> request.contains("list-type=2"))
                .hasSizeGreaterThan(2);
        server.write(FOLDER + "binlogs/0000000506.json", "{".getBytes(UTF_8));
        assertThat(archive.segmentsFrom(segment -> segment.number() == 507))
                .as("and does not read what is before")
                .extracting(Segment::number)
                .containsExactly(507L, 508L, 509L, 510L);
    }

    private static Manifest backup(String gtid) {
        return new Manifest("a.sql.gz", 1, "00", gtid, "10.11.14-MariaDB", "2026-01-01T00:00:00Z");
    }

    @Test
    void removes_what_is_before_all_that_follows_on_a_backup() throws Exception {
        for (long number = 1; number <= 6; number++) {
            put(number, bytes("some"));
        }
        archive.removeUnneeded(List.of());
        archive.removeUnneeded(List.of(backup("0-100-4"), backup("")));
        assertThat(archive.segments()).as("a backup may be older than all").hasSize(6);

        server.write(FOLDER + "binlogs/0000000000.gz", "left".getBytes(UTF_8));
        archive.removeUnneeded(List.of(backup("0-100-5"), backup("0-100-3")));
        assertThat(archive.segments()).extracting(Segment::number).containsExactly(4L, 5L, 6L);
        assertThat(server.keys()).hasSize(6).startsWith(FOLDER + "binlogs/0000000004.gz");

        archive.removeUnneeded(List.of(backup("0-100-2")));
        assertThat(archive.segments()).as("there is a gap after that one").hasSize(3);
        archive.removeUnneeded(List.of(backup("0-100-9")));
        assertThat(archive.segments()).as("the last one tells where to go on").hasSize(1);
        assertThat(archive.last(6)).isPresent();
    }

    @Test
    void has_no_segment_without_what_is_written_last() throws Exception {
        put(1, bytes("one"));
        server.write(FOLDER + "binlogs/0000000002.gz", "two".getBytes(UTF_8));
        assertThat(archive.last(0)).get().extracting(Segment::number).isEqualTo(1L);
    }

    @Test
    void leaves_nothing_of_bytes_that_break_off() {
        assertThatThrownBy(() -> put(1, brokenOff())).isInstanceOf(IOException.class);
        assertThat(server.keys()).isEmpty();
        assertThat(server.openUploads()).isZero();
    }

    @Test
    void leaves_nothing_that_counts_of_what_the_server_does_not_take() throws Exception {
        s3.answer("PUT .*json", 9, 403, "AccessDenied");
        assertThatThrownBy(() -> put(1, bytes("one")))
                .isInstanceOf(S3Failure.class)
                .hasMessageContaining("access is denied");
        assertThat(server.keys()).isEmpty();

        s3.mend();
        s3.cutRequest("PUT .*json", 1);
        s3.answer("partNumber=1", 1, 503, "SlowDown");
        put(1, bytes("one"));
        assertThat(archive.segments()).hasSize(1);
    }

    @Test
    void finds_a_changed_byte_and_a_changed_description() throws Exception {
        byte[] random = new byte[100_000];
        new Random(1).nextBytes(random);
        Segment segment = put(1, new ByteArrayInputStream(random));
        random[50_000]++;
        server.write(FOLDER + "binlogs/0000000001.gz", random);
        assertThatThrownBy(() -> archive.open(segment))
                .hasMessageContaining("0000000001.gz is not what it was when it was archived");

        server.write(FOLDER + "binlogs/0000000001.json", segment.toJson());
        assertThat(archive.segments()).containsExactly(segment);
        server.write(FOLDER + "binlogs/0000000001.json", "{".getBytes(UTF_8));
        assertThatThrownBy(() -> archive.segments())
                .hasMessageContaining("0000000001.json does not tell of a binary log");
        server.write(FOLDER + "binlogs/0000000001.json", described(2, 0, "").toJson());
        assertThatThrownBy(() -> archive.segments()).hasMessageContaining("with the number 1");
    }

    @Test
    void backups_and_the_archive_leave_each_other_alone() throws Exception {
        Upload backup = bucket.upload(FOLDER + "first.sql.gz", PART_BYTES);
        backup.parts(bytes("dump"));
        put(1, bytes("one"));
        Upload segment = bucket.upload(FOLDER + "binlogs/0000000002.gz", PART_BYTES);
        segment.parts(bytes("two"));
        bucket.abortUploads(FOLDER);

        segment.complete();
        assertThat(server.openUploads()).isZero();
        assertThat(bucket.newestFirst(FOLDER)).isEmpty();
        server.write(FOLDER + "first.sql.gz.json", new byte[0]);
        assertThat(archive.segments()).hasSize(1);
    }
}
