package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@WithDatabases
@Order(EndToEnd.LONG)
class MySQLTroubleIT {

    private final Cluster cluster;
    private final Databases databases;

    MySQLTroubleIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @Test
    void never_promotes_a_member_that_has_diverged_and_gives_it_a_copy_later() {
        databases.create("forked", "size: 3, failover: {delaySeconds: 3600}, divergedMembers: Keep");
        databases.running("forked", 3);
        databases.query("forked", "forked-0", "CREATE DATABASE shop");
        for (String replica : List.of("forked-1", "forked-2")) {
            databases.eventually(() -> assertThat(databases.query("forked", replica, "SHOW DATABASES"))
                    .contains("shop"));
        }

        databases.server("forked-0").hold();
        databases.writePastReadOnly("forked", "forked-1", "CREATE DATABASE mine", "CREATE DATABASE mine_alone");
        chooseNow("forked");
        databases.eventually(
                () -> assertThat(databases.status("forked").currentPrimary()).isEqualTo("forked-2"));

        databases.server("forked-0").release();
        databases.eventually(() -> {
            assertThat(databases.threads("forked", "forked-0")).containsExactly("Yes", "Yes");
            assertThat(databases.condition("forked", "MemberDiverged")).isEqualTo("True HistoryDiffers");
        });
        assertThat(databases.query("forked", "forked-1", "SHOW DATABASES")).contains("mine");
        assertThat(databases.labelled("forked", "replica")).doesNotContain("forked-1");
        cluster.patch(
                cluster.get(MySQLCluster.class, "forked"),
                "{\"spec\":{\"divergedMembers\":\"Reclone\",\"replication\":{\"copyMethod\":\"Dump\"}}}");
        databases.running("forked", 3);
        assertThat(databases.query("forked", "forked-1", "SHOW DATABASES"))
                .contains("shop")
                .doesNotContain("mine");
        databases.awaitEvents("forked", "MemberDiverged", "MemberRecloned");
    }

    @Test
    void does_not_open_a_primary_that_comes_back_without_its_data() {
        // It has to be back before another is chosen, however long an empty server takes to start.
        databases.create("gone", "size: 3, failover: {delaySeconds: 3600}, replication: {semiSync: true}");
        databases.running("gone", 3);
        databases.query("gone", "gone-0", "CREATE DATABASE shop");
        databases.query("gone", "gone-0", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
        databases.query("gone", "gone-0", "INSERT INTO shop.orders VALUES (1), (2)");
        // One that started late has got a copy already.
        long before = databases.told("gone", "MemberRecloned");

        databases.server("gone-0").loseData();
        databases.eventually(
                () -> assertThat(databases.reason("gone", "PrimaryReady")).isEqualTo("PrimaryLacksData"));
        chooseNow("gone");
        databases.eventually(
                () -> assertThat(databases.status("gone").currentPrimary()).isIn("gone-1", "gone-2"));
        databases.running("gone", 3);
        for (String member : databases.status("gone").nodes()) {
            databases.eventually(() -> assertThat(databases.query("gone", member, "SELECT COUNT(*) FROM shop.orders"))
                    .containsExactly("2"));
        }
        databases.awaitEvents("gone", "PrimaryLacksData", "FailoverCompleted");
        assertThat(databases.told("gone", "MemberRecloned")).isEqualTo(before + 1);
    }

    /** What had to be before another is chosen has been. */
    private void chooseNow(String name) {
        cluster.patch(cluster.get(MySQLCluster.class, name), "{\"spec\":{\"failover\":{\"delaySeconds\":0}}}");
    }

    @Test
    void replaces_a_primary_that_hangs_although_its_port_is_open() {
        databases.create("hung", "size: 3, failover: {delaySeconds: 3}, replication: {semiSync: true}");
        databases.running("hung", 3);
        databases.query("hung", "hung-0", "CREATE DATABASE shop");
        databases.query("hung", "hung-0", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
        databases.query("hung", "hung-0", "INSERT INTO shop.orders VALUES (1)");

        databases.server("hung-0").freeze();
        databases.eventually(
                () -> assertThat(databases.status("hung").currentPrimary()).isIn("hung-1", "hung-2"));
        String next = databases.status("hung").currentPrimary();
        databases.eventually(() -> databases.query("hung", next, "INSERT INTO shop.orders VALUES (2)"));

        databases.running("hung", 3);
        for (String member : databases.status("hung").nodes()) {
            databases.eventually(() -> assertThat(databases.query("hung", member, "SELECT COUNT(*) FROM shop.orders"))
                    .containsExactly("2"));
        }
    }

    @Test
    void does_not_choose_a_replica_that_lags() {
        databases.create("slow", "size: 3, failover: {delaySeconds: 1}, replication: {maxLagSeconds: 2}");
        databases.running("slow", 3);
        databases.delay("slow", "slow-1");
        databases.query("slow", "slow-0", "CREATE DATABASE shop");
        databases.eventually(() ->
                assertThat(databases.query("slow", "slow-2", "SHOW DATABASES")).contains("shop"));
        databases.eventually(
                () -> assertThat(databases.labelled("slow", "replica")).containsExactly("slow-2"));

        databases.server("slow-0").hold();
        databases.eventually(
                () -> assertThat(databases.status("slow").currentPrimary()).isEqualTo("slow-2"));
        databases.server("slow-0").release();
        databases.eventually(
                () -> assertThat(databases.labelled("slow", "primary")).containsExactly("slow-2"));
    }

    @Test
    void promotes_nobody_when_there_is_nobody_and_says_what_helps() {
        databases.create("alone", "size: 2, failover: {delaySeconds: 0}");
        databases.running("alone", 2);
        databases.server("alone-1").hold();
        databases.eventually(() ->
                assertThat(databases.condition("alone", "ReplicationHealthy")).isEqualTo("False MemberUnreachable"));
        databases.server("alone-0").hold();

        databases.eventually(
                () -> assertThat(databases.condition("alone", "Degraded")).isEqualTo("True NoFailoverCandidate"));
        assertThat(databases.message("alone", "Degraded")).contains("alone-1");
        databases.eventually(
                () -> assertThat(databases.events("alone")).contains("FailoverFailed", "MemberUnreachable"));
        assertThat(databases.status("alone").currentPrimary()).isEqualTo("alone-0");

        databases.server("alone-0").release();
        databases.server("alone-1").release();
        databases.running("alone", 2);
        assertThat(databases.status("alone").currentPrimary()).isEqualTo("alone-0");
    }

    @Test
    void keeps_the_primary_and_silences_another_that_became_writable() {
        databases.create("split", "size: 2");
        databases.running("split", 2);

        databases.query("split", "split-1", "SET GLOBAL read_only = OFF");
        databases.eventually(() -> assertThat(databases.events("split")).contains("SplitBrain"));
        databases.eventually(() -> assertThat(databases.query("split", "split-1", "SELECT @@GLOBAL.read_only"))
                .containsExactly("1"));
        assertThat(databases.query("split", "split-0", "SELECT @@GLOBAL.read_only"))
                .containsExactly("0");
        assertThat(databases.running("split", 2).currentPrimary()).isEqualTo("split-0");
    }

    @Test
    void says_that_a_disk_is_full_and_goes_on_when_there_is_room_again() {
        // MySQL writes more before it serves.
        databases.server("full-0").quota(databases.product() == Product.MYSQL ? 300 : 128);
        databases.create("full", "size: 1");
        databases.running("full", 1);
        databases.query("full", "full-0", "CREATE DATABASE shop");
        databases.query("full", "full-0", "CREATE TABLE shop.orders (id INT PRIMARY KEY, note CHAR(200))");
        databases.query("full", "full-0", "INSERT INTO shop.orders VALUES (1, '')");

        databases.server("full-0").fill();
        if (databases.product() == Product.MYSQL) {
            // Nobody can ask it for its disk: it tells of that when a write waits for room in the binary log.
            assertThatThrownBy(() -> changeManyTimes("full")).hasMessageContaining("no answer in time");
        }
        databases.eventually(
                () -> assertThat(databases.condition("full", "Degraded")).isEqualTo("True DiskFull"));
        assertThat(databases.message("full", "Degraded")).contains("claim data-full-0");
        databases.eventually(() -> assertThat(databases.events("full")).contains("DiskFull"));
        databases.server("full-0").free();
        // MySQL looks for room once a minute.
        Databases.within(
                Duration.ofMinutes(2),
                () -> databases.query("full", "full-0", "REPLACE INTO shop.orders VALUES (2, '')"));
        databases.running("full", 1);
        databases.eventually(
                () -> assertThat(databases.condition("full", "Degraded")).startsWith("False"));
    }

    @Test
    void takes_no_writes_from_before_its_disk_is_full_until_there_is_room_again() {
        assumeThat(databases.product())
                .as("MySQL does not tell how much is free")
                .isEqualTo(Product.MARIADB);
        databases.server("scarce-0").quota(256);
        databases.create("scarce", "size: 1, storage: {readOnlyBelowPercent: 10}");
        databases.running("scarce", 1);
        databases.query("scarce", "scarce-0", "CREATE DATABASE shop");
        databases.query("scarce", "scarce-0", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");

        databases.server("scarce-0").fill(20);
        databases.eventually(
                () -> assertThat(databases.condition("scarce", "PrimaryReady")).isEqualTo("False DiskNearlyFull"));
        assertThat(databases.message("scarce", "PrimaryReady")).contains("MiB of 2", "are left");
        assertThat(databases.query("scarce", "scarce-0", "SELECT @@GLOBAL.read_only"))
                .containsExactly("1");
        assertThat(databases.labelled("scarce", "primary")).containsExactly("scarce-0");
        databases.eventually(() -> assertThat(databases.events("scarce")).contains("DiskNearlyFull"));

        databases.server("scarce-0").free();
        databases.running("scarce", 1);
        databases.query("scarce", "scarce-0", "INSERT INTO shop.orders VALUES (1)");
        assertThat(databases.status("scarce").failover().count()).isZero();
    }

    private void changeManyTimes(String name) {
        try (SqlClient client = databases.connectBriefly(
                cluster.get(Pod.class, name + "-0"), "root", databases.password(name, "root-password"))) {
            for (int i = 0; i < 400; i++) {
                client.query("UPDATE shop.orders SET note = 'change " + i + "'");
            }
        }
    }

    @Test
    void lets_replicas_in_where_programs_hold_all_connections_and_wait_for_them() throws Exception {
        databases.create(
                "crowded",
                "size: 3, config: {max_connections: 12}, tls: {mode: Required}, replication: {semiSync: true},"
                        + " failover: {delaySeconds: 2}");
        databases.running("crowded", 3);
        databases.query("crowded", "crowded-0", "CREATE DATABASE shop");
        databases.query("crowded", "crowded-0", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
        databases.query("crowded", "crowded-0", "CREATE USER shop IDENTIFIED BY 'shop'");
        databases.query("crowded", "crowded-0", "GRANT ALL ON shop.* TO shop");
        long promoted = databases.status("crowded").failover().count();
        databases.server("crowded-1").hold();
        databases.server("crowded-2").hold();
        String root = databases.password("crowded", "root-password");

        try (SqlClient writer = SqlClient.connect(
                        databases.vertx(),
                        databases.address("crowded-0"),
                        "shop",
                        "shop",
                        true,
                        Duration.ofMinutes(5));
                Crowd programs = Crowd.gather(() -> databases.connect("crowded-0", "shop", "shop"));
                // Each server keeps one connection for whoever may administer it.
                Crowd administrators = Crowd.gather(() -> databases.connect("crowded-0", "root", root))) {
            CompletableFuture<List<String>> write =
                    CompletableFuture.supplyAsync(() -> writer.query("INSERT INTO shop.orders VALUES (1)"));
            databases.eventually(() -> {
                assertThat(programs.refused()).isGreaterThan(10);
                assertThat(administrators.refused()).isGreaterThan(10);
            });
            assertThat(write).as("acknowledged by no replica").isNotDone();

            databases.server("crowded-1").release();
            databases.server("crowded-2").release();
            for (String replica : List.of("crowded-1", "crowded-2")) {
                databases.eventually(
                        () -> assertThat(databases.threads("crowded", replica)).containsExactly("Yes", "Yes"));
            }
            assertThat(write.get(1, TimeUnit.MINUTES)).isEmpty();
            databases.running("crowded", 3);
        }
        databases.awaitEvents("crowded", "TooManyConnections");
        assertThat(databases.status("crowded").currentPrimary()).isEqualTo("crowded-0");
        assertThat(databases.status("crowded").failover().count()).isEqualTo(promoted);
    }

    @Test
    void puts_a_Service_right_that_somebody_has_changed() {
        databases.create("bent", "size: 1");
        databases.running("bent", 1);
        Service before = cluster.get(Service.class, "bent-primary");
        String key = before.getSpec().getSelector().keySet().iterator().next();

        cluster.patch(before, "{\"spec\":{\"selector\":{\"" + key + "\":\"elsewhere\"}}}");

        databases.eventually(() -> assertThat(
                        cluster.get(Service.class, "bent-primary").getSpec().getSelector())
                .isEqualTo(before.getSpec().getSelector()));
    }
}
