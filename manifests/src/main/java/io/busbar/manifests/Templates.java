package io.busbar.manifests;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files of the tree that are alike for all operators, but for the words of a {@link Form}. They lie beside this
 * class, under {@code tree}.
 *
 * <p>Immutable.
 */
final class Templates {

    private static final List<String> FILES = List.of(
            "base/kustomization.yaml",
            "base/no_role_patch.yaml",
            "base/no_rules_patch.yaml",
            "base/no_webhooks_patch.yaml",
            "base/watched_roles.yaml",
            "certmanager/certificate-metrics.yaml",
            "certmanager/certificate-webhook.yaml",
            "certmanager/issuer.yaml",
            "certmanager/kustomization.yaml",
            "certmanager/kustomizeconfig.yaml",
            "components/no-webhooks/kustomization.yaml",
            "components/no-webhooks/manager_webhook_patch.yaml",
            "components/no-webhooks/no_configuration_patch.yaml",
            "components/no-webhooks/no_service_patch.yaml",
            "components/shard/kustomization.yaml",
            "components/shard/manager_shard_patch.yaml",
            "components/shard/role_shard_patch.yaml",
            "components/watched-namespaces/events_role_binding.yaml",
            "components/watched-namespaces/kustomization.yaml",
            "components/watched-namespaces/no_role_binding_patch.yaml",
            "components/webhook-client-ca/kustomization.yaml",
            "components/webhook-client-ca/manager_client_ca_patch.yaml",
            "default/cert_metrics_manager_patch.yaml",
            "default/kustomization.yaml",
            "default/manager_webhook_patch.yaml",
            "grafana/kustomization.yaml",
            "manager/kustomization.yaml",
            "manager/manager.yaml",
            "manager/metrics_service.yaml",
            "manager/pod_disruption_budget.yaml",
            "network-policy/allow-metrics-traffic.yaml",
            "network-policy/allow-webhook-traffic.yaml",
            "network-policy/kustomization.yaml",
            "prometheus/kustomization.yaml",
            "prometheus/monitor.yaml",
            "prometheus/rule.yaml",
            "rbac/leader_election_role_binding.yaml",
            "rbac/metrics_auth_role_binding.yaml",
            "rbac/role_binding.yaml",
            "rbac/service_account.yaml",
            "self-signed/certificates_role_binding.yaml",
            "self-signed/kustomization.yaml",
            "self-signed/manager_webhook_patch.yaml",
            "watched-namespace/kustomization.yaml",
            "watched-namespace/role_binding.yaml",
            "webhook/kustomization.yaml",
            "webhook/service.yaml");

    private Templates() {}

    static SortedMap<String, String> of(Form form) {
        SortedMap<String, String> files = new TreeMap<>();
        FILES.forEach(file -> files.put(file, form.fill(read("tree/" + file))));
        return files;
    }

    /** A resource beside this class. */
    static String read(String resource) {
        try (InputStream template = Templates.class.getResourceAsStream(resource)) {
            if (template == null) {
                throw new IllegalStateException("the jar lacks " + resource);
            }
            return new String(template.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
