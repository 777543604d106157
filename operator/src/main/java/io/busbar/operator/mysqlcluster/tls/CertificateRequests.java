package io.busbar.operator.mysqlcluster.tls;

import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.busbar.operator.mysqlcluster.v1alpha1.IssuerRef;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Asks cert-manager for the certificate of a cluster's servers: it is written into the Secret that the members mount.
 * Its kind is not watched, as most clusters do not have it. Any thread; blocks as requests do.
 */
final class CertificateRequests {

    /** API group of what is asked for. */
    static final String GROUP = "cert-manager.io";

    private static final ResourceDefinitionContext CERTIFICATES = new ResourceDefinitionContext.Builder()
            .withGroup(GROUP)
            .withVersion("v1")
            .withKind("Certificate")
            .withPlural("certificates")
            .withNamespaced(true)
            .build();

    /** Writes only what is not so already. */
    void request(MySQLCluster cluster, IssuerRef issuer, KubernetesClient client) throws NoCertificate {
        Map<String, Object> spec = spec(cluster, issuer);
        GenericKubernetesResource there = resource(cluster, client).get();
        if (there == null) {
            create(cluster, spec, client);
        } else if (!isAsAsked(there, spec)) {
            resource(cluster, client)
                    .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(Map.of("spec", spec)));
        }
    }

    private static void create(MySQLCluster cluster, Map<String, Object> spec, KubernetesClient client)
            throws NoCertificate {
        GenericKubernetesResource certificate = new GenericKubernetesResourceBuilder()
                .withApiVersion(GROUP + "/v1")
                .withKind("Certificate")
                .withNewMetadata()
                .withName(name(cluster))
                .withNamespace(cluster.getMetadata().getNamespace())
                .withLabels(ClusterNames.labels(cluster.getMetadata().getName()))
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion(cluster.getApiVersion())
                        .withKind(cluster.getKind())
                        .withName(cluster.getMetadata().getName())
                        .withUid(cluster.getMetadata().getUid())
                        .withController(true)
                        .build())
                .endMetadata()
                .build();
        certificate.setAdditionalProperty("spec", spec);
        try {
            client.genericKubernetesResources(CERTIFICATES)
                    .inNamespace(cluster.getMetadata().getNamespace())
                    .resource(certificate)
                    .create();
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw failure;
            }
            throw new NoCertificate(
                    ClusterReasons.CERT_MANAGER_MISSING,
                    "there are no Certificates of " + GROUP + "/v1 in this cluster: install cert-manager, or leave out"
                            + " spec.tls.issuerRef for a CA of the operator's own");
        }
    }

    /** What it says of a certificate that it has not issued yet. */
    String state(MySQLCluster cluster, KubernetesClient client) {
        GenericKubernetesResource there = resource(cluster, client).get();
        String waiting = "waiting for the Certificate " + name(cluster);
        List<Map<String, Object>> conditions = there == null ? null : there.get("status", "conditions");
        if (conditions == null) {
            return waiting;
        }
        return conditions.stream()
                .filter(condition -> "Ready".equals(condition.get("type")))
                .findFirst()
                .map(condition -> waiting + ": " + condition.get("message"))
                .orElse(waiting);
    }

    /**
     * It does not write into a Secret any more, if it did, as annotations there say.
     *
     * @return the Secret as it is now
     */
    Secret withdraw(MySQLCluster cluster, Secret secret, KubernetesClient client) {
        Map<String, Object> none = new HashMap<>();
        Objects.requireNonNullElse(secret.getMetadata().getAnnotations(), Map.<String, String>of()).keySet().stream()
                .filter(key -> key.startsWith(GROUP))
                .forEach(key -> none.put(key, null));
        if (none.isEmpty()) {
            return secret;
        }
        resource(cluster, client).delete();
        return client.resource(secret)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        Serialization.asJson(Map.of("metadata", Map.of("annotations", none))));
    }

    private static Resource<GenericKubernetesResource> resource(MySQLCluster cluster, KubernetesClient client) {
        return client.genericKubernetesResources(CERTIFICATES)
                .inNamespace(cluster.getMetadata().getNamespace())
                .withName(name(cluster));
    }

    private static Map<String, Object> spec(MySQLCluster cluster, IssuerRef issuer) {
        return Map.of(
                "secretName",
                name(cluster),
                "secretTemplate",
                Map.of("labels", ClusterNames.labels(cluster.getMetadata().getName())),
                "dnsNames",
                new ClusterObjects(cluster).hosts(),
                "usages",
                List.of("digital signature", "key encipherment", "server auth"),
                "issuerRef",
                Map.of("name", issuer.name(), "kind", issuer.kind(), "group", issuer.group()));
    }

    /** What somebody has added stays. */
    private static boolean isAsAsked(GenericKubernetesResource there, Map<String, Object> spec) {
        Map<String, Object> has = there.get("spec");
        return has != null
                && spec.entrySet().stream().allMatch(asked -> asked.getValue().equals(has.get(asked.getKey())));
    }

    private static String name(MySQLCluster cluster) {
        return ClusterNames.tls(cluster.getMetadata().getName());
    }
}
