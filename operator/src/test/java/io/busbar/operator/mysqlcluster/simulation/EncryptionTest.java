package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.certificates.ServingCertificate;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.tls.Certificates;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class EncryptionTest {

    private static final String PLAIN = "size: 3\nreplication: {semiSync: true}\n";
    private static final String PREFERRED = PLAIN + "tls: {mode: Preferred}\n";
    private static final String REQUIRED = PLAIN + "tls: {mode: Required}\n";

    private static final CustomResourceDefinition CERTIFICATES =
            Serialization.unmarshal("""
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: certificates.cert-manager.io}
            spec:
              group: cert-manager.io
              scope: Namespaced
              names: {kind: Certificate, plural: certificates, singular: certificate}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """, CustomResourceDefinition.class);

    @Test
    void a_new_cluster_has_certificates_from_the_beginning_and_then_lets_nobody_in_without() {
        SimulatedCluster cluster = SimulatedCluster.running(REQUIRED);

        cluster.settle();

        assertThat(cluster.servers.all()).allMatch(server -> server.endpoint.encrypted() && server.asksForTls);
        assertThat(secret(cluster, "db-tls").getData()).containsOnlyKeys("ca.crt", "tls.crt", "tls.key");
        assertThat(secret(cluster, "db-ca").getData()).containsKey("ca.key");
        assertThat(cluster.reason(ConditionTypes.CERTIFICATE_READY)).isEqualTo("Served");
        assertThat(cluster.message(ConditionTypes.CERTIFICATE_READY)).contains("good until ");
        Whole.check(cluster);
    }

    @Test
    void a_cluster_that_says_nothing_has_neither_certificates_nor_a_condition() {
        SimulatedCluster cluster = SimulatedCluster.running(PLAIN);

        assertThat(cluster.context.get(Secret.class, "db-tls")).isEmpty();
        assertThat(Conditions.find(cluster.status().conditions(), ConditionTypes.CERTIFICATE_READY))
                .isEmpty();
    }

    @Test
    void nobody_is_asked_for_TLS_before_all_members_have_certificates() {
        SimulatedCluster cluster = SimulatedCluster.running(PLAIN);
        cluster.spec(REQUIRED);

        cluster.until(() -> cluster.server(2).endpoint.encrypted());
        assertThat(cluster.servers.all()).noneMatch(server -> server.asksForTls);
        assertThat(cluster.message(ConditionTypes.CERTIFICATE_READY)).contains("db-0");
        cluster.settle();

        assertThat(cluster.servers.all()).allMatch(server -> server.endpoint.encrypted() && server.asksForTls);
        assertThat(cluster.calls.made())
                .containsSubsequence("delete db-2 #1", "delete db-1 #1", "delete db-0 #1", "requireEncryption db-0 #1");
        Whole.check(cluster);
    }

    @Test
    void all_have_stopped_to_ask_for_TLS_before_the_first_goes_without() {
        SimulatedCluster cluster = SimulatedCluster.running(REQUIRED);
        cluster.settle();
        cluster.node.kill("db-2", Duration.ofSeconds(20));
        cluster.spec(PLAIN);

        cluster.turns(10);
        assertThat(cluster.made("delete")).as("while one cannot be told").isEmpty();
        assertThat(ClusterNames.isEncrypted(cluster.pod(2).getSpec())).isTrue();
        cluster.until(() -> cluster.servers.all().stream().noneMatch(server -> server.endpoint.encrypted()));
        cluster.settle();

        assertThat(cluster.servers.all()).noneMatch(server -> server.asksForTls);
        assertThat(Conditions.find(cluster.status().conditions(), ConditionTypes.CERTIFICATE_READY)
                        .orElseThrow()
                        .getReason())
                .isEqualTo("Disabled");
        Whole.check(cluster);
    }

    /** As on the volumes that a cluster with {@code tls} has left. */
    @Test
    void where_accounts_ask_for_TLS_and_the_cluster_has_none_it_says_so() {
        SimulatedCluster cluster = SimulatedCluster.running(PLAIN);
        cluster.servers.all().forEach(server -> server.asksForTls = true);

        cluster.turns(10);
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("AccessDenied");
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("set spec.tls.mode to Preferred, and delete");
        cluster.spec(PREFERRED);
        cluster.turns(2);
        List.of("db-0", "db-1", "db-2").forEach(cluster.node::deletePod);
        cluster.settle();

        assertThat(cluster.servers.all()).noneMatch(server -> server.asksForTls);
        cluster.spec(PLAIN);
        cluster.settle();
        Whole.check(cluster);
    }

    @Test
    void a_new_certificate_is_loaded_once_its_files_are_there_and_never_again() {
        SimulatedCluster cluster = SimulatedCluster.running(PREFERRED);
        cluster.settle();
        X509Certificate first = Objects.requireNonNull(cluster.server(0).shown);
        cluster.node.lateFiles = true;
        cluster.context.advance(Duration.ofDays(250));

        cluster.turns(30);
        assertThat(cluster.reason(ConditionTypes.CERTIFICATE_READY)).isEqualTo("Renewing");
        assertThat(cluster.server(0).shown).isEqualTo(first);
        assertThat(cluster.made("reloadCertificate db-0")).hasSizeBetween(2, 4);
        cluster.node.lateFiles = false;
        cluster.until(() -> cluster.reason(ConditionTypes.CERTIFICATE_READY).equals("Served"));

        assertThat(cluster.servers.all()).allMatch(server -> !first.equals(server.shown));
        int reloads = cluster.made("reloadCertificate").size();
        cluster.newOperator();
        cluster.turns(30);
        assertThat(cluster.made("reloadCertificate")).hasSize(reloads);
        assertThat(cluster.made("delete")).isEmpty();
        Whole.check(cluster);
    }

    @Test
    void a_CA_that_is_lost_while_no_operator_runs_is_believed_until_no_server_shows_it_any_more() {
        SimulatedCluster cluster = SimulatedCluster.running(REQUIRED);
        cluster.settle();
        cluster.context.deleteAsUser(secret(cluster, "db-ca"));
        cluster.node.lateFiles = true;
        for (int operators = 0; operators < 2; operators++) {
            cluster.newOperator();
            cluster.turns(70);
            assertThat(cluster.reason(ConditionTypes.CERTIFICATE_READY))
                    .as("%s", cluster)
                    .isEqualTo("Renewing");
            assertThat(cluster.status().readyReplicas()).as("%s", cluster).isEqualTo(3);
            assertThat(authorities(cluster)).as("programs verify servers, too").hasSize(2);
        }

        cluster.node.lateFiles = false;
        cluster.until(() -> cluster.reason(ConditionTypes.CERTIFICATE_READY).equals("Served"));
        cluster.turns(65);

        assertThat(authorities(cluster)).hasSize(1);
        assertThat(cluster.made("delete")).as("no Pod").containsExactly("delete db-ca #1");
        Whole.check(cluster);
    }

    private static List<X509Certificate> authorities(SimulatedCluster cluster) {
        return Certificates.authorities(secret(cluster, "db-tls"));
    }

    @Test
    void cert_manager_is_asked_for_a_certificate_and_waited_for() {
        SimulatedCluster cluster = new SimulatedCluster(PLAIN + "tls: {mode: Required, issuerRef: {name: ours}}\n");
        cluster.context.serve(CERTIFICATES);

        cluster.turns(3);
        assertThat(told(cluster)).isEqualTo("WaitingForIssuer: waiting for the Certificate db-tls");
        assertThat(cluster.servers.all()).isEmpty();
        GenericKubernetesResource asked = cluster.context
                .client()
                .genericKubernetesResources("cert-manager.io/v1", "Certificate")
                .inNamespace("default")
                .withName("db-tls")
                .get();
        assertThat(asked.<String>get("spec", "issuerRef", "kind")).isEqualTo("Issuer");
        assertThat(asked.<List<String>>get("spec", "dnsNames"))
                .contains("db-primary.default.svc", "db-8.db-headless.default.svc");
        issue(cluster);
        cluster.settle();

        assertThat(told(cluster)).startsWith("Served");
        assertThat(cluster.servers.all()).allMatch(server -> server.endpoint.encrypted() && server.asksForTls);
        assertThat(cluster.context.get(Secret.class, "db-ca")).isEmpty();
    }

    @Test
    void a_CA_that_nobody_has_told_of_takes_over_while_servers_are_spoken_to_by_the_old_one() {
        SimulatedCluster cluster = SimulatedCluster.running(PREFERRED);
        cluster.settle();
        cluster.context.serve(CERTIFICATES);
        cluster.node.lateFiles = true;
        cluster.spec(PLAIN + "tls: {mode: Preferred, issuerRef: {name: ours}}\n");
        issue(cluster);

        cluster.turns(30);
        assertThat(told(cluster)).startsWith("Renewing: db-0, db-1, db-2 still show one");
        cluster.node.lateFiles = false;
        cluster.until(() -> told(cluster).startsWith("Served"));

        assertThat(cluster.made("delete")).isEmpty();
        Whole.check(cluster);
    }

    /** As cert-manager does. */
    private static void issue(SimulatedCluster cluster) {
        ServingCertificate made = new EphemeralCertificates(List.of("db-primary.default.svc")).read();
        cluster.context.put(new SecretBuilder()
                .withNewMetadata()
                .withName("db-tls")
                .withNamespace("default")
                .withLabels(ClusterNames.labels("db"))
                .endMetadata()
                .withType("kubernetes.io/tls")
                .addToData("ca.crt", encoded(made.caBundle()))
                .addToData("tls.crt", encoded(made.chainPem()))
                .addToData("tls.key", encoded(made.keyPem()))
                .build());
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String told(SimulatedCluster cluster) {
        return Conditions.find(cluster.status().conditions(), ConditionTypes.CERTIFICATE_READY)
                .map(condition -> condition.getReason() + ": " + condition.getMessage())
                .orElse("");
    }

    private static Secret secret(SimulatedCluster cluster, String name) {
        return cluster.context.get(Secret.class, name).orElseThrow();
    }
}
