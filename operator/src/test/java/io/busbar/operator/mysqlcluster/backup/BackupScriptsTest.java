package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.LocalServer;
import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Accounts;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of Jobs on real servers of MariaDB: one is copied, another one with other passwords is given the copy.
 */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMariaDb", disabledReason = Product.NEEDS_MARIADB)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BackupScriptsTest {

    private static final Accounts SOURCE = accounts("source");
    private static final Accounts TARGET = accounts("target");
    private static final MySQLCluster CLUSTER = SampleBackups.cluster("size: 1");

    @TempDir
    private static Path folder;

    private ScriptServers servers;
    private LocalServer source;
    private LocalServer target;
    private Path storage;

    /** That both servers and the servers.programs of Jobs are of. */
    Product product() {
        return Product.MARIADB;
    }

    private static Accounts accounts(String cluster) {
        return new Accounts(
                new Account("root", cluster + "-r'o\\ot"),
                new Account(ClusterNames.OPERATOR, cluster + "-operator"),
                new Account(ClusterNames.REPLICATION, cluster + "-replication"),
                Optional.empty());
    }

    @BeforeAll
    void start() throws Exception {
        servers = new ScriptServers(product(), folder);
        source = servers.start("source", "127.0.4.", 100, SOURCE);
        target = servers.start("target", "127.0.4.", 110, TARGET);
        servers.sql(
                source,
                SOURCE.root(),
                "CREATE DATABASE shop; CREATE TABLE shop.user (id INT PRIMARY KEY, note TEXT);"
                        + "INSERT INTO shop.user VALUES (1, 'a\\nUSE `mysql`;\\nDROP'), (2, 'ü');"
                        + "CREATE VIEW shop.notes AS SELECT note FROM shop.user;"
                        + "CREATE PROCEDURE shop.two() SELECT 2; CREATE DATABASE other; CREATE TABLE other.t (i INT);"
                        + "CREATE USER app@'%' IDENTIFIED BY 'app'; GRANT SELECT, EXECUTE ON shop.* TO app@'%';");
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    @BeforeEach
    void empty() throws Exception {
        storage = Files.createTempDirectory(folder, "storage");
        try (DatabaseServer server = servers.connect(target, TARGET.operator())) {
            server.makeReadOnly();
            server.erase();
        }
    }

    @Test
    void a_copy_holds_rows_routines_and_accounts_and_the_accounts_of_the_cluster_that_gets_it_stay() throws Exception {
        MySQLBackup backup = backup("whole");
        ScriptRun load = load(backup);

        assertThat(load.exitCode()).as(load.report().toString()).isZero();
        assertThat(servers.sql(target, TARGET.root(), "SELECT COUNT(*), SUM(CRC32(note)) FROM shop.user"))
                .isEqualTo(servers.sql(source, SOURCE.root(), "SELECT COUNT(*), SUM(CRC32(note)) FROM shop.user"));
        assertThat(servers.sql(target, new Account("app", "app"), "CALL shop.two(); SELECT COUNT(*) FROM shop.notes"))
                .isEqualTo("2\n2\n");
        assertThat(servers.sql(target, TARGET.operator(), "SELECT User FROM mysql.user WHERE Host = '%' ORDER BY User"))
                .isEqualTo("app\nbusbar_operator\nbusbar_replication\nroot\n");
        assertThat(servers.sql(target, TARGET.operator(), "SHOW TABLES IN mysql LIKE 'restored%'"))
                .isEmpty();
        try (DatabaseServer server = servers.connect(target, TARGET.operator())) {
            assertThat(server.observe().isBlank()).isTrue();
            server.seed(backup.told().gtid());
            assertThat(server.observe().history().text())
                    .isEqualTo(backup.told().gtid())
                    .isEqualTo(servers.state(source, SOURCE.root()).history().text())
                    .isNotEmpty();
        }
    }

    @Test
    void some_databases_come_without_the_others_and_without_accounts() throws Exception {
        ScriptRun load = load(backup("some", "shop"));

        assertThat(load.exitCode()).as(load.report().toString()).isZero();
        assertThat(servers.sql(target, TARGET.root(), "SHOW DATABASES"))
                .contains("shop")
                .doesNotContain("other");
    }

    @Test
    void a_file_that_was_changed_is_refused_before_anything_is_loaded() throws Exception {
        MySQLBackup backup = backup("changed");
        byte[] bytes = Files.readAllBytes(file(backup));
        bytes[bytes.length / 2] ^= 1;
        Files.write(file(backup), bytes);
        ScriptRun load = load(backup);

        assertThat(load.exitCode()).isNotZero();
        assertThat(load.said("message")).contains("is not what it was when the backup was made");
        assertThat(servers.sql(target, TARGET.root(), "SHOW DATABASES")).doesNotContain("shop");
        assertThat(verify(backup).exitCode()).isNotZero();
    }

    @Test
    void a_dump_that_was_cut_off_is_not_complete() throws Exception {
        MySQLBackup backup = backup("cut");
        String dump = unzipped(file(backup));
        MySQLBackup cut = replaced(backup, dump.substring(0, dump.lastIndexOf("-- Dump completed")));

        assertThat(verify(cut).said("message")).contains("is not complete");
        assertThat(verify(replaced(backup, dump)).exitCode()).isZero();
    }

    @Test
    void the_operator_is_never_locked_out_by_a_load_that_ends_half_way() throws Exception {
        MySQLBackup backup = backup("half");
        String dump = unzipped(file(backup));
        int middle = dump.indexOf("Current Database: `shop`");
        ScriptRun load = load(replaced(
                backup,
                dump.substring(0, middle) + "\nFLUSH PRIVILEGES;\nno such statement;\n-- " + dump.substring(middle)));

        assertThat(load.exitCode()).isNotZero();
        assertThat(load.said("message")).contains("could not be loaded").contains("error in your SQL syntax");
        assertThat(servers.sql(target, TARGET.root(), "SELECT 1")).isEqualTo("1\n");
        assertThat(servers.state(target, TARGET.operator()).incomplete()).isTrue();
        try (DatabaseServer server = servers.connect(target, TARGET.operator())) {
            server.erase();
        }
        assertThat(load(replaced(backup, dump)).exitCode()).isZero();
        assertThat(servers.sql(target, new Account("app", "app"), "SELECT COUNT(*) FROM shop.user"))
                .isEqualTo("2\n");
    }

    @Test
    void nothing_is_loaded_into_a_server_that_is_not_as_it_was_when_it_was_erased() throws Exception {
        MySQLBackup backup = backup("late");
        Job job = BackupJobs.load(
                CLUSTER,
                "job",
                StoredBackup.of(backup, ""),
                Until.THE_BACKUP,
                ScriptServers.endpoint(target),
                servers.state(target, TARGET.operator()));
        try (DatabaseServer server = servers.connect(target, TARGET.operator())) {
            server.seed("");
            assertThat(load(job).said("message")).contains("nothing of 127.0.4.110 was touched", "it is complete");
            server.erase();
            server.makeWritable();
            assertThat(load(job).said("message")).contains("nothing of 127.0.4.110 was touched", "it is writable");
            servers.sql(target, TARGET.root(), "CREATE DATABASE written");
            server.makeReadOnly();
            assertThat(load(job).said("message"))
                    .contains("nothing of 127.0.4.110 was touched", "and was at '' when this was decided");
        }
        assertThat(servers.sql(target, TARGET.root(), "SHOW DATABASES"))
                .contains("written")
                .doesNotContain("shop");
    }

    @Test
    void no_file_is_there_of_a_backup_that_failed_and_what_a_killed_one_left_goes() throws Exception {
        Path left = Files.createDirectories(storage.resolve("db")).resolve(".killed.sql.gz.partial");
        Files.writeString(left, "half");
        MySQLBackup backup = SampleBackups.waiting("denied", "1");
        ScriptRun run = ScriptRun.of(
                BackupJobs.backup(
                        CLUSTER,
                        backup,
                        SampleBackups.HOST_PATH,
                        "",
                        SampleBackups.source(ScriptServers.endpoint(source))),
                "wrong",
                servers.programs,
                storage,
                folder);

        assertThat(run.exitCode()).isNotZero();
        assertThat(run.said("message")).contains("cannot be asked").contains("Access denied");
        try (Stream<Path> files = Files.list(storage.resolve("db"))) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void a_replica_gives_a_backup_once_it_has_all_that_the_primary_had_when_it_began() throws Exception {
        LocalServer primary = source;
        LocalServer replica = target;
        Job job = BackupJobs.backup(
                CLUSTER,
                SampleBackups.waiting("behind", "1"),
                SampleBackups.HOST_PATH,
                "",
                SampleBackups.replica(ScriptServers.endpoint(replica), ScriptServers.endpoint(primary)));
        ClusterJobs.variable(job, "POSITION_PATIENCE", "2");
        String had = servers.state(primary, SOURCE.root()).history().text();
        try (DatabaseServer server = servers.connect(replica, TARGET.operator())) {
            server.makeWritable();
        }
        servers.sql(replica, TARGET.root(), "ALTER USER busbar_operator@'%' IDENTIFIED BY 'source-operator'");
        try (DatabaseServer server = servers.connect(replica, SOURCE.operator())) {
            server.seed("");
            ScriptRun early = ScriptRun.of(job, SOURCE.operator().password(), servers.programs, storage, folder);
            assertThat(early.exitCode()).isNotZero();
            assertThat(early.said("message")).contains("127.0.4.110", "does not come to have all of '" + had + "'");

            server.erase();
            server.seed(had);
            ScriptRun whole = ScriptRun.of(job, SOURCE.operator().password(), servers.programs, storage, folder);
            assertThat(whole.exitCode()).as(whole.report().toString()).isZero();
            assertThat(whole.said("gtid")).isEqualTo(had);
        } finally {
            servers.sql(replica, TARGET.root(), "ALTER USER busbar_operator@'%' IDENTIFIED BY 'target-operator'");
        }
    }

    @Test
    void a_primary_that_is_away_is_not_waited_for() throws Exception {
        Job job = BackupJobs.backup(
                CLUSTER,
                SampleBackups.waiting("alone", "1"),
                SampleBackups.HOST_PATH,
                "",
                SampleBackups.replica(ScriptServers.endpoint(source), new Endpoint("127.0.4.199", 3306)));
        ScriptRun run = ScriptRun.of(job, SOURCE.operator().password(), servers.programs, storage, folder);

        assertThat(run.exitCode()).as(run.report().toString()).isZero();
        assertThat(run.said("gtid"))
                .isEqualTo(servers.state(source, SOURCE.root()).history().text());
    }

    @Test
    void a_file_that_is_there_is_never_written_over_and_goes_when_it_is_removed() throws Exception {
        MySQLBackup backup = backup("twice");
        ScriptRun again = ScriptRun.of(
                BackupJobs.backup(
                        CLUSTER,
                        backup,
                        SampleBackups.HOST_PATH,
                        "",
                        SampleBackups.source(ScriptServers.endpoint(source))),
                SOURCE.operator().password(),
                servers.programs,
                storage,
                folder);

        assertThat(again.said("message")).contains("db/twice.sql.gz is there already");
        assertThat(verify(backup).exitCode()).isZero();
        Files.writeString(storage.resolve("db/.twice.sql.gz.partial"), "half");
        Job removal = BackupJobs.remove(CLUSTER, backup, SampleBackups.HOST_PATH, "");
        assertThat(ScriptRun.of(removal, "", servers.programs, storage, folder).exitCode())
                .isZero();
        assertThat(storage).isEmptyDirectory();
    }

    @Test
    void a_copy_that_gives_back_all_that_it_holds_is_verified_without_any_server_of_the_cluster() throws Exception {
        ScriptRun whole = trial(backup("good"));
        assertThat(whole.said("verdict")).as(whole.report().toString()).isEqualTo("Verified");
        assertThat(whole.said("message"))
                .matches("db/good.sql.gz was loaded, and [0-9]+ parts .* came back as they were");

        ScriptRun some = trial(backup("some-of-it", "shop"));
        assertThat(some.said("verdict")).as(some.report().toString()).isEqualTo("Verified");
        assertThat(servers.sql(target, TARGET.root(), "SHOW DATABASES")).doesNotContain("shop");
    }

    @Test
    void a_trial_says_whether_a_file_cannot_be_read_or_not_be_loaded_or_gives_back_something_else() throws Exception {
        MySQLBackup backup = backup("tried");
        String dump = unzipped(file(backup));
        String end = "-- Dump completed";

        MySQLBackup cut = replaced(backup, dump.substring(0, dump.lastIndexOf(end)));
        assertThat(trial(cut).report().toString()).contains("Unreadable", "is not complete");
        MySQLBackup strange = replaced(backup, dump.replace(end, "no such statement;\n" + end));
        assertThat(trial(strange).report().toString()).contains("NotLoaded", "error in your SQL syntax");
        MySQLBackup poorer = replaced(backup, dump.replace(end, "DELETE FROM shop.user WHERE id = 1;\n" + end));
        assertThat(trial(poorer).report().toString()).contains("Different", "the rows of `shop`.`user`");
        MySQLBackup twice = replaced(backup, dump.replace(end, "CREATE TABLE other.more (i INT);\n" + end));
        assertThat(trial(twice).report().toString()).contains("Different", "`other`.`more`");
        MySQLBackup same = replaced(backup, dump);
        MySQLBackup later =
                SampleBackups.complete(same, "2", String.valueOf(same.told().sha256()), "0-100-1");
        assertThat(trial(later).report().toString()).contains("Different", "not at what its backup tells");
        Files.write(file(backup), new byte[] {1, 2, 3});
        assertThat(trial(backup).report().toString())
                .contains("Unreadable", "is not what it was when the backup was made");
        Files.delete(file(backup));
        assertThat(trial(backup).report().toString()).contains("Unreadable", "there is no file");
    }

    @Test
    void of_a_dump_by_another_version_the_rows_are_compared() throws Exception {
        MySQLBackup backup = backup("older");
        String older = unzipped(file(backup)).replaceFirst("(-- Server version\t)[0-9]+", "$14");
        String otherwise = older.replace(" `note` text", " `note` TEXT");

        assertThat(otherwise).isNotEqualTo(older);
        assertThat(trial(replaced(backup, otherwise)).report().toString()).contains("Verified");
        String poorer =
                otherwise.replace("-- Dump completed", "DELETE FROM shop.user WHERE id = 1;\n-- Dump completed");
        assertThat(trial(replaced(backup, poorer)).report().toString())
                .contains("Different", "the rows of `shop`.`user`");
    }

    /** Says what it has found, and ends well, whatever that is. */
    private ScriptRun trial(MySQLBackup backup) throws IOException, InterruptedException {
        Job job = BackupJobs.trial(CLUSTER, backup, StoredBackup.of(backup, ""), "now");
        ScriptRun run = ScriptRun.of(job, "", servers.programs, storage, folder);
        assertThat(run.exitCode()).as(run.report().toString()).isZero();
        return run;
    }

    /** As the operator would make it, and tell of it. */
    private MySQLBackup backup(String name, String... databases) throws IOException, InterruptedException {
        MySQLBackup backup = SampleBackups.waiting(name, "1", databases);
        ScriptRun run = ScriptRun.of(
                BackupJobs.backup(
                        CLUSTER,
                        backup,
                        SampleBackups.HOST_PATH,
                        "",
                        SampleBackups.source(ScriptServers.endpoint(source))),
                SOURCE.operator().password(),
                servers.programs,
                storage,
                folder);
        assertThat(run.exitCode()).as(run.report().toString()).isZero();
        assertThat(run.said("sizeBytes")).isEqualTo(String.valueOf(Files.size(storage.resolve(run.said("file")))));
        return SampleBackups.complete(backup, "2", run.said("sha256"), run.said("gtid"));
    }

    private ScriptRun verify(MySQLBackup backup) throws IOException, InterruptedException {
        return ScriptRun.of(
                BackupJobs.verify(CLUSTER, "job", StoredBackup.of(backup, ""), Until.THE_BACKUP),
                "",
                servers.programs,
                storage,
                folder);
    }

    private ScriptRun load(MySQLBackup backup) throws IOException, InterruptedException {
        return load(BackupJobs.load(
                CLUSTER,
                "job",
                StoredBackup.of(backup, ""),
                Until.THE_BACKUP,
                ScriptServers.endpoint(target),
                servers.state(target, TARGET.operator())));
    }

    private ScriptRun load(Job job) throws IOException, InterruptedException {
        return ScriptRun.of(job, TARGET.operator().password(), servers.programs, storage, folder);
    }

    private Path file(MySQLBackup backup) {
        return storage.resolve(StoredBackup.of(backup, "").file());
    }

    /** Another content, told of as if it had always been there. */
    private MySQLBackup replaced(MySQLBackup backup, String dump) throws Exception {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(zipped)) {
            zip.write(dump.getBytes(StandardCharsets.UTF_8));
        }
        Files.write(file(backup), zipped.toByteArray());
        String sha256 =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(zipped.toByteArray()));
        return SampleBackups.complete(
                backup, "2", sha256, String.valueOf(backup.told().gtid()));
    }

    private static String unzipped(Path file) throws IOException {
        try (GZIPInputStream zip = new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
            return new String(zip.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
