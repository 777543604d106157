package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.internal.certificate.CertificateIssuer;
import io.busbar.common.internal.certificate.Pem;
import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalPrimaryState;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalPrimaryStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLUser;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster takes over from a server outside, to which a program writes until a moment before. */
@WithDatabases
class MySQLMigrationIT {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String NUMBERS = "SELECT number FROM " + OutsideServer.TABLE;

    private static final Map<Product, String> IGNORED = Map.of(
            Product.MARIADB,
            "SELECT @@GLOBAL.replicate_wild_ignore_table",
            Product.MYSQL,
            "SELECT COALESCE(GROUP_CONCAT(FILTER_RULE), '') FROM"
                    + " performance_schema.replication_applier_global_filters");

    @TempDir
    private Path folder;

    private final Cluster cluster;
    private final Databases databases;

    MySQLMigrationIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @Test
    void takes_over_all_that_was_acknowledged_after_the_loss_of_the_server_outside_and_of_its_own_primary()
            throws Exception {
        try (OutsideServer outside = OutsideServer.start(databases, folder)) {
            outside.query("CREATE DATABASE `other-one`");
            outside.query("CREATE VIEW shop.last AS SELECT MAX(number) AS number FROM " + OutsideServer.TABLE);
            outside.query("CREATE EVENT shop.tick ON SCHEDULE EVERY 1 HOUR DO SELECT 1");
            outside.beginToWrite();
            credentials("moving");
            databases.create(
                    "moved",
                    "size: 3, replication: {semiSync: true}, failover: {delaySeconds: 2}, backup: {storage: {hostPath: "
                            + folder + "}}, " + from(outside));
            follows("moved", 3);
            assertThat(databases.labelled("moved", "primary")).isEmpty();
            assertThat(databases.query("moved", "moved-0", "SELECT @@GLOBAL.read_only"))
                    .containsExactly("1");
            waits("shop-user", "moved");

            // What is done to accounts there is not done here, and holds nothing up.
            outside.query("CREATE USER later@'%' IDENTIFIED BY 'later'");
            outside.query("ALTER USER root@'%' IDENTIFIED BY 'outside'");
            outside.query("CREATE TABLE shop.later (id INT PRIMARY KEY)");
            databases.eventually(() -> assertThat(databases.query("moved", "moved-2", "SHOW TABLES IN shop"))
                    .contains("later"));

            outside.kill();
            databases.eventually(
                    () -> assertThat(databases.condition("moved", "Migrating")).isEqualTo("True Disconnected"));
            outside.restart();
            follows("moved", 3);
            assertThat(databases.status("moved").currentPrimary()).isEqualTo("moved-0");

            databases.server("moved-0").hold();
            databases.eventually(
                    () -> assertThat(databases.status("moved").currentPrimary()).isNotEqualTo("moved-0"));
            outside.query("CREATE TABLE shop.meanwhile (id INT PRIMARY KEY)");
            databases.server("moved-0").release();
            follows("moved", 3);
            databases.eventually(() -> assertThat(databases.query("moved", "moved-0", "SHOW TABLES IN shop"))
                    .contains("meanwhile"));
            backsUp("moved");

            annotate("moved", "true");
            databases.eventually(() -> {
                assertThat(databases.condition("moved", "Migrating")).isEqualTo("True CutOverWaits");
                assertThat(databases.message("moved", "Migrating")).contains("takes writes still");
            });
            outside.endToWrite();
            outside.query(
                    "SET GLOBAL " + (databases.product() == Product.MYSQL ? "super_read_only" : "read_only") + " = ON");

            MySQLClusterStatus status = databases.running("moved", 3, PATIENCE);
            assertThat(databases.condition("moved", "Migrating")).isEqualTo("False CutOver");
            assertThat(state("moved")).isEqualTo(ExternalPrimaryState.CutOver);
            assertThat(outside.acknowledged()).hasSizeGreaterThan(100);
            String primary = String.valueOf(status.currentPrimary());
            databases.query("moved", primary, "INSERT INTO shop.later VALUES (1)");
            for (String pod : status.nodes()) {
                databases.eventually(() -> assertThat(databases.query("moved", pod, "SELECT id FROM shop.later"))
                        .containsExactly("1"));
                assertThat(missing(outside, pod)).as("lost at %s", pod).isEmpty();
                assertThat(databases.query("moved", pod, "SHOW DATABASES")).contains("other-one", "app");
                assertThat(databases.query("moved", pod, "SELECT User FROM mysql.user"))
                        .doesNotContain("mover", "later");
            }
            databases.eventually(() -> assertThat(
                            cluster.get(MySQLUser.class, "shop-user").told().conditions())
                    .anyMatch(one ->
                            one.getType().equals("Ready") && one.getStatus().equals("True")));
            assertThat(databases.threads("moved", primary)).isEmpty();
            assertThat(databases.query("moved", primary, IGNORED.get(databases.product())))
                    .as("ignored of what comes")
                    .containsExactly("");
            assertThat(databases.events("moved")).doesNotContain("MemberDiverged", "SplitBrain");

            // An account that is made now must get to the former primary, too, which ignored such statements.
            databases.query("moved", primary, "CREATE USER afterwards@'%' IDENTIFIED BY 'afterwards'");
            databases.eventually(() -> assertThat(databases.query(
                            "moved", "moved-0", "SELECT User FROM mysql.user WHERE User = 'afterwards'"))
                    .hasSize(1));
        }
    }

    @Test
    void says_what_keeps_it_from_copying_a_server() throws Exception {
        try (OutsideServer outside = OutsideServer.start(databases, folder)) {
            outside.query("CREATE TABLE shop.old (id INT PRIMARY KEY) ENGINE=MyISAM");
            credentials("wrong");
            databases.create("refused", "size: 1, " + from(outside));
            databases.eventually(() -> {
                assertThat(databases.condition("refused", "Degraded")).isEqualTo("True ExternalPrimaryRefused");
                assertThat(databases.message("refused", "Degraded"))
                        .contains("Secret mover is not let in")
                        .doesNotContain("wrong");
            });
            credentials("moving");
            follows("refused", 1);
            databases.awaitEvents("refused", "NotTransactional");

            databases.create(
                    "nowhere",
                    "size: 1, bootstrapFrom: {externalPrimary: {host: 127.0.5.250, credentialsSecretRef: {name: mover}}}");
            databases.eventually(() -> assertThat(databases.message("nowhere", "Degraded"))
                    .contains("127.0.5.250:3306", "host, port and tls"));
        }
    }

    @Test
    void over_TLS_only_one_that_is_vouched_for_is_copied_and_followed() throws Exception {
        CertificateIssuer issuer = new CertificateIssuer("outside");
        Instant now = Instant.now();
        KeyPair authorityKeys = issuer.newKeys();
        KeyPair keys = issuer.newKeys();
        X509Certificate authority = issuer.authority(authorityKeys, now, Duration.ofDays(1));
        X509Certificate serving = issuer.serving(
                List.of("db.example.com"),
                keys.getPublic(),
                authority,
                authorityKeys.getPrivate(),
                now,
                Duration.ofDays(1));
        Path ca = Files.writeString(folder.resolve("ca.crt"), Pem.write(List.of(authority)));
        Path certificate = Files.writeString(folder.resolve("tls.crt"), Pem.write(List.of(serving)));
        Path key = Files.writeString(folder.resolve("tls.key"), Pem.write(keys.getPrivate()));
        try (OutsideServer outside =
                OutsideServer.start(databases, folder, "ssl_ca=" + ca, "ssl_cert=" + certificate, "ssl_key=" + key)) {
            outside.query("ALTER USER mover@'%' REQUIRE SSL");
            credentials("moving");
            authorities("outside-ca", authority);
            authorities("other-ca", issuer.authority(issuer.newKeys(), now, Duration.ofDays(1)));

            databases.create("plain", "size: 1, " + from(outside));
            databases.eventually(
                    () -> assertThat(databases.message("plain", "Degraded")).contains("Secret mover is not let in"));
            databases.create("strange", "size: 1, " + from(outside, "VerifyCA", "other-ca"));
            databases.eventually(() -> assertThat(databases.message("strange", "Degraded"))
                    .contains("unable to find valid certification path"));
            databases.create("misnamed", "size: 1, " + from(outside, "VerifyIdentity", "outside-ca"));
            databases.eventually(() -> assertThat(databases.message("misnamed", "Degraded"))
                    .contains("the certificate is for [db.example.com], not for " + outside.address()));

            databases.create("sealed", "size: 2, " + from(outside, "VerifyCA", "outside-ca"));
            follows("sealed", 2);
            outside.query("CREATE TABLE shop.sealed (id INT PRIMARY KEY)");
            databases.eventually(() -> assertThat(databases.query("sealed", "sealed-1", "SHOW TABLES IN shop"))
                    .contains("sealed"));
        }
    }

    private void authorities(String name, X509Certificate authority) {
        cluster.create(Secret.class, """
                apiVersion: v1
                kind: Secret
                metadata: {name: %s, namespace: %s}
                data: {ca.crt: %s}
                """.formatted(
                name,
                cluster.namespace(),
                Base64.getEncoder().encodeToString(Pem.write(List.of(authority)).getBytes(StandardCharsets.UTF_8))));
    }

    private static String from(OutsideServer outside, String mode, String authorities) {
        return "bootstrapFrom: {externalPrimary: {host: " + outside.address()
                + ", credentialsSecretRef: {name: mover}, tls: {mode: " + mode + ", caSecretRef: {name: "
                + authorities + "}}}}";
    }

    private static String from(OutsideServer outside) {
        return "bootstrapFrom: {externalPrimary: {host: " + outside.address()
                + ", credentialsSecretRef: {name: mover}}}";
    }

    private void credentials(String password) {
        cluster.client()
                .secrets()
                .inNamespace(cluster.namespace())
                .withName("mover")
                .delete();
        cluster.create(Secret.class, """
                apiVersion: v1
                kind: Secret
                metadata: {name: mover, namespace: %s}
                stringData: {username: mover, password: %s}
                """.formatted(cluster.namespace(), password));
    }

    private void follows(String name, int members) {
        Databases.within(PATIENCE, () -> {
            MySQLClusterStatus status = databases.status(name);
            assertThat(state(name)).as("%s", status).isEqualTo(ExternalPrimaryState.Following);
            assertThat(status.readyReplicas()).as("%s", status).isEqualTo(members);
            assertThat(databases.condition(name, "Migrating")).isEqualTo("True Following");
        });
    }

    private ExternalPrimaryState state(String name) {
        ExternalPrimaryStatus told = databases.status(name).externalPrimary();
        return Objects.requireNonNull(told).state();
    }

    private Set<Long> missing(OutsideServer outside, String pod) {
        Set<Long> missing = new TreeSet<>(outside.acknowledged());
        List<String> there = databases.query("moved", pod, NUMBERS);
        there.forEach(row -> missing.remove(Long.valueOf(row)));
        return missing;
    }

    private void annotate(String name, String value) {
        databases.eventually(() -> cluster.patch(
                cluster.get(MySQLCluster.class, name),
                "{\"metadata\":{\"annotations\":{\"database.example.com/cut-over\":\"" + value + "\"}}}"));
    }

    /** An account that has to wait until the cluster takes writes. */
    private void waits(String user, String name) {
        cluster.create(MySQLUser.class, """
                apiVersion: database.example.com/v1alpha1
                kind: MySQLUser
                metadata: {name: %s, namespace: %s}
                spec: {clusterRef: {name: %s}, name: shop_user, passwordSecretKeyRef: {name: mover, key: password}}
                """.formatted(user, cluster.namespace(), name));
        databases.eventually(
                () -> assertThat(cluster.get(MySQLUser.class, user).told().conditions())
                        .anyMatch(one -> one.getReason().equals("FollowsExternalPrimary")));
    }

    private void backsUp(String name) {
        cluster.create(MySQLBackup.class, """
                apiVersion: database.example.com/v1alpha1
                kind: MySQLBackup
                metadata: {name: meanwhile, namespace: %s}
                spec: {clusterName: %s}
                """.formatted(cluster.namespace(), name));
        databases.eventually(() -> assertThat(
                        cluster.get(MySQLBackup.class, "meanwhile").told().phase())
                .isEqualTo("Complete"));
    }
}
