package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.operator.mysqlcluster.bed.LocalServer;
import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.s3.BackupObjectCommand;
import io.busbar.operator.mysqlcluster.s3.S3Server;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Accounts;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.S3Storage;
import io.busbar.operator.mysqlcluster.v1alpha1.SecretRef;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Both containers of the Job that goes back to a moment, on real servers of MariaDB and a real S3 server. The archive is
 * made here, of the files of the server that was copied.
 */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMariaDb", disabledReason = Product.NEEDS_MARIADB)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplayScriptTest {

    static final Accounts SOURCE = accounts("source");
    private static final Accounts TARGET = accounts("target");
    private static final MySQLCluster CLUSTER = SampleBackups.cluster("size: 1");
    private static final String FOLDER = "mysql/ns/db/";

    @TempDir
    private static Path folder;

    ScriptServers servers;
    LocalServer source;
    LocalServer target;
    private S3Server s3;
    private BackupStorage storage;
    private MySQLBackup backup;
    private int archived;
    private String archivedTo = "";

    Product product() {
        return Product.MARIADB;
    }

    private static Accounts accounts(String cluster) {
        return new Accounts(
                new Account("root", cluster + "-root"),
                new Account(ClusterNames.OPERATOR, cluster + "-operator"),
                new Account(ClusterNames.REPLICATION, cluster + "-replication"),
                Optional.empty());
    }

    @BeforeAll
    void start() throws Exception {
        servers = new ScriptServers(product(), folder);
        source = servers.start("source", "127.0.6.", 100, SOURCE);
        target = servers.start("target", "127.0.6.", 110, TARGET);
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    /** A backup with the orders 1 and 2. */
    @BeforeEach
    void back_up() throws Exception {
        s3 = S3Server.start();
        storage = new BackupStorage(
                null,
                null,
                new S3Storage(
                        "http://127.0.0.1:" + s3.port(),
                        "us-east-1",
                        S3Server.BUCKET,
                        "mysql",
                        true,
                        new SecretRef("s3"),
                        null,
                        null));
        try (DatabaseServer server = servers.connect(source, SOURCE.operator())) {
            server.erase();
            server.seed("");
            server.makeWritable();
        }
        archived = 0;
        archivedTo = "";
        write("CREATE DATABASE shop; CREATE TABLE shop.orders (id INT PRIMARY KEY, note TEXT);"
                + "INSERT INTO shop.orders VALUES (1, 'one'), (2, 'two')");
        backup = SampleBackups.waiting("whole", "1");
        Job job = BackupJobs.backup(
                CLUSTER, backup, storage, "busbar", SampleBackups.source(ScriptServers.endpoint(source)));
        Run run = run(job, SOURCE.operator());
        assertThat(run.exitCode()).as(run.said().toString()).isZero();
        backup = SampleBackups.complete(
                backup,
                "2",
                run.said().path("sha256").asText(),
                run.said().path("gtid").asText());
        try (DatabaseServer server = servers.connect(target, TARGET.operator())) {
            server.makeReadOnly();
            server.erase();
        }
    }

    @AfterEach
    void close() throws Exception {
        s3.close();
    }

    @Test
    void all_of_a_second_is_there_and_nothing_of_the_next_one() throws Exception {
        write("INSERT INTO shop.orders VALUES (3, CONCAT('a\\0b', CHAR(13, 10), 'ü')); DELETE FROM shop.orders WHERE"
                + " id = 1;CREATE TABLE shop.more (i INT); CREATE USER app@'%' IDENTIFIED BY 'app';GRANT SELECT ON"
                + " shop.* TO app@'%'; CREATE PROCEDURE shop.two() SELECT 'x;\n"
                + "y'");
        archive();
        write("INSERT INTO shop.more VALUES (4)");
        long second = Long.parseLong(query(source, "SELECT UNIX_TIMESTAMP()").strip());
        while (Long.parseLong(query(source, "SELECT UNIX_TIMESTAMP()").strip()) <= second) {
            Thread.onSpinWait();
        }
        String sum = query(source, "SELECT SUM(CRC32(CONCAT(id, HEX(note)))) FROM shop.orders");
        String before = position();
        write("DROP TABLE shop.orders; INSERT INTO shop.more VALUES (5)");
        archive();

        Run run = load(new Until(Instant.ofEpochSecond(second).toString(), null));

        assertThat(run.exitCode()).as(run.said().toString()).isZero();
        assertThat(query(target, "SELECT SUM(CRC32(CONCAT(id, HEX(note)))) FROM shop.orders"))
                .isEqualTo(sum);
        assertThat(query(target, "SELECT i FROM shop.more")).isEqualTo("4\n");
        assertThat(servers.sql(target, new Account("app", "app"), "SELECT COUNT(*) FROM shop.orders"))
                .isEqualTo("2\n");
        assertThat(servers.state(target, TARGET.operator()).incomplete()).isTrue();
        assertThat(servers.state(target, TARGET.operator()).history().isEmpty()).isTrue();
        try (DatabaseServer server = servers.connect(target, TARGET.operator())) {
            server.seed(run.said().path("gtid").asText());
        }
        assertThat(position(target, TARGET)).as("of the moment").isEqualTo(before);
        assertThat(query(target, "SHOW DATABASES")).doesNotContain(DatabaseServer.MARK_OF_INCOMPLETE);
    }

    @Test
    void what_was_asked_for_by_GTID_is_there_and_no_more() throws Exception {
        write("INSERT INTO shop.orders VALUES (3, 'three')");
        archive();
        write("INSERT INTO shop.orders VALUES (4, 'four')");
        String wanted = position();
        write("INSERT INTO shop.orders VALUES (5, 'five')");
        archive();

        Run run = load(new Until(null, wanted));

        assertThat(run.exitCode()).as(run.said().toString()).isZero();
        assertThat(query(target, "SELECT MAX(id) FROM shop.orders")).isEqualTo("4\n");
        assertThat(run.said().path("gtid").asText()).isEqualTo(wanted);
    }

    @Test
    void the_operator_gets_in_whatever_the_logs_say_of_its_accounts() throws Exception {
        Account root = SOURCE.root();
        write("ALTER USER busbar_operator@'%' IDENTIFIED BY 'changed'; DROP USER busbar_replication@'%';"
                + "CREATE USER later@'%' IDENTIFIED BY 'later'; INSERT INTO shop.orders VALUES (3, 'three')");
        archive();
        try {
            Run run = load(new Until(
                    null,
                    position(
                            source,
                            new Accounts(
                                    root,
                                    new Account(ClusterNames.OPERATOR, "changed"),
                                    SOURCE.replication(),
                                    Optional.empty()))));
            assertThat(run.exitCode()).as(run.said().toString()).isZero();
            assertThat(servers.sql(target, TARGET.operator(), "SELECT MAX(id) FROM shop.orders"))
                    .isEqualTo("3\n");
            assertThat(servers.sql(target, TARGET.root(), "SELECT 1")).isEqualTo("1\n");
            assertThat(servers.sql(target, TARGET.replication(), "SELECT 1")).isEqualTo("1\n");
            assertThat(servers.sql(target, new Account("later", "later"), "SELECT 1"))
                    .isEqualTo("1\n");
            assertThat(query(target, "SHOW TABLES IN " + DatabaseServer.MARK_OF_INCOMPLETE))
                    .isEmpty();
        } finally {
            servers.sql(
                    source,
                    root,
                    "SET sql_log_bin = 0; ALTER USER busbar_operator@'%' IDENTIFIED BY 'source-operator';"
                            + "CREATE USER IF NOT EXISTS busbar_replication@'%' IDENTIFIED BY 'source-replication';"
                            + "DROP USER later@'%'");
        }
    }

    @Test
    void a_binary_log_that_was_changed_is_refused_before_anything_is_loaded() throws Exception {
        write("INSERT INTO shop.orders VALUES (3, 'three')");
        String wanted = position();
        archive();
        String key = FOLDER + "binlogs/0000000001.gz";
        byte[] bytes = s3.read(key);
        bytes[bytes.length / 2] ^= 1;
        s3.write(key, bytes);

        for (Until until : List.of(new Until(null, wanted), new Until("2500-01-01T00:00:00Z", null))) {
            Run check = run(BackupJobs.verify(CLUSTER, "job", stored(), until), TARGET.operator());
            assertThat(check.exitCode()).isNotZero();
            assertThat(check.said().path("message").asText())
                    .contains("0000000001.gz is not what it was when it was archived");
            assertThat(load(until).said().path("message").asText()).contains("is not what it was");
        }
        assertThat(query(target, "SHOW DATABASES")).doesNotContain("shop");
    }

    @Test
    void what_the_archive_does_not_reach_is_refused_before_anything_is_loaded() throws Exception {
        write("INSERT INTO shop.orders VALUES (3, 'three')");
        archive();
        String future = "2500-01-01T00:00:00Z";

        Run check = run(BackupJobs.verify(CLUSTER, "job", stored(), new Until(future, null)), TARGET.operator());

        assertThat(check.said().path("message").asText())
                .startsWith("the archive ends at 20")
                .contains("before " + future);
        assertThat(check.said().path("outOfReach").asText()).isEqualTo("true");
        assertThat(load(new Until("2000-01-01T00:00:00Z", null))
                        .said()
                        .path("message")
                        .asText())
                .contains("the backup was complete at")
                .contains("after 2000-01-01T00:00:00Z");
        write("INSERT INTO shop.orders VALUES (4, 'four')");
        assertThat(load(new Until(null, position())).said().path("message").asText())
                .contains("the archive does not have all of gtid");
        assertThat(query(target, "SHOW DATABASES")).doesNotContain("shop");
    }

    @Test
    void a_statement_that_fails_leaves_the_server_marked_and_the_operator_lets_itself_in() throws Exception {
        servers.sql(source, SOURCE.root(), "SET sql_log_bin = 0; CREATE TABLE shop.unlogged (i INT)");
        write("INSERT INTO shop.orders VALUES (3, 'three'); INSERT INTO shop.unlogged VALUES (1);"
                + "INSERT INTO shop.orders VALUES (4, 'four')");
        archive();

        Run run = load(new Until(null, position()));

        assertThat(run.exitCode()).isNotZero();
        assertThat(run.said().path("message").asText())
                .contains("could not be loaded into 127.0.6.110")
                .containsAnyOf("shop.unlogged", "unlogged' doesn't exist");
        assertThat(servers.state(target, TARGET.operator()).incomplete()).isTrue();
        assertThat(query(target, "SELECT MAX(id) FROM shop.orders")).isEqualTo("3\n");
    }

    /** The statement that is under way then takes as long at the server that it is replayed at. */
    @Test
    void what_is_killed_half_way_leaves_the_server_marked_and_another_one_has_all() throws Exception {
        write("INSERT INTO shop.orders VALUES (3, 'three'); SET SESSION binlog_format = 'STATEMENT';"
                + "INSERT INTO shop.orders SELECT 4, SLEEP(6); INSERT INTO shop.orders VALUES (5, 'five')");
        archive();
        Until until = new Until(null, position());

        CompletableFuture<Run> begun = CompletableFuture.supplyAsync(() -> {
            try {
                return load(until);
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        });
        String sleeping = "";
        while (sleeping.isEmpty() && !begun.isDone()) {
            sleeping =
                    query(target, "SELECT id FROM information_schema.processlist WHERE info LIKE 'INSERT % SLEEP(6)'");
        }
        assertThat(sleeping).as("the session that replays").isNotBlank();
        query(target, "KILL " + sleeping.strip());

        Run killed = begun.get();
        assertThat(killed.exitCode()).isNotZero();
        assertThat(killed.said().path("message").asText()).contains("could not be loaded into 127.0.6.110");
        assertThat(servers.state(target, TARGET.operator()).incomplete()).isTrue();
        assertThat(query(target, "SELECT MAX(id) FROM shop.orders")).isEqualTo("3\n");

        try (DatabaseServer server = servers.connect(target, TARGET.operator())) {
            server.erase();
        }
        Run again = load(until);
        assertThat(again.exitCode()).as(again.said().toString()).isZero();
        assertThat(query(target, "SELECT MAX(id) FROM shop.orders")).isEqualTo("5\n");
    }

    /** What both containers have come to. */
    record Run(int exitCode, JsonNode said) {}

    Run load(Until until) throws Exception {
        return run(
                BackupJobs.load(
                        CLUSTER,
                        "job",
                        stored(),
                        until,
                        ScriptServers.endpoint(target),
                        servers.state(target, TARGET.operator())),
                TARGET.operator());
    }

    private StoredBackup stored() {
        StoredBackup told = StoredBackup.of(backup, "busbar");
        return new StoredBackup(
                told.name(), storage, "busbar", FOLDER + "whole.sql.gz", told.sha256(), told.gtid(), true);
    }

    /** The one of the database's image, where there is one, and the one that reaches S3. */
    private Run run(Job job, Account account) throws Exception {
        Path pipe = Files.createTempDirectory(folder, "pipe");
        Path report = Files.createTempFile(folder, "report", ".json");
        List<String> arguments =
                new ArrayList<>(S3Containers.in(job).orElseThrow().getArgs());
        arguments.remove(0);
        arguments.addAll(arguments.size() - 1, List.of("--pipe=" + pipe, "--report=" + report));
        boolean isAlone = job.getSpec().getTemplate().getSpec().getContainers().size() == 1;
        CompletableFuture<ScriptRun> script = isAlone
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.supplyAsync(() -> script(job, account, pipe));
        int exitCode = new CommandLine(new BackupObjectCommand(Map.of(
                        "AWS_ACCESS_KEY_ID", S3Server.ACCESS_KEY_ID,
                        "AWS_SECRET_ACCESS_KEY", S3Server.SECRET_ACCESS_KEY)))
                .execute(arguments.toArray(String[]::new));
        ScriptRun loaded = script.get();
        JsonNode said = new ObjectMapper().readTree(Files.readString(report));
        boolean isLoadsWord = loaded != null && !loaded.report().isMissingNode() && !said.has("sha256");
        return new Run(exitCode + (loaded == null ? 0 : loaded.exitCode()), isLoadsWord ? loaded.report() : said);
    }

    private ScriptRun script(Job job, Account account, Path pipe) {
        try {
            return ScriptRun.of(job, account.password(), servers.programs, pipe, folder);
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Closes the binary log that is written to, and puts it into the bucket as the archive has it. */
    void archive() throws Exception {
        String name = query(source, "SHOW BINARY LOGS")
                .lines()
                .reduce((a, b) -> b)
                .orElseThrow()
                .split("\t", -1)[0];
        String start = archivedTo;
        servers.sql(source, SOURCE.root(), "FLUSH BINARY LOGS");
        archivedTo =
                position(source, new Accounts(SOURCE.root(), SOURCE.root(), SOURCE.replication(), Optional.empty()));
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(zipped)) {
            zip.write(Files.readAllBytes(folder.resolve("source").resolve(name)));
        }
        archived++;
        String key = String.format(Locale.ROOT, "%sbinlogs/%010d", FOLDER, archived);
        s3.write(key + ".gz", zipped.toByteArray());
        Map<String, Object> segment = Map.ofEntries(
                Map.entry("number", archived),
                Map.entry("start", start),
                Map.entry("end", archivedTo),
                Map.entry("server", "db-0"),
                Map.entry("file", name),
                Map.entry("sizeBytes", zipped.size()),
                Map.entry(
                        "sha256",
                        HexFormat.of()
                                .formatHex(MessageDigest.getInstance("SHA-256").digest(zipped.toByteArray()))),
                Map.entry("serverVersion", "10.11.18-MariaDB"),
                Map.entry("continues", archived > 1));
        s3.write(key + ".json", new ObjectMapper().writeValueAsString(segment).getBytes(StandardCharsets.UTF_8));
    }

    void write(String statements) throws Exception {
        servers.sql(source, SOURCE.root(), statements);
    }

    String query(LocalServer server, String statement) throws Exception {
        return servers.sql(
                server, server.address().equals(source.address()) ? SOURCE.root() : TARGET.root(), statement);
    }

    String position() throws Exception {
        return position(source, SOURCE);
    }

    private String position(LocalServer server, Accounts accounts) throws Exception {
        return servers.state(server, accounts.operator()).history().text();
    }
}
