package io.busbar.manifests;

import io.busbar.common.ResourceType;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.webhook.WebhookManifest;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;
import java.util.Map;

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
 * @param related kinds whose objects its controllers make or look at, by the name of the definition of the kind for which they do
 * @param images that its Pods may run, by a name for each
 */
public record OperatorPart(
        List<Class<? extends CustomResource<?, ?>>> types,
        List<Permission> permissions,
        List<Permission> ownNamespace,
        List<WebhookManifest> webhooks,
        List<Sample> samples,
        List<String> eventSources,
        Map<String, List<ResourceType>> related,
        Map<String, String> images) {

    public OperatorPart {
        types = List.copyOf(types);
        permissions = List.copyOf(permissions);
        ownNamespace = List.copyOf(ownNamespace);
        webhooks = List.copyOf(webhooks);
        samples = List.copyOf(samples);
        eventSources = List.copyOf(eventSources);
        related = Map.copyOf(related);
        images = Map.copyOf(images);
    }

    /** One to which nothing is posted, and of whose objects nothing is told. */
    public OperatorPart(
            List<Class<? extends CustomResource<?, ?>>> types,
            List<Permission> permissions,
            List<Permission> ownNamespace,
            List<WebhookManifest> webhooks,
            List<Sample> samples) {
        this(types, permissions, ownNamespace, webhooks, samples, List.of(), Map.of(), Map.of());
    }
}
