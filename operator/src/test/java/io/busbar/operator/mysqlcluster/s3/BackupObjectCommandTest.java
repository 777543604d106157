package io.busbar.operator.mysqlcluster.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.operator.mysqlcluster.backup.Backups;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.Texts;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Both sides of the pipe, before a real S3 server: the script is the Jobs', with no database behind it. */
class BackupObjectCommandTest {

    private static final String KEY = "prefix/ns/db/first.sql.gz";
    private static final int PART_BYTES = 5 * 1024 * 1024;
    private static final Map<String, String> CREDENTIALS = Map.of(
            "AWS_ACCESS_KEY_ID", S3Server.ACCESS_KEY_ID, "AWS_SECRET_ACCESS_KEY", S3Server.SECRET_ACCESS_KEY + "\n");

    private static final String FUNCTIONS = Texts.beside(ClusterJobs.class, "dump.sh")
            + "ask() { echo 10.11.14-MariaDB; }; position() { echo 0-100-7; }; SOURCE_HOST=db-0 SOURCE_PORT=3306\n"
            + Texts.beside(Backups.class, "pipe.sh");
    private static final String DUMP = "prepare; cat \"$DUMP\" | store || { ! is_unwanted || exit 1; fail broken; }; ";
    private static final String LOAD =
            "receive; gzip -dc <&\"$data\" >\"$LOADED\" || { why_cut_off >>\"$work/errors\"; fail cut; }";

    private final List<Process> scripts = new ArrayList<>();

    @TempDir
    private Path folder;

    private S3Server server;
    private FaultyS3 s3;
    private byte[] dump;

    @BeforeEach
    void start() throws Exception {
        server = S3Server.start();
        s3 = new FaultyS3(server.port());
        dump = dump(0);
    }

    @AfterEach
    void stop() throws Exception {
        scripts.forEach(Process::destroyForcibly);
        s3.close();
        server.close();
    }

    /** @param megabytes that do not get smaller when they are compressed */
    private static byte[] dump(int megabytes) {
        byte[] rows = new byte[megabytes * 1024 * 1024];
        new Random(megabytes).nextBytes(rows);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes("CREATE TABLE t (i INT);\n".getBytes(UTF_8));
        all.writeBytes(rows);
        all.writeBytes("\n-- Dump completed on 2026-01-01\n".getBytes(UTF_8));
        return all.toByteArray();
    }

    /** What both containers have come to. */
    private record Run(int exitCode, int script, JsonNode report, JsonNode scriptReport) {

        String message() {
            return report.path("message").asText();
        }
    }

    private Run backup() throws Exception {
        return run("put", DUMP + "conclude", CREDENTIALS);
    }

    private Run load(String sha256) throws Exception {
        return run("get", LOAD, CREDENTIALS, "--sha256=" + sha256);
    }

    private Run run(String action, @Nullable String script, Map<String, String> credentials, String... more)
            throws Exception {
        Path pipe = Files.createTempDirectory(folder, "pipe");
        Files.write(folder.resolve("dump"), dump);
        Path report = Files.createTempFile(folder, "report", ".json");
        Path scriptReport = Files.createTempFile(folder, "script", ".json");
        Process running = null;
        if (script != null) {
            ProcessBuilder builder = new ProcessBuilder("bash", "-c", FUNCTIONS + script)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile());
            builder.environment()
                    .putAll(Map.of(
                            "PIPE", pipe.toString(),
                            "TERMINATION_LOG", scriptReport.toString(),
                            "DUMP", folder.resolve("dump").toString(),
                            "LOADED", folder.resolve("loaded").toString(),
                            "TMPDIR", folder.toString()));
            running = builder.start();
            scripts.add(running);
        }
        List<String> arguments = new ArrayList<>(List.of(
                "--endpoint=" + s3.endpoint(),
                "--region=us-east-1",
                "--bucket=" + S3Server.BUCKET,
                "--path-style",
                "--key=" + KEY,
                "--pipe=" + pipe,
                "--report=" + report));
        for (String flag : more) {
            arguments.removeIf(other -> other.split("=", -1)[0].equals(flag.split("=", -1)[0]));
            arguments.add(flag);
        }
        arguments.add(action);
        int exitCode = new CommandLine(new BackupObjectCommand(credentials, 3, PART_BYTES))
                .execute(arguments.toArray(String[]::new));
        return new Run(exitCode, running == null ? 0 : running.waitFor(), json(report), json(scriptReport));
    }

    private static JsonNode json(Path file) throws Exception {
        return new ObjectMapper().readTree(Files.readString(file));
    }

    private String stored() {
        return HexFormat.of().formatHex(Upload.digest("SHA-256").digest(read(KEY)));
    }

    private byte[] read(String key) {
        try {
            return server.read(key);
        } catch (Exception missing) {
            throw new AssertionError(missing);
        }
    }

    private void assertNothingIsLeft() {
        assertThat(server.keys()).isEmpty();
        assertThat(server.openUploads()).isZero();
    }

    /** This server does not encrypt: it refuses the first request that asks for it. */
    @Test
    void asks_the_server_to_encrypt_only_where_that_is_wanted_and_says_that_it_does_not() throws Exception {
        Run refused = run("put", DUMP + "conclude", CREDENTIALS, "--encryption=AES256");

        assertThat(refused.message()).contains("501 NotImplemented");
        assertThat(s3.heads()).anyMatch(head -> isEncrypted(head) && head.startsWith("POST "));
        assertNothingIsLeft();
        int before = s3.heads().size();
        assertThat(backup().exitCode()).isZero();
        assertThat(s3.heads().subList(before, s3.heads().size())).noneMatch(BackupObjectCommandTest::isEncrypted);
    }

    private static boolean isEncrypted(String head) {
        return head.toLowerCase(Locale.ROOT).contains("\nx-amz-server-side-encryption: aes256\r");
    }

    @Test
    void tells_what_a_backup_was_when_it_was_made_and_of_a_folder_the_newest() throws Exception {
        assertThat(backup().exitCode()).isZero();
        JsonNode manifest = new ObjectMapper().readTree(server.text(KEY + ".json"));
        server.write("prefix/ns/db/unfinished.sql.gz", dump);
        server.write("prefix/ns/db/deeper/later.sql.gz.json", dump);

        for (String key : List.of(KEY, "prefix/ns/db/")) {
            Run found = run("find", null, CREDENTIALS, "--key=" + key);
            assertThat(found.exitCode()).as(found.message()).isZero();
            for (String field : List.of("file", "sha256", "gtid", "serverVersion")) {
                assertThat(found.report().path(field)).as(field).isEqualTo(manifest.path(field));
            }
        }
        assertThat(run("find", null, CREDENTIALS, "--key=prefix/ns/db/unfinished.sql.gz")
                        .message())
                .contains("it has no manifest");
        assertThat(run("find", null, CREDENTIALS, "--key=prefix/ns/").message())
                .contains("there is no backup right below prefix/ns/");
        assertThat(run("find", null, CREDENTIALS, "--key=prefix/ns/", "--bucket=none")
                        .message())
                .contains("there is no such bucket");
    }

    @Test
    void writes_parts_and_then_the_manifest_and_gives_the_same_bytes_back() throws Exception {
        dump = dump(11);
        Run backup = backup();

        assertThat(backup.exitCode()).as(backup.message()).isZero();
        assertThat(backup.script()).isZero();
        assertThat(server.keys()).containsExactly(KEY, KEY + ".json");
        JsonNode manifest = new ObjectMapper().readTree(server.text(KEY + ".json"));
        assertThat(manifest.path("file").asText()).isEqualTo(KEY);
        assertThat(manifest.path("sizeBytes").asInt())
                .isEqualTo(read(KEY).length)
                .isGreaterThan(2 * PART_BYTES);
        assertThat(manifest.path("sha256").asText()).isEqualTo(stored());
        assertThat(manifest.path("gtid").asText()).isEqualTo("0-100-7");
        assertThat(manifest.path("serverVersion").asText()).isEqualTo("10.11.14-MariaDB");
        for (String field : List.of("file", "sizeBytes", "sha256", "gtid")) {
            assertThat(backup.report().path(field).asText())
                    .isEqualTo(manifest.path(field).asText());
        }
        assertThat(s3.requests()).last().asString().startsWith("PUT").contains(KEY + ".json");

        Run load = load(stored());
        assertThat(load.exitCode()).as(load.message()).isZero();
        assertThat(load.script()).isZero();
        assertThat(Files.readAllBytes(folder.resolve("loaded"))).isEqualTo(dump);
    }

    @Test
    void goes_on_when_the_server_stumbles() throws Exception {
        dump = dump(11);
        s3.answer("partNumber=1", 1, 500, "InternalError");
        s3.cutRequest("partNumber=2", 1);
        s3.answer("partNumber=3", 1, 503, "SlowDown");
        s3.slow("partNumber=3", 2, 1);
        s3.answer("POST .*uploadId=", 1, 500, "InternalError");
        s3.cutRequest("PUT .*json", 1);
        Run backup = backup();
        assertThat(backup.exitCode()).as(backup.message()).isZero();
        assertThat(server.openUploads()).isZero();

        s3.cutAnswer("GET .*gz HTTP", 3, 3_000_000);
        Run load = load(stored());
        assertThat(load.exitCode()).as(load.message()).isZero();
        assertThat(Files.readAllBytes(folder.resolve("loaded"))).isEqualTo(dump);
    }

    @ParameterizedTest
    @CsvSource({
        "POST .*uploads, 500, InternalError",
        "partNumber=2, 500, InternalError",
        "partNumber=2, 507, XMinioStorageFull",
        "partNumber=1, 403, QuotaExceeded",
        "POST .*uploadId, 500, InternalError",
        "HEAD, 500, InternalError",
        "PUT .*json, 507, XMinioStorageFull",
    })
    void leaves_nothing_when_the_server_refuses_for_good(String request, int status, String code) throws Exception {
        dump = dump(11);
        s3.answer(request, 1000, status, code);
        Run backup = backup();

        assertThat(backup.exitCode()).isEqualTo(1);
        assertThat(backup.message())
                .startsWith("S3 bucket backups at " + s3.endpoint() + " cannot be written to")
                .contains(String.valueOf(status));
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"partNumber=2", "PUT .*json"})
    void leaves_nothing_when_each_attempt_is_cut_in_the_middle(String request) throws Exception {
        dump = dump(6);
        s3.cutRequest(request, 1000);
        Run backup = backup();

        assertThat(backup.exitCode()).isEqualTo(1);
        assertThat(backup.message()).contains("cannot be written to");
        assertNothingIsLeft();
    }

    @Test
    void leaves_nothing_of_a_dump_that_breaks_off_and_leaves_it_to_the_script_to_say_why() throws Exception {
        dump = dump(6);
        Run backup = run("put", DUMP + "fail 'the dump was broken off'", CREDENTIALS);

        assertThat(backup.exitCode()).isEqualTo(1);
        assertThat(backup.report().isMissingNode()).isTrue();
        assertThat(backup.script()).isEqualTo(1);
        assertThat(backup.scriptReport().path("message").asText()).isEqualTo("the dump was broken off");
        assertNothingIsLeft();
    }

    @Test
    void gives_up_what_an_attempt_that_was_killed_has_left() throws Exception {
        try (Bucket bucket = bucket()) {
            bucket.upload("prefix/ns/db/killed.sql.gz", PART_BYTES);
            bucket.upload("prefix/ns/other/running.sql.gz", PART_BYTES);
        }
        assertThat(server.openUploads()).isEqualTo(2);

        assertThat(backup().exitCode()).isZero();
        assertThat(server.openUploads()).isEqualTo(1);
    }

    private Bucket bucket() {
        return Bucket.open(
                new S3Place(s3.endpoint(), "us-east-1", S3Server.BUCKET, true, null),
                Credentials.of(CREDENTIALS, false),
                1);
    }

    @Test
    void writes_over_no_backup_but_over_what_is_none() throws Exception {
        server.write(KEY, new byte[] {1});
        assertThat(backup().exitCode()).isZero();
        String before = stored();

        Run again = backup();
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.message()).startsWith(KEY + " is there already");
        assertThat(again.script()).isEqualTo(1);
        assertThat(stored()).isEqualTo(before);
    }

    @Test
    void says_what_is_wrong_with_the_credentials_and_no_secret() throws Exception {
        Run secret =
                run("put", DUMP, Map.of("AWS_ACCESS_KEY_ID", S3Server.ACCESS_KEY_ID, "AWS_SECRET_ACCESS_KEY", "guess"));
        assertThat(secret.exitCode()).isEqualTo(1);
        assertThat(secret.message())
                .endsWith("the secret access key is wrong; see credentialsSecretRef")
                .doesNotContain("guess");
        Run id = run("put", DUMP, Map.of("AWS_ACCESS_KEY_ID", "who", "AWS_SECRET_ACCESS_KEY", "guess"));
        assertThat(id.message()).endsWith("the server does not know the access key; see credentialsSecretRef");
        Run none = run("put", DUMP, Map.of("AWS_ACCESS_KEY_ID", "who"));
        assertThat(none.message())
                .isEqualTo("the variable AWS_SECRET_ACCESS_KEY is empty: the Secret of credentialsSecretRef is missing,"
                        + " or its key");
        Run authorities = run(
                "put",
                DUMP,
                Map.of("AWS_ACCESS_KEY_ID", "who", "AWS_SECRET_ACCESS_KEY", "guess", "S3_CA", "not a certificate"),
                "--own-ca");
        assertThat(authorities.message()).startsWith("ca.crt of caSecretRef has no certificate in PEM");
    }

    @Test
    void says_what_is_wrong_with_the_place() throws Exception {
        assertThat(run("check", null, CREDENTIALS, "--bucket=none").message()).endsWith("there is no such bucket");
        assertThat(run("check", null, CREDENTIALS, "--endpoint=http://s3.invalid:9")
                        .message())
                .endsWith("the host s3.invalid is not known");
        assertThat(run("check", null, CREDENTIALS, "--endpoint=http://127.0.0.1:1")
                        .message())
                .contains("the server does not answer");
    }

    @Test
    void refuses_an_object_that_is_not_what_it_was() throws Exception {
        assertThat(backup().exitCode()).isZero();
        String sha256 = stored();
        byte[] whole = read(KEY);
        assertThat(run("check", null, CREDENTIALS, "--sha256=" + sha256).exitCode())
                .isZero();

        byte[] spoilt = whole.clone();
        spoilt[spoilt.length / 2] ^= 1;
        for (byte[] wrong : List.of(spoilt, Arrays.copyOf(whole, whole.length - 9), new byte[0])) {
            server.write(KEY, wrong);
            assertThat(run("check", null, CREDENTIALS, "--sha256=" + sha256).message())
                    .startsWith(KEY + " is not what it was when the backup was made");
            Run load = load(sha256);
            assertThat(load.message()).contains("is not what it was");
            assertThat(load.script()).isEqualTo(1);
            assertThat(folder.resolve("loaded")).doesNotExist();
        }

        server.write(KEY, whole);
        server.remove(KEY + ".json");
        assertThat(run("check", null, CREDENTIALS, "--sha256=" + sha256).message())
                .startsWith("there is no backup " + KEY + " in the bucket");
    }

    @Test
    void refuses_a_dump_that_lacks_its_end_although_it_was_stored_as_it_is() throws Exception {
        dump = "CREATE TABLE t (i INT);\n".getBytes(UTF_8);
        assertThat(backup().exitCode()).isZero();
        assertThat(run("check", null, CREDENTIALS, "--sha256=" + stored()).message())
                .isEqualTo(KEY + " is not complete");
    }

    @Test
    void loads_no_other_object_than_the_one_that_was_verified() throws Exception {
        assertThat(backup().exitCode()).isZero();
        try (Bucket bucket = bucket()) {
            Verified verified = Verified.of(bucket, KEY, stored());
            server.write(KEY, dump(1));
            assertThatThrownBy(() -> verified.stream().readAllBytes())
                    .isInstanceOf(S3Failure.class)
                    .hasMessageContaining("was replaced");
        }
    }

    @Test
    void tells_the_script_why_what_it_loads_ends_too_early() throws Exception {
        dump = dump(2);
        assertThat(backup().exitCode()).isZero();
        s3.after(1).cutAnswer("GET .*gz HTTP", 1000, 1_000_000);
        s3.after(2).answer("GET .*gz HTTP", 1000, 500, "InternalError");
        Run load = load(stored());

        assertThat(load.exitCode()).isEqualTo(1);
        assertThat(load.script()).isEqualTo(1);
        assertThat(load.scriptReport().path("message").asText()).startsWith("cut: " + load.message());
    }

    @Test
    void removes_the_backup_and_what_was_begun_of_it() throws Exception {
        assertThat(backup().exitCode()).isZero();
        try (Bucket bucket = bucket()) {
            bucket.upload(KEY, PART_BYTES);
        }
        String sha256 = "--sha256=" + stored();
        assertThat(run("remove", null, CREDENTIALS, sha256).exitCode()).isZero();
        assertNothingIsLeft();
        assertThat(run("remove", null, CREDENTIALS, sha256).exitCode()).isZero();

        server.write(KEY, new byte[] {1});
        assertThat(run("remove", null, CREDENTIALS, "--sha256=").exitCode()).isZero();
        assertNothingIsLeft();
    }

    @Test
    void removes_binary_logs_that_follow_on_no_other_backup() throws Exception {
        assertThat(backup().exitCode()).isZero();
        String binlogs = KEY.substring(0, KEY.lastIndexOf('/')) + "/binlogs/";
        for (long number = 6; number <= 9; number++) {
            server.write(binlogs + "000000000" + number + ".gz", new byte[0]);
            server.write(
                    binlogs + "000000000" + number + ".json",
                    LogArchiveTest.described(number, 0, "").toJson());
        }
        String older = KEY.replace("first", "older");
        byte[] manifest =
                server.text(KEY + ".json").replace("0-100-7", "0-100-6").getBytes(UTF_8);
        try (Bucket bucket = bucket()) {
            server.write(older, new byte[0]);
            server.write(older + ".json", manifest);
            Upload begun = bucket.upload(KEY.replace("first", "next"), PART_BYTES);
            assertThat(remove(older)).isZero();
            assertThat(server.keys()).as("while another one is made").contains(binlogs + "0000000006.json");

            begun.abort();
            server.write(older + ".json", manifest);
            server.write(KEY.replace("first", "no") + ".json", "{".getBytes(UTF_8));
            assertThat(remove(older)).isZero();
            assertThat(server.keys()).as("while one cannot be read").contains(binlogs + "0000000006.json");

            server.remove(KEY.replace("first", "no") + ".json");
            assertThat(remove(older)).isZero();
        }
        assertThat(server.keys())
                .filteredOn(key -> key.startsWith(binlogs))
                .as("KEY holds 0-100-7, after which the eighth begins")
                .containsExactly(
                        binlogs + "0000000008.gz",
                        binlogs + "0000000008.json",
                        binlogs + "0000000009.gz",
                        binlogs + "0000000009.json");
    }

    private int remove(String key) throws Exception {
        return run("remove", null, CREDENTIALS, "--sha256=" + stored(), "--key=" + key)
                .exitCode();
    }

    @Test
    void removes_no_other_backup_of_the_same_name() throws Exception {
        assertThat(backup().exitCode()).isZero();
        assertThat(run("remove", null, CREDENTIALS, "--sha256=").exitCode()).isZero();
        assertThat(run("remove", null, CREDENTIALS, "--sha256=0").exitCode()).isZero();
        assertThat(server.keys()).hasSize(2);
    }
}
