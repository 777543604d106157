package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.certificates.ServingCertificate;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Certificates of cert-manager, whose part is played here. */
@WithDatabases(alone = true)
class MySQLCertManagerIT {

    private static final ResourceDefinitionContext CERTIFICATES = new ResourceDefinitionContext.Builder()
            .withGroup("cert-manager.io")
            .withVersion("v1")
            .withKind("Certificate")
            .withPlural("certificates")
            .withNamespaced(true)
            .build();

    private final Cluster cluster;
    private final Databases databases;

    MySQLCertManagerIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @Test
    void cert_manager_issues_the_certificate_until_the_operator_is_to_do_so() {
        cluster.create(CustomResourceDefinition.class, """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: certificates.cert-manager.io}
                spec:
                  group: cert-manager.io
                  scope: Namespaced
                  names: {kind: Certificate, listKind: CertificateList, plural: certificates, singular: certificate}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """);
        cluster.eventually(() -> cluster.client()
                .genericKubernetesResources(CERTIFICATES)
                .inNamespace(cluster.namespace())
                .list());
        databases.create("issued", "size: 1, tls: {mode: Preferred, issuerRef: {name: ours}}");
        databases.eventually(() ->
                assertThat(databases.condition("issued", "CertificateReady")).isEqualTo("False WaitingForIssuer"));

        issue();
        databases.running("issued", 1);
        databases.eventually(() ->
                assertThat(databases.condition("issued", "CertificateReady")).isEqualTo("True Served"));

        patch("{\"tls\":{\"issuerRef\":{\"name\":\"others\"}}}");
        databases.eventually(() -> assertThat(certificate().require().<String>get("spec", "issuerRef", "name"))
                .isEqualTo("others"));
        patch("{\"tls\":{\"issuerRef\":null}}");
        databases.eventually(() -> assertThat(certificate().get()).isNull());
        assertThat(cluster.get(Secret.class, "issued-ca").getData()).containsKey("ca.key");
        databases.eventually(() ->
                assertThat(databases.condition("issued", "CertificateReady")).isEqualTo("True Served"));
        databases.running("issued", 1);
    }

    /** As cert-manager does. */
    private void issue() {
        GenericKubernetesResource asked = certificate().require();
        ServingCertificate made = new EphemeralCertificates(asked.<List<String>>get("spec", "dnsNames")).read();
        cluster.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("issued-tls")
                        .withNamespace(cluster.namespace())
                        .withLabels(asked.<Map<String, String>>get("spec", "secretTemplate", "labels"))
                        .addToAnnotations("cert-manager.io/issuer-name", "ours")
                        .endMetadata()
                        .withType("kubernetes.io/tls")
                        .addToData("ca.crt", encoded(made.caBundle()))
                        .addToData("tls.crt", encoded(made.chainPem()))
                        .addToData("tls.key", encoded(made.keyPem()))
                        .build())
                .create();
    }

    private Resource<GenericKubernetesResource> certificate() {
        return cluster.client()
                .genericKubernetesResources(CERTIFICATES)
                .inNamespace(cluster.namespace())
                .withName("issued-tls");
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private void patch(String spec) {
        cluster.patch(cluster.get(MySQLCluster.class, "issued"), "{\"spec\":" + spec + "}");
    }
}
