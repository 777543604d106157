package io.busbar.manifests;

import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.webhook.WebhookManifest;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;

/**
 * What one of the controllers in an operator brings along and needs.
 *
 * <p>Immutable.
 *
 * @param types the kinds that it defines
 * @param permissions in the whole cluster
 * @param ownNamespace permissions in the operator's own namespace
 * @param webhooks in the order in which the API server is to call them
 * @param samples for people to start from
 * @param eventSources to which changes may be posted, by their addresses
 */
public record OperatorPart(
        List<Class<? extends CustomResource<?, ?>>> types,
        List<Permission> permissions,
        List<Permission> ownNamespace,
        List<WebhookManifest> webhooks,
        List<Sample> samples,
        List<String> eventSources) {

    public OperatorPart {
        types = List.copyOf(types);
        permissions = List.copyOf(permissions);
        ownNamespace = List.copyOf(ownNamespace);
        webhooks = List.copyOf(webhooks);
        samples = List.copyOf(samples);
        eventSources = List.copyOf(eventSources);
    }

    /** One to which nothing is posted. */
    public OperatorPart(
            List<Class<? extends CustomResource<?, ?>>> types,
            List<Permission> permissions,
            List<Permission> ownNamespace,
            List<WebhookManifest> webhooks,
            List<Sample> samples) {
        this(types, permissions, ownNamespace, webhooks, samples, List.of());
    }
}
