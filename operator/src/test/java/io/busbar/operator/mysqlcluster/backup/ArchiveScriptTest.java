package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.operator.mysqlcluster.bed.LocalServer;
import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.s3.BackupObjectCommand;
import io.busbar.operator.mysqlcluster.s3.FaultyS3;
import io.busbar.operator.mysqlcluster.s3.S3Server;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.v1alpha1.S3Storage;
import io.busbar.operator.mysqlcluster.v1alpha1.SecretRef;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Both containers of the Job that archives binary logs, with real servers of MariaDB and S3. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMariaDb", disabledReason = Product.NEEDS_MARIADB)
class ArchiveScriptTest {

    @TempDir
    Path folder;

    private ScriptServers servers;
    private LocalServer primary;
    S3Server bucket;
    private FaultyS3 s3;

    Product product() {
        return Product.MARIADB;
    }

    @BeforeEach
    void start() throws Exception {
        bucket = S3Server.start();
        s3 = new FaultyS3(bucket.port());
        servers = new ScriptServers(product(), folder);
        primary = servers.start("primary", "127.0.8.", 100, CloneScriptTest.ACCOUNTS);
        sql("CREATE DATABASE shop; CREATE TABLE shop.orders (id INT PRIMARY KEY, note TEXT)");
    }

    @AfterEach
    void stop() throws Exception {
        servers.close();
        s3.close();
        bucket.close();
    }

    String sql(String statements) throws Exception {
        return servers.sql(primary, CloneScriptTest.ACCOUNTS.operator(), statements);
    }

    void insert(int... ids) throws Exception {
        for (int id : ids) {
            sql("INSERT INTO shop.orders VALUES (" + id + ", 'order no. " + id + " ends here')");
        }
    }

    /** What both containers have come to. */
    record Run(int exitCode, JsonNode report, int script, String scriptReport) {

        String said(String key) {
            return report.path(key).asText();
        }
    }

    Run archive() throws Exception {
        return archive(primary);
    }

    private Run archive(LocalServer server) throws Exception {
        S3Storage storage = new S3Storage(
                s3.endpoint().toString(), "us-east-1", S3Server.BUCKET, null, true, new SecretRef("s3"), null, null);
        Job job = BackupJobs.archive(
                SampleBackups.cluster("size: 1"), storage, "busbar:1", "db-0", ScriptServers.endpoint(server), 0);
        Path pipe = Files.createTempDirectory(folder, "pipe");
        Path report = Files.createTempFile(folder, "report", ".json");
        Path scriptReport = Files.createTempFile(folder, "script", ".json");
        ProcessBuilder builder = new ProcessBuilder(ClusterJobs.container(job).getCommand())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        for (EnvVar variable : ClusterJobs.container(job).getEnv()) {
            if (variable.getValue() != null) {
                builder.environment().put(variable.getName(), variable.getValue());
            }
        }
        builder.environment()
                .putAll(Map.of(
                        "PATH", servers.programs.path(),
                        "MYSQL_PWD", CloneScriptTest.ACCOUNTS.operator().password(),
                        "PIPE", pipe.toString(),
                        "TERMINATION_LOG", scriptReport.toString(),
                        "TMPDIR", folder.toString()));
        Process script = builder.start();
        List<String> arguments = new ArrayList<>(
                S3Containers.in(job).orElseThrow().getArgs().stream().skip(1).toList());
        arguments.addAll(0, List.of("--pipe=" + pipe, "--report=" + report));
        Map<String, String> variables = new HashMap<>(Map.of(
                "AWS_ACCESS_KEY_ID", S3Server.ACCESS_KEY_ID,
                "AWS_SECRET_ACCESS_KEY", S3Server.SECRET_ACCESS_KEY,
                "MYSQL_PWD", CloneScriptTest.ACCOUNTS.operator().password()));
        for (EnvVar variable : S3Containers.in(job).orElseThrow().getEnv()) {
            if (variable.getValue() != null) {
                variables.put(variable.getName(), variable.getValue());
            }
        }
        int exitCode = new CommandLine(new BackupObjectCommand(variables)).execute(arguments.toArray(String[]::new));
        int scriptCode = script.waitFor();
        return new Run(
                exitCode,
                new ObjectMapper().readTree(Files.readString(report)),
                scriptCode,
                Files.readString(scriptReport));
    }

    Run archived(Run run) {
        assertThat(run.exitCode()).as("%s %s", run.report(), run.scriptReport()).isZero();
        assertThat(run.script()).as(run.scriptReport()).isZero();
        return run;
    }

    private List<JsonNode> segments() throws Exception {
        List<JsonNode> all = new ArrayList<>();
        for (String key : bucket.keys()) {
            if (key.endsWith(".json")) {
                all.add(new ObjectMapper().readTree(bucket.text(key)));
            }
        }
        return all;
    }

    /** The statements of all segments, in order, as the product's own program reads them. */
    private String decoded() throws Exception {
        StringBuilder text = new StringBuilder();
        for (String key : bucket.keys()) {
            if (key.endsWith(".gz")) {
                Path raw = folder.resolve("raw");
                Files.write(raw, new GZIPInputStream(new ByteArrayInputStream(bucket.read(key))).readAllBytes());
                text.append(decoded(raw));
            }
        }
        return text.toString();
    }

    private String decoded(Path raw) throws Exception {
        String program = product() == Product.MARIADB
                ? "mariadb-binlog"
                : servers.programs.client().get(0) + "binlog";
        Process reader = new ProcessBuilder(
                        program, "--no-defaults", "--base64-output=DECODE-ROWS", "-vv", raw.toString())
                .redirectError(folder.resolve("reader").toFile())
                .start();
        String said = new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(reader.waitFor())
                .as(Files.readString(folder.resolve("reader")))
                .isZero();
        return said;
    }

    private void assertEachOnce(int... ids) throws Exception {
        String decoded = decoded();
        List<Integer> at = new ArrayList<>();
        for (int id : ids) {
            // Statements and rows both quote it, and one of them has it.
            List<String> lines = decoded.lines()
                    .filter(line -> line.contains("'order no. " + id + " ends here'"))
                    .toList();
            assertThat(lines).as("order %d", id).hasSize(1);
            at.add(decoded.indexOf("'order no. " + id + " ends here'"));
        }
        assertThat(at).isSorted();
    }

    @Test
    void each_write_is_archived_once_in_order_and_what_is_archived_already_is_left() throws Exception {
        Instant before = Instant.now().minusSeconds(1);
        insert(1, 2);
        sql("FLUSH BINARY LOGS");
        insert(3);
        Run first = archived(archive());
        assertThat(first.said("broken")).isEmpty();
        assertEachOnce(1, 2, 3);

        Run again = archived(archive());
        assertThat(again.said("segments")).isEqualTo("0");
        assertThat(again.said("position")).isEqualTo(first.said("position"));

        insert(4);
        sql("FLUSH BINARY LOGS");
        sql("FLUSH BINARY LOGS");
        insert(5);
        Run more = archived(archive());
        assertThat(more.said("segments"))
                .as("what has no transaction is left out")
                .isEqualTo("2");
        assertEachOnce(1, 2, 3, 4, 5);

        List<JsonNode> segments = segments();
        assertThat(more.said("lastSegment")).isEqualTo(String.valueOf(segments.size()));
        assertThat(more.said("since")).isEqualTo("1");
        for (int i = 0; i < segments.size(); i++) {
            JsonNode segment = segments.get(i);
            assertThat(segment.path("number").asInt()).isEqualTo(i + 1);
            assertThat(segment.path("server").asText()).isEqualTo("db-0");
            assertThat(segment.path("continues").asBoolean()).isEqualTo(i > 0);
            assertThat(segment.path("since").asInt()).isEqualTo(1);
            if (i > 0) {
                assertThat(segment.path("start").asText())
                        .isEqualTo(segments.get(i - 1).path("end").asText());
                assertThat(Instant.parse(segment.path("firstEventTime").asText()))
                        .isBeforeOrEqualTo(
                                Instant.parse(segment.path("lastEventTime").asText()))
                        .isAfterOrEqualTo(before)
                        .isBeforeOrEqualTo(Instant.now());
            }
        }
        assertThat(segments.get(segments.size() - 1).path("end").asText())
                .isEqualTo(more.said("position"))
                .isEqualTo(servers.state(primary, CloneScriptTest.ACCOUNTS.operator())
                        .history()
                        .text());
    }

    @Test
    void it_goes_on_after_its_first_segments_have_gone_with_the_backups_that_they_followed_on() throws Exception {
        for (int id = 1; id <= 3; id++) {
            insert(id);
            archived(archive());
        }
        List<JsonNode> all = segments();
        bucket.keys().stream()
                .filter(key -> key.contains("/0000000001.") || key.contains("/0000000002."))
                .forEach(bucket::remove);
        insert(4);
        Run more = archived(archive());

        assertThat(more.said("broken")).isEmpty();
        assertThat(more.said("since")).as("it is one history still").isEqualTo("1");
        assertThat(more.said("sincePosition"))
                .isEqualTo(all.get(2).path("start").asText());
        assertThat(more.said("sinceTime"))
                .isEqualTo(all.get(2).path("firstEventTime").asText());
    }

    @Test
    void a_gap_is_told_and_what_is_left_is_archived_from_there_on() throws Exception {
        insert(1);
        archived(archive());
        String archived = segments().get(segments().size() - 1).path("end").asText();
        insert(2);
        sql("FLUSH BINARY LOGS");
        insert(3);
        String current = sql("SHOW BINARY LOGS")
                .lines()
                .reduce((a, b) -> b)
                .orElseThrow()
                .split("\t", -1)[0];
        sql("PURGE BINARY LOGS TO '" + current + "'");
        int before = segments().size();

        Run run = archived(archive());
        assertThat(run.said("broken")).as(run.report().toString()).isEqualTo("Gap");
        assertThat(run.said("message")).contains("the archive ends at '" + archived + "'");
        assertThat(run.said("since")).isEqualTo(String.valueOf(before + 1));
        assertThat(segments().get(before).path("continues").asBoolean()).isFalse();
        assertThat(run.said("sincePosition"))
                .isEqualTo(segments().get(before).path("start").asText());
        assertEachOnce(1, 3);

        insert(4);
        Run next = archived(archive());
        assertThat(next.said("broken")).isEmpty();
        assertThat(next.said("since")).isEqualTo(String.valueOf(before + 1));
    }

    @Test
    void a_replica_that_takes_over_goes_on_without_a_gap() throws Exception {
        insert(1);
        archived(archive());
        LocalServer next = seeded(primary, "next", 101);
        insert(2);
        try (DatabaseServer server = servers.connect(next, CloneScriptTest.ACCOUNTS.operator())) {
            server.follow(ScriptServers.endpoint(primary), CloneScriptTest.ACCOUNTS.replication(), false);
            assertThat(server.awaitApplied(
                            servers.state(primary, CloneScriptTest.ACCOUNTS.operator())
                                    .history(),
                            Duration.ofSeconds(60)))
                    .isTrue();
            server.stopFollowing();
            server.makeWritable();
        }
        primary = next;
        insert(3);
        Run run = archived(archive());
        assertThat(run.said("broken")).as(run.report().toString()).isEmpty();
        assertThat(run.said("since")).isEqualTo("1");
        assertEachOnce(1, 2, 3);
    }

    /** Its first file says of itself that it begins with nothing, or with what it was given. */
    @Test
    void a_server_that_was_given_what_is_not_archived_makes_a_gap() throws Exception {
        insert(1);
        archived(archive());
        insert(2);
        primary = seeded(primary, "next", 101);
        insert(3);
        Run run = archived(archive());
        assertThat(run.said("broken")).as(run.report().toString()).isEqualTo("Gap");
        insert(4);
        assertThat(archived(archive()).said("broken")).isEmpty();
    }

    @Test
    void a_server_that_lacks_what_is_archived_makes_a_fork() throws Exception {
        insert(1);
        String position = servers.state(primary, CloneScriptTest.ACCOUNTS.operator())
                .history()
                .text();
        insert(2);
        Run first = archived(archive());
        primary = seeded("next", 101, position);
        sql("DELETE FROM shop.orders");
        insert(3);
        Run run = archived(archive());
        assertThat(run.said("broken")).as(run.report().toString()).isEqualTo("Fork");
        assertThat(run.said("message")).contains(first.said("position"), run.said("position"));
        assertThat(segments()
                        .get(Integer.parseInt(first.said("lastSegment")))
                        .path("continues")
                        .asBoolean())
                .isFalse();
        assertThat(archived(archive()).said("segments")).isEqualTo("0");
    }

    /** Another server with the same tables, that stands where this one stands, and has nothing in its binary log. */
    private LocalServer seeded(LocalServer donor, String name, int serverId) throws Exception {
        return seeded(
                name,
                serverId,
                servers.state(donor, CloneScriptTest.ACCOUNTS.operator())
                        .history()
                        .text());
    }

    private LocalServer seeded(String name, int serverId, String position) throws Exception {
        LocalServer server = servers.start(name, "127.0.8.", serverId, CloneScriptTest.ACCOUNTS);
        try (DatabaseServer session = servers.connect(server, CloneScriptTest.ACCOUNTS.operator())) {
            session.makeReadOnly();
            session.erase();
            servers.sql(
                    server,
                    CloneScriptTest.ACCOUNTS.operator(),
                    "SET SESSION sql_log_bin = 0; CREATE DATABASE shop;"
                            + " CREATE TABLE shop.orders (id INT PRIMARY KEY, note TEXT)");
            session.seed(position);
            session.makeWritable();
        }
        return server;
    }

    @Test
    void a_segment_is_whole_or_absent_whatever_happens_to_the_bucket() throws Exception {
        insert(1);
        s3.answer("PUT .*partNumber", 1, 500, "InternalError");
        s3.cutRequest("PUT .*json", 1);
        archived(archive());
        int before = segments().size();

        insert(2);
        s3.mend();
        s3.answer("PUT .*json", 1000, 507, "XMinioStorageFull");
        Run full = archive();
        assertThat(full.exitCode()).isEqualTo(1);
        assertThat(full.said("message")).contains("507 XMinioStorageFull");
        assertThat(full.script()).isNotZero();
        assertThat(full.scriptReport()).isEmpty();
        assertThat(segments()).hasSize(before);
        assertThat(bucket.openUploads()).isZero();

        s3.mend();
        archived(archive());
        assertEachOnce(1, 2);
    }

    @Test
    void a_server_that_takes_no_writes_is_not_archived() throws Exception {
        sql("SET GLOBAL read_only = 1");
        Run run = archive();
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.scriptReport()).contains("is not the primary any more");
        assertThat(bucket.keys()).isEmpty();
    }
}
