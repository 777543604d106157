package io.busbar.operator.mysqlcluster.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox, or on the cluster of the property {@code busbar.cluster}. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.DatabaseNode#runsHere", disabledReason = DatabaseNode.NEEDS)
@KubernetesSandbox
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DatabaseNodeTest {

    @TempDir
    private Path host;

    private HandMadeCluster cluster;

    @BeforeAll
    void start(KubernetesClient sandbox) {
        cluster = new HandMadeCluster(sandbox);
        cluster.createServers("db", Product.MARIADB, 2);
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    @Test
    void runs_a_server_for_each_pod_with_the_options_that_are_its_own() {
        Pod first = cluster.awaitReady("db-0");
        Pod second = cluster.awaitReady("db-1");

        assertThat(first.getStatus().getPodIP())
                .startsWith("127.")
                .isNotEqualTo(second.getStatus().getPodIP());
        assertThat(cluster.sql(first, "SELECT @@server_id, @@hostname, @@max_connections, @@bind_address"))
                .isEqualTo("100 db-0 77 " + first.getStatus().getPodIP());
        assertThat(cluster.sql(second, "SELECT @@server_id, @@hostname, @@max_connections, @@bind_address"))
                .isEqualTo("101 db-1 77 " + second.getStatus().getPodIP());
    }

    @Test
    @EnabledIf(
            value = "io.busbar.operator.mysqlcluster.bed.DatabaseNode#runsMySql",
            disabledReason = Product.NEEDS_MYSQL)
    void runs_mysql_where_the_image_is_and_it_keeps_its_data_and_its_password_over_a_sudden_end() {
        cluster.createServers("other", Product.MYSQL, 1);
        Pod pod = cluster.awaitReady("other-0");
        cluster.eventually(() -> assertThat(cluster.sql(pod, "SELECT @@server_id, @@hostname, @@max_connections"))
                .isEqualTo("1 other-0 77"));
        assertThat(cluster.sql(pod, "SELECT VERSION()")).doesNotContain("MariaDB");
        cluster.sql(pod, "CREATE TABLE mysql.kept (id INT) SELECT 7 AS id");
        cluster.steer("other-0").kill();

        cluster.eventually(() -> {
            assertThat(HandMadeCluster.container(cluster.awaitReady("other-0")).getRestartCount())
                    .isEqualTo(1);
            assertThat(cluster.sql(pod, "SELECT id FROM mysql.kept")).isEqualTo("7");
        });
    }

    @Test
    void keeps_the_data_and_the_address_of_a_claim_for_the_next_pod() {
        Pod before = cluster.awaitReady("db-0");
        cluster.sql(before, "CREATE TABLE mysql.kept (id INT) SELECT 7 AS id");
        cluster.client().resource(before).delete();

        Pod after = cluster.awaitReadyAfter(before);
        assertThat(cluster.sql(after, "SELECT id FROM mysql.kept")).isEqualTo("7");
        assertThat(after.getStatus().getPodIP()).isEqualTo(before.getStatus().getPodIP());
    }

    @Test
    void starts_a_server_that_was_killed_again_and_counts_it() {
        int before = HandMadeCluster.container(cluster.awaitReady("db-0")).getRestartCount();
        cluster.steer("db-0").kill();

        cluster.eventually(() -> {
            ContainerStatus status = HandMadeCluster.container(cluster.awaitReady("db-0"));
            assertThat(status.getRestartCount()).isEqualTo(before + 1);
            assertThat(status.getLastState().getTerminated().getExitCode()).isEqualTo(128 + 9);
        });
    }

    @Test
    void keeps_a_server_down_over_the_pods_of_its_name_until_it_is_released() {
        Pod before = cluster.awaitReady("db-0");
        cluster.steer("db-0").hold();
        cluster.eventually(() -> assertThat(cluster.isReady("db-0")).isFalse());
        cluster.client().resource(before).delete();
        cluster.eventually(() -> {
            Pod held = cluster.pod("db-0");
            assertThat(held.getMetadata().getUid())
                    .isNotEqualTo(before.getMetadata().getUid());
            assertThat(HandMadeCluster.container(held).getState().getWaiting().getReason())
                    .isEqualTo("Held");
        });

        cluster.steer("db-0").release();
        assertThat(HandMadeCluster.container(cluster.awaitReady("db-0")).getRestartCount())
                .isZero();
    }

    @Test
    void cuts_off_a_server_whose_pod_stays_as_it_was_and_ends_what_was_deleted_once_its_node_is_back()
            throws Exception {
        Pod before = cluster.awaitReady("db-1");
        DatabasePod server = cluster.steer("db-1");
        Process program = server.exec("sleep", "1000");
        server.cutOff();

        assertThat(connects(before)).as("somebody answers").isFalse();
        assertThat(program.isAlive()).isTrue();
        cluster.client().resource(before).delete();
        cluster.eventually(
                () -> assertThat(cluster.pod("db-1").isMarkedForDeletion()).isTrue());
        assertThat(cluster.isReady("db-1")).isTrue();

        server.returnNode();
        Pod after = cluster.awaitReadyAfter(before);
        assertThat(connects(after)).isTrue();
    }

    private static boolean connects(Pod pod) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(pod.getStatus().getPodIP(), Addresses.PORT), 500);
            return true;
        } catch (SocketTimeoutException nobody) {
            return false;
        }
    }

    @Test
    void stops_all_of_a_server_that_is_frozen_until_it_is_thawed() throws Exception {
        Pod pod = cluster.awaitReady("db-0");
        DatabasePod server = cluster.steer("db-0");
        server.freeze();
        cluster.eventually(() ->
                assertThat(Files.readString(server.path("/proc/1/status"))).contains("T (stopped)"));
        server.thaw();
        assertThat(cluster.sql(pod, "SELECT 1")).isEqualTo("1");
    }

    @Test
    void gives_a_server_a_disk_that_can_be_full() {
        cluster.steer("small-0").quota(80);
        cluster.createServers("small", Product.MARIADB, 1);
        Pod pod = cluster.awaitReady("small-0");
        cluster.steer("small-0").fill();
        String create = "CREATE TABLE mysql.more (id INT)";
        assertThatThrownBy(() -> cluster.sql(pod, create)).hasMessageMatching("(?s).*No (more room|space left).*");
        cluster.steer("small-0").free();
        assertThat(cluster.sql(pod, create)).isEmpty();
    }

    @Test
    void runs_the_command_of_a_job_with_its_variables_and_volumes() {
        cluster.createJob("copies", """
                command: [bash, -ec, 'cp /config/my.cnf /backup/copy; hostname >> /backup/copy;
                  ! touch /config/my.cnf; echo -n "$0" > /dev/termination-log', "$(TEXT)"]
                env:
                - {name: PASSWORD, valueFrom: {secretKeyRef: {name: auth, key: root-password}}}
                - {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
                - {name: TEXT, value: "$(PASSWORD) of $(POD), $(NOBODY) $$(POD)"}
                volumeMounts:
                - {name: backup, mountPath: /backup, subPath: of-today}
                - {name: config, mountPath: /config/my.cnf, subPath: my.cnf, readOnly: true}
                """, host);
        Pod pod = cluster.awaitPhase("copies", "Succeeded");

        String name = pod.getMetadata().getName();
        assertThat(HandMadeCluster.container(pod).getState().getTerminated().getMessage())
                .isEqualTo("it's \\secret of " + name + ", $(NOBODY) $(POD)");
        assertThat(host.resolve("of-today/copy"))
                .content()
                .contains("max_connections")
                .endsWith(name + "\n");
        cluster.eventually(() ->
                assertThat(cluster.job("copies").getStatus().getSucceeded()).isEqualTo(1));
    }

    @Test
    void lets_a_job_dump_a_server_over_the_network() {
        Pod server = cluster.awaitReady("db-1");
        cluster.createJob("dumps", """
                command: [bash, -ec, 'mariadb-dump --host=$0 --databases sys | tail -n 1 > /dev/termination-log', %s]
                env: [{name: MYSQL_PWD, valueFrom: {secretKeyRef: {name: auth, key: root-password}}}]
                """.formatted(server.getStatus().getPodIP()), host);
        Pod pod = cluster.awaitPhase("dumps", "Succeeded");

        assertThat(HandMadeCluster.container(pod).getState().getTerminated().getMessage())
                .startsWith("-- Dump completed on");
    }

    @Test
    void says_why_the_command_of_a_job_has_failed() {
        cluster.createJob("fails", """
                command: [bash, -c, 'echo no disk at $HOSTNAME; exit 3']
                terminationMessagePolicy: FallbackToLogsOnError
                """, host);
        Pod pod = cluster.awaitPhase("fails", "Failed");

        assertThat(HandMadeCluster.container(pod).getState().getTerminated()).satisfies(end -> {
            assertThat(end.getExitCode()).isEqualTo(3);
            assertThat(end.getMessage())
                    .isEqualTo("no disk at " + pod.getMetadata().getName() + "\n");
        });
        cluster.eventually(
                () -> assertThat(cluster.job("fails").getStatus().getFailed()).isEqualTo(1));
    }

    @Test
    void kills_a_command_that_does_not_end_within_its_grace_period() {
        cluster.createJob("sleeps", """
                command: [bash, -c, 'touch /backup/started; sleep 1000; true']
                volumeMounts: [{name: backup, mountPath: /backup}]
                """, host);
        cluster.eventually(() -> assertThat(host.resolve("started")).exists());
        Pod pod = cluster.awaitPhase("sleeps", "Running");
        Path itself = cluster.steer(pod.getMetadata().getName()).path("/");
        cluster.client().resource(pod).withGracePeriod(1).delete();

        cluster.eventually(() -> assertThat(cluster.client().resource(pod).get())
                .satisfiesAnyOf(
                        gone -> assertThat(gone).isNull(),
                        another -> assertThat(another.getMetadata().getUid())
                                .isNotEqualTo(pod.getMetadata().getUid())));
        assertThat(itself).doesNotExist();
    }
}
