package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.busbar.common.internal.certificate.CertificateIssuer;
import io.busbar.common.internal.certificate.Pem;
import io.busbar.operator.mysqlcluster.bed.LocalServer;
import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.busbar.operator.mysqlcluster.objects.DataFiles;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.PhysicalCopy;
import io.busbar.operator.mysqlcluster.sql.PhysicalCopy.Stage;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command of the containers that copy data files, on real servers of MariaDB: a member has all that it had, or all
 * that its donor had at one moment, whenever anything ends.
 */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMariaDb", disabledReason = Product.NEEDS_MARIADB)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class DataFilesScriptTest {

    private static final String DONOR = "localhost";

    @TempDir
    static Path folder;

    private ScriptServers servers;
    private LocalServer donor;
    private final List<Process> running = new ArrayList<>();
    private Path programs;
    private Path member;
    private Path takersPassword;
    private int port;

    @BeforeAll
    void start() throws Exception {
        for (String tool : List.of("mariadb-backup", "mbstream", "socat")) {
            assumeThat(Path.of("/usr/bin", tool)).exists();
        }
        servers = new ScriptServers(Product.MARIADB, folder);
        donor = servers.start("donor", "127.0.0.", 1, CloneScriptTest.ACCOUNTS);
        servers.sql(
                donor,
                CloneScriptTest.ACCOUNTS.root(),
                "CREATE DATABASE shop; CREATE TABLE shop.orders (id INT PRIMARY KEY, note TEXT);"
                        + "INSERT INTO shop.orders VALUES (1, 'one'), (2, 'two');"
                        + "CREATE TABLE shop.old (id INT) ENGINE = MyISAM; INSERT INTO shop.old VALUES (3);"
                        + "CREATE EVENT shop.sweep ON SCHEDULE EVERY 1 HOUR DO SET @a = 1;"
                        + "CREATE EVENT shop.never ON SCHEDULE EVERY 1 DAY DISABLE DO SET @b = 1;"
                        // As who puts back what another server wrote.
                        + "SET SESSION server_id = 77; INSERT INTO shop.old VALUES (4)");
        Files.writeString(
                folder.resolve("password"), CloneScriptTest.ACCOUNTS.operator().password());
    }

    /** With data of its own. */
    @BeforeEach
    void make_a_member_that_is_asked_to_take_the_files() throws Exception {
        try (ServerSocket any = new ServerSocket(0)) {
            port = any.getLocalPort();
        }
        programs = Files.createTempDirectory(folder, "programs");
        takersPassword = folder.resolve("password");
        String name = "member-" + port;
        member = folder.resolve(name);
        LocalServer server = servers.start(name, "127.0.7.", 110, CloneScriptTest.ACCOUNTS);
        servers.sql(server, CloneScriptTest.ACCOUNTS.root(), "CREATE DATABASE mine; SET GLOBAL read_only = ON");
        try (DatabaseServer session = servers.connect(server, CloneScriptTest.ACCOUNTS.operator())) {
            session.beginCopy(ScriptServers.endpoint(donor), CloneScriptTest.ACCOUNTS.replication());
            assertThat(session.observe().copy())
                    .hasValueSatisfying(copy -> assertThat(copy.stage()).isEqualTo(Stage.WAITING));
        }
        server.stop();
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : running) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        running.clear();
    }

    @AfterAll
    void stop() {
        if (servers != null) {
            servers.close();
        }
    }

    private static PodSpec pod() {
        MySQLCluster cluster = Serialization.unmarshal(
                "metadata: {name: db, namespace: shop}\nspec: {image: 'mariadb:10.11'}", MySQLCluster.class);
        return new ClusterObjects(cluster)
                .statefulSet(1)
                .getSpec()
                .getTemplate()
                .getSpec();
    }

    private Process run(Container container, String address, Path data, String certificates) throws IOException {
        List<String> command = new ArrayList<>(container.getCommand());
        command.addAll(container.getArgs());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        for (EnvVar variable : container.getEnv()) {
            builder.environment().put(variable.getName(), String.valueOf(variable.getValue()));
        }
        builder.environment().put("PATH", programs + ":" + servers.programs.path());
        builder.environment().put("POD_IP", address);
        builder.environment().put("DATA", data.toString());
        builder.environment().put("PORT", Integer.toString(port));
        builder.environment().put("ADMINISTRATION_PORT", Integer.toString(donor.port()));
        Path password = DataFiles.TAKES.equals(container.getName()) ? takersPassword : folder.resolve("password");
        builder.environment().put("PASSWORD_FILE", password.toString());
        builder.environment().put("CERTIFICATES", folder.resolve(certificates).toString());
        builder.environment().put("TMPDIR", folder.toString());
        Process process = builder.start();
        running.add(process);
        return process;
    }

    private void give(String certificates) throws Exception {
        Process giver = run(
                pod().getContainers().stream()
                        .filter(container -> DataFiles.GIVES.equals(container.getName()))
                        .findFirst()
                        .orElseThrow(),
                donor.address(),
                folder.resolve("donor"),
                certificates);
        while (!listens()) {
            assertThat(giver.isAlive()).as(said()).isTrue();
            Thread.sleep(20);
        }
    }

    private boolean listens() {
        try (Socket socket = new Socket(donor.address(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static String said() throws IOException {
        return Files.readString(folder.resolve("said"));
    }

    /** @return its exit code */
    private int take(String certificates) throws Exception {
        Process taker = run(pod().getInitContainers().get(0), "127.0.7.110", member, certificates);
        assertThat(taker.waitFor(60, TimeUnit.SECONDS))
                .as("ends, after %s", said())
                .isTrue();
        return taker.exitValue();
    }

    /** A program of this name is found first. */
    private void program(String name, String script) throws IOException {
        Path file = Files.writeString(programs.resolve(name), "#!/bin/bash\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private interface Check {
        void of(LocalServer server, PhysicalCopy copy) throws Exception;
    }

    private void started(Check check) throws Exception {
        Path options = folder.resolve(member.getFileName() + ".cnf");
        try (LocalServer server = LocalServer.start(Product.MARIADB, member, "127.0.7.110", 0, options)) {
            server.awaitAccepting(Duration.ofSeconds(60));
            check.of(
                    server,
                    servers.state(server, CloneScriptTest.ACCOUNTS.operator())
                            .copy()
                            .orElseThrow());
        }
    }

    private String sql(LocalServer server, String statement) throws Exception {
        return servers.sql(server, CloneScriptTest.ACCOUNTS.operator(), statement);
    }

    private void assertHasAll() throws Exception {
        started((server, copy) -> {
            assertThat(copy.stage()).as(copy.message()).isEqualTo(Stage.WHOLE);
            assertThat(sql(server, "SHOW DATABASES")).contains("shop").doesNotContain("mine");
            assertThat(sql(server, "SELECT note FROM shop.orders ORDER BY id")).isEqualTo("one\ntwo\n");
            assertThat(sql(server, "SELECT id FROM shop.old")).isEqualTo("3\n4\n");
            assertThat(sql(server, "SELECT STATUS FROM information_schema.EVENTS ORDER BY EVENT_NAME"))
                    .isEqualTo("DISABLED\nSLAVESIDE_DISABLED\n");
            assertThat(copy.position())
                    .contains(servers.sql(donor, CloneScriptTest.ACCOUNTS.root(), "SELECT @@GLOBAL.gtid_binlog_pos")
                            .strip());
            String position = servers.state(donor, CloneScriptTest.ACCOUNTS.operator())
                    .history()
                    .text();
            try (DatabaseServer session = servers.connect(server, CloneScriptTest.ACCOUNTS.operator())) {
                session.seed(position);
                assertThat(session.observe().incomplete()).isFalse();
                assertThat(session.observe().history().text()).isEqualTo(position);
                assertThat(session.observe().copy()).isEmpty();
            }
        });
    }

    private void assertHasWhatItHad(String... why) throws Exception {
        started((server, copy) -> {
            assertThat(copy.stage()).isEqualTo(Stage.BROKEN_OFF);
            assertThat(copy.message()).contains(why);
            assertThat(sql(server, "SHOW DATABASES")).contains("mine").doesNotContain("shop");
            assertThat(member.resolve(DatabaseServer.MARK_OF_INCOMPLETE)
                            .toFile()
                            .list())
                    .as("nothing that a DROP DATABASE stops at")
                    .hasSize(1);
        });
    }

    @Test
    void a_member_has_all_that_its_donor_had_whatever_its_tables_are_of() throws Exception {
        give("none");

        assertThat(take("none")).isZero();

        assertHasAll();
    }

    @Test
    void with_certificates_it_goes_over_TLS() throws Exception {
        certificates("of-donor", DONOR);
        give("of-donor");
        ask(DONOR);
        assertThat(take("of-donor")).as(said()).isZero();
        assertHasAll();
    }

    @Test
    void a_donor_whose_certificate_is_of_another_is_not_believed() throws Exception {
        certificates("of-other", "other.example.com");
        give("of-other");
        ask(DONOR);

        assertThat(take("of-other")).isZero();

        assertHasWhatItHad("does not match hostname");
    }

    /** As the operator does, by a name. */
    private void ask(String host) throws IOException {
        request(told -> told.replace(donor.address(), host));
    }

    private void request(UnaryOperator<String> change) throws IOException {
        Path told = member.resolve(DatabaseServer.MARK_OF_INCOMPLETE).resolve("db.opt");
        Files.writeString(told, change.apply(Files.readString(told)));
    }

    private static void certificates(String name, String host) throws Exception {
        CertificateIssuer issuer = new CertificateIssuer("test");
        Instant now = Instant.now();
        KeyPair authorityKeys = issuer.newKeys();
        X509Certificate authority = issuer.authority(authorityKeys, now, Duration.ofDays(1));
        KeyPair keys = issuer.newKeys();
        Path files = Files.createDirectories(folder.resolve(name));
        Files.writeString(files.resolve("ca.crt"), Pem.write(List.of(authority)));
        Files.writeString(
                files.resolve("tls.crt"),
                Pem.write(List.of(issuer.serving(
                        List.of(host),
                        keys.getPublic(),
                        authority,
                        authorityKeys.getPrivate(),
                        now,
                        Duration.ofDays(1)))));
        Files.writeString(files.resolve("tls.key"), Pem.write(keys.getPrivate()));
    }

    @Test
    void who_does_not_know_the_password_is_given_nothing() throws Exception {
        give("none");
        byte[] answer;
        try (Socket socket = new Socket(donor.address(), port)) {
            OutputStream out = socket.getOutputStream();
            out.write(("00 " + "0".repeat(64) + "\n").getBytes(StandardCharsets.US_ASCII));
            try (InputStream in = socket.getInputStream()) {
                answer = in.readAllBytes();
            }
        }
        assertThat(new String(answer, StandardCharsets.UTF_8))
                .matches("[0-9a-f]{32} [0-9.]+\nno: it does not know the operator's password\n");
    }

    @Test
    void a_donor_that_does_not_answer_is_told_of() throws Exception {
        assertThat(take("none")).isZero();

        assertHasWhatItHad("cannot connect to 127.0.0.1", "Connection refused");
    }

    @Test
    void what_mariadb_backup_does_not_end_well_is_no_copy() throws Exception {
        program("mariadb-backup", "/usr/bin/mariadb-backup \"$@\"\n[[ $* != *--backup* ]]\n");
        give("none");
        assertThat(take("none")).isZero();

        assertHasWhatItHad("127.0.0.1 has not given all");
    }

    /** Nothing is fetched that would not fit. */
    @Test
    void a_volume_without_room_for_both_is_told_of_before() throws Exception {
        give("none");
        program("df", "echo Filesystem; echo disk 9000 8999 1 100% /\n");
        program("mbstream", "exit 1\n");

        assertThat(take("none")).isZero();

        assertHasWhatItHad("there is no room for the ", " MiB of 127.0.0.1 beside what is there");
    }

    @Test
    void a_disk_that_gets_full_meanwhile_costs_nothing() throws Exception {
        give("none");
        program("mbstream", "ulimit -f 1000\nexec /usr/bin/mbstream \"$@\"\n");

        assertThat(take("none")).isZero();

        assertHasWhatItHad("127.0.0.1 has not given all");
    }

    @Test
    void a_member_with_another_password_is_given_nothing() throws Exception {
        give("none");
        takersPassword = Files.writeString(folder.resolve("other-password"), "another");

        assertThat(take("none")).isZero();

        assertHasWhatItHad("127.0.0.1: it does not know the operator's password");
    }

    /** What is made of no password everybody knows. */
    @Test
    void a_member_without_a_password_believes_nobody() throws Exception {
        give("none");
        takersPassword = folder.resolve("none");

        assertThat(take("none")).isZero();

        assertHasWhatItHad("the operator's password is not there");
    }

    @Test
    void a_donor_that_would_give_less_than_it_has_objects() throws Exception {
        servers.sql(
                donor,
                CloneScriptTest.ACCOUNTS.root(),
                "SET sql_log_bin = 0; CREATE TABLE shop.fast (id INT) ENGINE = MEMORY");
        try (DatabaseServer session = servers.connect(donor, CloneScriptTest.ACCOUNTS.operator())) {
            assertThat(session.offerCopy(CloneScriptTest.ACCOUNTS.replication()))
                    .contains("shop.fast is of MEMORY, and its rows are in no file");
        }
        servers.sql(donor, CloneScriptTest.ACCOUNTS.root(), "SET sql_log_bin = 0; DROP TABLE shop.fast");
    }

    @Test
    void an_image_without_the_tools_is_told_of() throws Exception {
        Path few = Files.createTempDirectory(folder, "few");
        for (String tool : List.of("bash", "sed", "tr", "cut", "cp", "mv", "rm", "sync", "mktemp", "head", "cat")) {
            Files.createSymbolicLink(few.resolve(tool), Path.of("/bin", tool));
        }
        Container container = pod().getInitContainers().get(0);
        List<String> command = new ArrayList<>(List.of("/usr/bin/env", "PATH=" + few));
        command.addAll(container.getCommand());
        container.setCommand(command);
        assertThat(run(container, "127.0.7.110", member, "none").waitFor())
                .as(said())
                .isZero();

        assertHasWhatItHad("the image has no mariadb-backup");
    }

    @Test
    void files_of_another_release_are_not_taken() throws Exception {
        give("none");
        program(
                "mariadbd",
                "[[ $DATA != *member* ]] || exec echo mariadbd Ver 10.11.1-MariaDB\nexec /usr/sbin/mariadbd \"$@\"\n");

        assertThat(take("none")).isZero();

        assertHasWhatItHad("127.0.0.1 runs 10.", ", and this image has 10.11.1");
    }

    @Test
    void one_that_is_ended_while_it_receives_has_what_it_had() throws Exception {
        give("none");
        program("mbstream", "kill -9 $PPID\n");
        assertThat(take("none")).isNotZero();

        assertThat(take("none")).isZero();

        assertHasWhatItHad("it ended in the middle of it");
    }

    /** Of what it had some is gone by then, so that there is no way back. */
    @Test
    void one_that_is_ended_while_it_exchanges_the_files_goes_on_when_it_is_started_again() throws Exception {
        give("none");
        program(
                "find",
                "[[ $* != *rm* ]] || { rm -rf \"$DATA/mysql\" \"$DATA/ibdata1\"; kill -9 $PPID; }\nexec /usr/bin/find \"$@\"\n");
        assertThat(take("none")).isNotZero();
        assertThat(member.resolve("mysql")).doesNotExist();
        program(
                "find",
                "[[ $* != *mv* ]] || { mv \"$DATA\"/*/files/mysql \"$DATA\"; kill -9 $PPID; }\nexec /usr/bin/find \"$@\"\n");
        assertThat(take("none")).isNotZero();
        assertThat(member.resolve("mysql")).exists();
        Files.delete(programs.resolve("find"));

        assertThat(take("none")).isZero();

        assertHasAll();
    }

    @Test
    void a_server_that_nobody_has_asked_starts_with_what_it_has() throws Exception {
        Path mark = member.resolve(DatabaseServer.MARK_OF_INCOMPLETE);
        try (Stream<Path> files = Files.list(mark)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(mark);

        assertThat(take("none")).isZero();

        assertThat(member.resolve("mine")).exists();
        assertThat(mark).doesNotExist();
    }

    @Test
    void half_of_a_copy_is_given_to_nobody() throws Exception {
        give("none");
        servers.sql(
                donor, CloneScriptTest.ACCOUNTS.root(), "SET sql_log_bin = 0; CREATE DATABASE busbar_copy_in_progress");
        try {
            assertThat(take("none")).isZero();
        } finally {
            servers.sql(
                    donor,
                    CloneScriptTest.ACCOUNTS.root(),
                    "SET sql_log_bin = 0; DROP DATABASE busbar_copy_in_progress");
        }

        assertHasWhatItHad("the donor has itself only part of a copy");
    }

    /** Nobody who waits for a container that does not come waits for good. */
    @Test
    void a_server_that_was_started_again_has_no_request() throws Exception {
        request(told -> told.replaceFirst(" at [0-9]+", " at 1000000000"));
        started((server, copy) -> {
            assertThat(copy.stage()).isEqualTo(Stage.BROKEN_OFF);
            assertThat(copy.message()).isEqualTo("the server was started again without them");
        });
    }
}
