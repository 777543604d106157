package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@WithDatabases
@Order(EndToEnd.LONG)
class MySQLClusterIT {

    private static final int SWITCHOVERS = 6;

    private final Cluster cluster;
    private final Databases databases;

    MySQLClusterIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @Test
    void elects_the_first_of_three_and_what_is_written_there_is_read_everywhere() {
        databases.create("three", "size: 3");
        MySQLClusterStatus status = databases.running("three", 3);

        assertThat(status.currentPrimary()).isEqualTo("three-0");
        assertThat(databases.labelled("three", "primary")).containsExactly("three-0");
        assertThat(databases.labelled("three", "replica")).containsExactly("three-1", "three-2");
        databases.query("three", "three-0", "CREATE DATABASE shop");
        databases.query("three", "three-0", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
        databases.query("three", "three-0", "INSERT INTO shop.orders VALUES (1), (2)");
        for (String member : status.nodes()) {
            databases.eventually(() -> assertThat(databases.query("three", member, "SELECT COUNT(*) FROM shop.orders"))
                    .containsExactly("2"));
        }
        assertThat(databases.query("three", "three-1", "SELECT @@GLOBAL.read_only"))
                .containsExactly("1");
        assertThat(String.valueOf(status.version()).contains("MariaDB"))
                .as(status.version())
                .isEqualTo(databases.product() == Product.MARIADB);
        databases.awaitEvents("three", "PrimaryElected");
        assertThat(cluster.running().metricNames())
                .contains(
                        "mysqlcluster_member_up",
                        "mysqlcluster_member_lag_seconds",
                        "mysqlcluster_member_queries_total",
                        "mysqlcluster_members_ready");
    }

    @Test
    void promotes_another_when_the_primary_is_away_and_lets_it_rejoin() {
        databases.create("lost", "size: 3, failover: {delaySeconds: 1}, replication: {semiSync: true}");
        databases.running("lost", 3);
        databases.query("lost", "lost-0", "CREATE DATABASE shop");
        databases.query("lost", "lost-0", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
        databases.query("lost", "lost-0", "INSERT INTO shop.orders VALUES (1), (2)");
        // Acknowledged is what one replica has, whichever; of those that have all the first is chosen.
        for (String replica : List.of("lost-1", "lost-2")) {
            databases.eventually(() -> assertThat(databases.query("lost", replica, "SELECT COUNT(*) FROM shop.orders"))
                    .containsExactly("2"));
        }

        databases.server("lost-0").hold();
        databases.eventually(() -> {
            MySQLClusterStatus status = databases.status("lost");
            assertThat(status.currentPrimary()).as(status.toString()).isEqualTo("lost-1");
            assertThat(databases.labelled("lost", "primary")).containsExactly("lost-1");
        });
        assertThat(databases.query("lost", "lost-1", "SELECT COUNT(*) FROM shop.orders"))
                .containsExactly("2");
        databases.query("lost", "lost-1", "INSERT INTO shop.orders VALUES (3)");
        databases.eventually(
                () -> assertThat(databases.status("lost").failover().count()).isEqualTo(1));

        databases.server("lost-0").release();
        databases.running("lost", 3);
        databases.eventually(() -> assertThat(databases.query("lost", "lost-0", "SELECT COUNT(*) FROM shop.orders"))
                .containsExactly("3"));
        assertThat(databases.labelled("lost", "replica")).containsExactly("lost-0", "lost-2");
        databases.awaitEvents("lost", "FailoverStarted", "FailoverCompleted", "ReplicaRepointed");
    }

    @Test
    void waits_for_the_primary_when_a_replica_may_have_lost_what_it_acknowledged() {
        databases.create("kept", "size: 3, failover: {delaySeconds: 1}, replication: {semiSync: true}");
        databases.running("kept", 3);
        databases.query("kept", "kept-0", "CREATE DATABASE shop");
        databases.query("kept", "kept-0", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
        databases.eventually(() -> assertThat(databases.query("kept", "kept-1", "SELECT * FROM shop.orders"))
                .isEmpty());

        try (SqlClient reader = databases.connect("kept", "kept-1")) {
            reader.query("FLUSH TABLES WITH READ LOCK");
            databases.server("kept-2").freeze();
            databases.query("kept", "kept-0", "INSERT INTO shop.orders VALUES (1)");
            databases.server("kept-0").hold();
            databases.server("kept-1").kill();
        }
        databases.server("kept-2").thaw();
        databases.eventually(
                () -> assertThat(databases.message("kept", "Degraded")).contains("kept-1: it was restarted"));

        databases.server("kept-0").release();
        MySQLClusterStatus status = databases.running("kept", 3);
        assertThat(databases.query("kept", String.valueOf(status.currentPrimary()), "SELECT id FROM shop.orders"))
                .containsExactly("1");
    }

    @Test
    void volumes_grow_under_programs_that_write_and_new_members_get_as_large_ones() throws Exception {
        databases.create("grown", "size: 2, storage: {size: 1Gi}");
        databases.running("grown", 2);
        List<String> pods = List.of(uid("grown-0"), uid("grown-1"));
        RowWriter writer = RowWriter.start(databases, "grown", 2);

        cluster.patch(cluster.get(MySQLCluster.class, "grown"), "{\"spec\":{\"storage\":{\"size\":\"2Gi\"}}}");
        databases.eventually(
                () -> assertThat(databases.status("grown").volumeSize()).isEqualTo(new Quantity("2Gi")));
        databases.running("grown", 2);

        assertThat(List.of(uid("grown-0"), uid("grown-1"))).as("Pods").isEqualTo(pods);
        String set = cluster.get(StatefulSet.class, "grown").getMetadata().getUid();
        databases.eventually(
                () -> assertThat(cluster.get(Pod.class, "grown-0").getMetadata().getOwnerReferences())
                        .singleElement()
                        .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(set)));
        assertThat(databases.status("grown").failover().count()).isZero();
        writer.end();
        assertThat(writer.acknowledged()).isNotEmpty();

        cluster.patch(cluster.get(MySQLCluster.class, "grown"), "{\"spec\":{\"size\":3}}");
        databases.running("grown", 3);
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            PersistentVolumeClaim claim = cluster.get(PersistentVolumeClaim.class, "data-grown-" + ordinal);
            assertThat(claim.getStatus().getCapacity()).containsEntry("storage", new Quantity("2Gi"));
        }
    }

    private String uid(String pod) {
        return cluster.get(Pod.class, pod).getMetadata().getUid();
    }

    @Test
    void says_why_a_volume_cannot_grow_and_lets_the_size_be_set_back() {
        cluster.client()
                .resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName("of-one-size")
                        .endMetadata()
                        .withProvisioner("fake-kubelet/volumes")
                        .withAllowVolumeExpansion(false)
                        .build())
                .serverSideApply();
        databases.create("fixed", "size: 1, storage: {size: 1Gi, storageClassName: of-one-size}");
        databases.running("fixed", 1);

        cluster.patch(cluster.get(MySQLCluster.class, "fixed"), "{\"spec\":{\"storage\":{\"size\":\"2Gi\"}}}");
        databases.eventually(() -> assertThat(databases.message("fixed", "Degraded"))
                .contains("data-fixed-0", "the storageclass that provisions the pvc must support resize"));
        assertThat(databases.condition("fixed", "Degraded")).isEqualTo("True VolumeNotGrown");
        assertThat(databases.condition("fixed", "PrimaryReady")).isEqualTo("True Writable");

        cluster.patch(cluster.get(MySQLCluster.class, "fixed"), "{\"spec\":{\"storage\":{\"size\":\"1Gi\"}}}");
        databases.running("fixed", 1);
        databases.eventually(
                () -> assertThat(databases.condition("fixed", "Degraded")).isEqualTo("False AsExpected"));
    }

    @Test
    void runs_independent_servers_in_the_simple_mode() {
        databases.create("plain", "mode: Simple, size: 2");
        MySQLClusterStatus status = databases.running("plain", 2);

        assertThat(status.currentPrimary()).isNull();
        for (String pod : status.nodes()) {
            databases.query("plain", pod, "CREATE DATABASE mine");
        }
        assertThat(cluster.get(Deployment.class, "plain").getSpec().getReplicas())
                .isEqualTo(2);
        assertThat(cluster.resource(StatefulSet.class, "plain").get()).isNull();
    }

    @Test
    void hands_over_as_the_spec_asks_without_losing_a_write() {
        databases.create("moved", "size: 3");
        databases.running("moved", 3);
        databases.query("moved", "moved-0", "CREATE DATABASE shop");

        cluster.patch(cluster.get(MySQLCluster.class, "moved"), "{\"spec\":{\"replication\":{\"primaryOrdinal\":2}}}");
        databases.eventually(
                () -> assertThat(databases.status("moved").currentPrimary()).isEqualTo("moved-2"));
        MySQLClusterStatus status = databases.running("moved", 3);
        assertThat(status.failover().count()).as("failovers").isZero();
        assertThat(databases.labelled("moved", "primary")).containsExactly("moved-2");
        databases.query("moved", "moved-2", "CREATE DATABASE after_it");
        databases.eventually(() -> assertThat(databases.query("moved", "moved-0", "SHOW DATABASES"))
                .contains("shop", "after_it"));
        databases.awaitEvents("moved", "SwitchoverCompleted");
    }

    @Test
    void keeps_the_primary_when_the_next_one_does_not_get_there_in_time() {
        databases.create("tardy", "size: 2, replication: {switchTimeoutSeconds: 2}");
        databases.running("tardy", 2);
        databases.query("tardy", "tardy-0", "CREATE DATABASE shop");
        databases.query("tardy", "tardy-0", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
        databases.eventually(() -> assertThat(databases.query("tardy", "tardy-1", "SELECT * FROM shop.orders"))
                .isEmpty());

        try (SqlClient reader = databases.connect("tardy", "tardy-1")) {
            reader.query("LOCK TABLES shop.orders READ");
            databases.query("tardy", "tardy-0", "INSERT INTO shop.orders VALUES (1)");
            cluster.patch(
                    cluster.get(MySQLCluster.class, "tardy"), "{\"spec\":{\"replication\":{\"primaryOrdinal\":1}}}");
            databases.awaitEvents("tardy", "SwitchoverFailed");
            assertThat(databases.notes("tardy", "SwitchoverFailed"))
                    .allSatisfy(note -> assertThat(note)
                            .startsWith("tardy-0 stays the primary: tardy-1 does not have ")
                            .endsWith(" after 2 s"));
            databases.eventually(
                    () -> assertThat(databases.labelled("tardy", "primary")).containsExactly("tardy-0"));
            databases.eventually(() -> databases.query("tardy", "tardy-0", "INSERT INTO shop.orders VALUES (2)"));
        }
        databases.eventually(() -> assertThat(databases.query("tardy", "tardy-1", "SELECT id FROM shop.orders"))
                .containsExactly("1", "2"));
        assertThat(databases.status("tardy").currentPrimary()).isEqualTo("tardy-0");
    }

    @Test
    void keeps_the_primary_that_serves_when_the_status_is_lost() {
        databases.create("forgot", "size: 3, replication: {semiSync: true, primaryOrdinal: 1}");
        databases.eventually(
                () -> assertThat(databases.status("forgot").currentPrimary()).isEqualTo("forgot-1"));
        databases.running("forgot", 3);
        cluster.patch(
                cluster.get(MySQLCluster.class, "forgot"), "{\"spec\":{\"replication\":{\"primaryOrdinal\":null}}}");
        databases.query("forgot", "forgot-1", "CREATE DATABASE shop");
        int switchovers = databases.told("forgot", "SwitchoverCompleted");

        try (SqlClient client = databases.connect("forgot", "forgot-1")) {
            client.query("CREATE TABLE shop.orders (id INT PRIMARY KEY)");
            MySQLCluster lost = cluster.get(MySQLCluster.class, "forgot");
            cluster.client()
                    .resource(lost)
                    .subresource("status")
                    .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":null}");
            databases.eventually(() -> assertThat(databases.events("forgot")).contains("PrimaryFound"));
            // Nobody has ended its connection.
            client.query("INSERT INTO shop.orders VALUES (1)");
        }

        MySQLClusterStatus status = databases.running("forgot", 3);
        assertThat(status.currentPrimary()).isEqualTo("forgot-1");
        assertThat(databases.labelled("forgot", "primary")).containsExactly("forgot-1");
        assertThat(databases.told("forgot", "SwitchoverCompleted")).isEqualTo(switchovers);
        assertThat(databases.events("forgot")).doesNotContain("FailoverStarted", "SplitBrain", "MemberDiverged");
        databases.eventually(() -> assertThat(databases.query("forgot", "forgot-0", "SELECT id FROM shop.orders"))
                .containsExactly("1"));
    }

    @Test
    void opens_its_data_again_when_it_is_deleted_and_made_again() {
        databases.create("twice", "size: 2");
        databases.running("twice", 2);
        databases.query("twice", "twice-0", "CREATE DATABASE shop");
        databases.query("twice", "twice-0", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
        databases.query("twice", "twice-0", "INSERT INTO shop.orders VALUES (1), (2)");
        String password = databases.password("twice", "root-password");
        String settings = settings("twice").get(0);
        cluster.patch(cluster.get(ConfigMap.class, settings), "{\"metadata\":{\"labels\":{\"mysqlcluster_cr\":null}}}");
        databases.eventually(() -> assertThat(settings("twice")).containsExactly(settings));

        delete("twice");
        databases.create("twice", "size: 2");
        databases.running("twice", 2);

        assertThat(databases.password("twice", "root-password")).isEqualTo(password);
        for (String member : List.of("twice-0", "twice-1")) {
            databases.eventually(() -> assertThat(databases.query("twice", member, "SELECT id FROM shop.orders"))
                    .containsExactly("1", "2"));
        }
        String primary = String.valueOf(databases.status("twice").currentPrimary());
        databases.query("twice", primary, "INSERT INTO shop.orders VALUES (3)");

        delete("twice");
        databases.create("twice", "size: 2, bootstrapFrom: {backupName: any}");
        databases.eventually(
                () -> assertThat(databases.condition("twice", "Degraded")).isEqualTo("True VolumesHaveData"));
        cluster.patch(cluster.get(MySQLCluster.class, "twice"), "{\"spec\":{\"bootstrapFrom\":null}}");
        databases.running("twice", 2);
        primary = String.valueOf(databases.status("twice").currentPrimary());
        assertThat(databases.query("twice", primary, "SELECT id FROM shop.orders"))
                .containsExactly("1", "2", "3");
    }

    @Test
    void leaves_nothing_behind_where_that_is_asked_for() {
        databases.create("gone", "size: 2");
        databases.running("gone", 2);
        cluster.patch(cluster.get(MySQLCluster.class, "gone"), "{\"spec\":{\"deletionPolicy\":\"Delete\"}}");
        databases.eventually(() -> {
            assertThat(owners(Secret.class, "gone-auth")).containsExactly("gone");
            assertThat(owners(PersistentVolumeClaim.class, "data-gone-0")).containsExactly("gone");
            assertThat(owners(PersistentVolumeClaim.class, "data-gone-1")).containsExactly("gone");
        });

        delete("gone");

        databases.eventually(() -> {
            assertThat(cluster.resource(Secret.class, "gone-auth").get()).isNull();
            assertThat(cluster.resource(PersistentVolumeClaim.class, "data-gone-0")
                            .get())
                    .isNull();
            assertThat(cluster.resource(PersistentVolumeClaim.class, "data-gone-1")
                            .get())
                    .isNull();
        });
    }

    private List<String> owners(Class<? extends HasMetadata> type, String name) {
        return cluster.get(type, name).getMetadata().getOwnerReferences().stream()
                .map(OwnerReference::getName)
                .toList();
    }

    /** The names of the ConfigMaps that are labelled as a cluster's. */
    private List<String> settings(String name) {
        return cluster
                .client()
                .configMaps()
                .inNamespace(cluster.namespace())
                .withLabel("mysqlcluster_cr", name)
                .list()
                .getItems()
                .stream()
                .map(map -> map.getMetadata().getName())
                .toList();
    }

    /** With all that the garbage collector takes away. */
    private void delete(String name) {
        cluster.resource(MySQLCluster.class, name).delete();
        databases.eventually(() -> {
            assertThat(cluster.resource(StatefulSet.class, name).get()).isNull();
            assertThat(cluster.resource(Pod.class, name + "-0").get()).isNull();
            assertThat(cluster.resource(Pod.class, name + "-1").get()).isNull();
        });
    }

    @Test
    void hands_over_again_and_again_without_losing_what_programs_were_told_is_kept() throws Exception {
        handsOverUnder("busy", RowWriter::start);
    }

    @Test
    void hands_over_again_and_again_without_losing_what_root_was_told_is_kept() throws Exception {
        handsOverUnder("rooted", RowWriter::startAsRoot);
    }

    private interface Start {
        RowWriter writer(Databases databases, String name, int connections);
    }

    private void handsOverUnder(String name, Start start) throws InterruptedException {
        databases.create(name, "size: 3, replication: {primaryOrdinal: 0}");
        databases.running(name, 3);
        RowWriter writer = start.writer(databases, name, 8);
        try {
            for (int round = 1; round <= SWITCHOVERS; round++) {
                int next = round % 3;
                cluster.patch(
                        cluster.get(MySQLCluster.class, name),
                        "{\"spec\":{\"replication\":{\"primaryOrdinal\":" + next + "}}}");
                databases.eventually(() ->
                        assertThat(databases.status(name).currentPrimary()).isEqualTo(name + "-" + next));
                databases.running(name, 3);
            }
        } finally {
            writer.end();
        }
        String primary = String.valueOf(databases.status(name).currentPrimary());
        Set<Long> missing = new TreeSet<>();
        writer.acknowledged().forEach(one -> missing.add(one.number()));
        assertThat(missing).as("acknowledged").hasSizeGreaterThan(100);
        databases
                .query(name, primary, "SELECT number FROM " + RowWriter.TABLE)
                .forEach(row -> missing.remove(Long.valueOf(row)));
        assertThat(missing).as("acknowledged and lost").isEmpty();
        assertThat(databases.events(name)).doesNotContain("MemberDiverged");
    }

    @Test
    void gives_a_new_member_a_copy_and_moves_the_primary_before_its_member_goes() {
        databases.create("sized", "size: 2");
        databases.running("sized", 2);
        databases.query("sized", "sized-0", "CREATE DATABASE shop");

        cluster.patch(
                cluster.get(MySQLCluster.class, "sized"),
                "{\"spec\":{\"size\":3,\"replication\":{\"primaryOrdinal\":1}}}");
        databases.eventually(
                () -> assertThat(databases.status("sized").currentPrimary()).isEqualTo("sized-1"));
        databases.running("sized", 3);
        assertThat(databases.query("sized", "sized-2", "SHOW DATABASES")).contains("shop");

        cluster.patch(
                cluster.get(MySQLCluster.class, "sized"),
                "{\"spec\":{\"size\":1,\"replication\":{\"primaryOrdinal\":null}}}");
        databases.eventually(() -> assertThat(databases.status("sized").nodes()).containsExactly("sized-0"));
        databases.running("sized", 1);
        assertThat(databases.status("sized").currentPrimary()).isEqualTo("sized-0");
        databases.query("sized", "sized-0", "CREATE DATABASE after_it");
        databases.awaitEvents("sized", "ScaledUp", "ScaledDown", "MemberRecloned");
    }
}
