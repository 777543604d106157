package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.internal.certificate.CertificateIssuer;
import io.busbar.common.internal.certificate.Pem;
import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

@WithDatabases
class MySQLTlsIT {

    /** For a rollout of three, each after the other. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final String DEMANDS = "SELECT CONCAT(User, ' ', ssl_type) FROM mysql.user WHERE Host = '%' AND User"
            + " LIKE 'busbar%' ORDER BY User";

    private final Cluster cluster;
    private final Databases databases;

    MySQLTlsIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @Test
    void nobody_gets_in_without_TLS_and_replicas_and_copies_come_over_it() {
        databases.create("sealed", "size: 3, replication: {semiSync: true}, tls: {mode: Required}");
        List<String> pods = databases.running("sealed", 3).nodes();
        databases.eventually(() ->
                assertThat(databases.condition("sealed", "CertificateReady")).isEqualTo("True Served"));

        String password = databases.password("sealed", "application-password");
        for (String pod : pods) {
            databases.eventually(
                    () -> assertThat(databases.query("sealed", pod, "SELECT @@GLOBAL.require_secure_transport"))
                            .containsExactly("1"));
            for (String account : List.of("root", "busbar_operator", "busbar_replication", "busbar_application")) {
                assertThatThrownBy(() -> SqlClient.connect(
                                databases.vertx(), databases.address(pod), account, passwordOf("sealed", account)))
                        .as("%s at %s without TLS", account, pod)
                        .isInstanceOf(IllegalStateException.class);
            }
            databases.connect(pod, "busbar_application", password).close();
            databases.eventually(() -> assertThat(databases.query("sealed", pod, DEMANDS))
                    .containsExactly("busbar_application ANY", "busbar_operator ANY", "busbar_replication ANY"));
        }
        assertThat(link("sealed", "sealed-1")).startsWith("Yes", "/etc/mysql/tls/ca.crt");
        assertThat(cluster.get(Secret.class, "sealed-tls").getData()).doesNotContainKey("ca.key");

        databases.query("sealed", "sealed-0", "CREATE DATABASE shop");
        databases.query("sealed", "sealed-0", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
        databases.server("sealed-2").loseData();
        databases.eventually(() -> assertThat(databases.events("sealed")).contains("MemberRecloned"));
        databases.eventually(() -> assertThat(databases.query("sealed", "sealed-2", "SHOW TABLES IN shop"))
                .containsExactly("orders"));
        databases.running("sealed", 3);
        databases.eventually(() -> assertThat(databases.query("sealed", "sealed-2", DEMANDS))
                .containsExactly("busbar_application ANY", "busbar_operator ANY", "busbar_replication ANY"));
    }

    @Test
    void a_cluster_that_runs_changes_over_to_TLS_and_back_and_loses_no_write() throws Exception {
        databases.create("turned", "size: 3, replication: {semiSync: true}");
        databases.running("turned", 3);
        // One that started late has got a copy already.
        int before = databases.told("turned", "MemberRecloned");
        RowWriter writer = RowWriter.start(databases, "turned", 2);
        try {
            patch("turned", "{\"tls\":{\"mode\":\"Required\"}}");
            Databases.within(
                    PATIENCE,
                    () -> assertThat(databases.condition("turned", "CertificateReady"))
                            .isEqualTo("True Served"));
            databases.running("turned", 3, PATIENCE);
            for (String pod : databases.status("turned").nodes()) {
                databases.eventually(() -> assertThat(databases.query("turned", pod, DEMANDS))
                        .containsExactly("busbar_application ANY", "busbar_operator ANY", "busbar_replication ANY"));
            }
            patch("turned", "{\"tls\":null}");
            Databases.within(
                    PATIENCE,
                    () -> assertThat(databases.condition("turned", "CertificateReady"))
                            .isEqualTo("False Disabled"));
            databases.running("turned", 3, PATIENCE);
        } finally {
            writer.end();
        }
        Set<Long> missing = new HashSet<>();
        writer.acknowledged().forEach(one -> missing.add(one.number()));
        assertThat(missing).hasSizeGreaterThan(100);
        String primary = String.valueOf(databases.status("turned").currentPrimary());
        databases
                .query("turned", primary, "SELECT number FROM " + RowWriter.TABLE)
                .forEach(row -> missing.remove(Long.valueOf(row)));
        assertThat(missing).as("acknowledged and lost").isEmpty();
        databases.eventually(() -> assertThat(databases.query("turned", primary, DEMANDS))
                .containsExactly("busbar_application ", "busbar_operator ", "busbar_replication "));
        assertThat(databases.events("turned")).doesNotContain("FailoverStarted", "MemberDiverged");
        assertThat(databases.told("turned", "MemberRecloned")).isEqualTo(before);
    }

    @Test
    void a_new_certificate_is_shown_while_connections_go_on() throws Exception {
        databases.create("renewed", "size: 2, tls: {mode: Preferred}");
        databases.running("renewed", 2);
        databases.eventually(() ->
                assertThat(databases.condition("renewed", "CertificateReady")).isEqualTo("True Served"));
        String before = databases.message("renewed", "CertificateReady");

        try (SqlClient pooled = databases.connect("renewed", "renewed-0")) {
            List<String> connection = pooled.query("SELECT CONNECTION_ID()");
            age("renewed-ca");
            // Has the operator look at the Secrets now, and not within a minute.
            patch("renewed", "{\"deletionPolicy\":\"Delete\"}");
            // It may be served at once: that it is being renewed is in between, and no look may fall into it.
            databases.eventually(() ->
                    assertThat(databases.message("renewed", "CertificateReady")).isNotEqualTo(before));
            databases.eventually(() -> assertThat(databases.condition("renewed", "CertificateReady"))
                    .isEqualTo("True Served"));
            assertThat(databases.message("renewed", "CertificateReady")).isNotEqualTo(before);
            assertThat(pooled.query("SELECT CONNECTION_ID()")).isEqualTo(connection);
        }
        assertThat(cluster.get(Secret.class, "renewed-ca").getMetadata().getOwnerReferences())
                .hasSize(1);
        databases.running("renewed", 2);
    }

    @Test
    void without_cert_manager_a_cluster_that_asks_for_it_says_so_and_begins_once_it_does_not() {
        databases.create("issued", "size: 1, tls: {mode: Preferred, issuerRef: {name: ours}}");
        databases.eventually(() ->
                assertThat(databases.condition("issued", "CertificateReady")).isEqualTo("False CertManagerMissing"));
        assertThat(databases.message("issued", "CertificateReady")).contains("install cert-manager");

        patch("issued", "{\"tls\":{\"issuerRef\":null}}");
        databases.running("issued", 1);
        databases.eventually(() ->
                assertThat(databases.condition("issued", "CertificateReady")).isEqualTo("True Served"));
    }

    /** What the operator has to renew: by its own CA, and due for long. */
    private void age(String name) throws Exception {
        Secret secret = cluster.get(Secret.class, name);
        CertificateIssuer issuer = new CertificateIssuer("aged");
        KeyPair keys = issuer.newKeys();
        String aged = Pem.write(List.of(issuer.serving(
                CertificateIssuer.names(
                        Pem.certificates(text(secret, "tls.crt")).get(0)),
                keys.getPublic(),
                Pem.certificates(text(secret, "ca.crt")).get(0),
                Pem.privateKey(text(secret, "ca.key")),
                Instant.now().minus(Duration.ofDays(300)),
                Duration.ofDays(365))));
        cluster.client()
                .resource(new SecretBuilder(secret)
                        .addToData(Map.of("tls.crt", encoded(aged), "tls.key", encoded(Pem.write(keys.getPrivate()))))
                        .build())
                .update();
    }

    private static String text(Secret secret, String key) {
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private String passwordOf(String name, String account) {
        return databases.password(name, account.replace("busbar_", "") + "-password");
    }

    private List<String> link(String name, String pod) {
        return databases.product() == Product.MARIADB
                ? databases.column(name, pod, "SHOW ALL SLAVES STATUS", "Master_SSL_Allowed", "Master_SSL_CA_File")
                : databases.column(name, pod, "SHOW REPLICA STATUS", "Source_SSL_Allowed", "Source_SSL_CA_File");
    }

    private void patch(String name, String spec) {
        cluster.patch(cluster.get(MySQLCluster.class, name), "{\"spec\":" + spec + "}");
    }
}
