package io.busbar.common;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/**
 * A kind as the API server serves it.
 *
 * <p>Immutable.
 *
 * @param group empty for the core group
 * @param plural the name in URLs, such as {@code pods}
 */
public record ResourceType(String group, String version, String kind, String plural, boolean namespaced) {

    /** The type that a model class declares by its fabric8 annotations. */
    public static ResourceType of(Class<? extends HasMetadata> type) {
        return new ResourceType(
                HasMetadata.getGroup(type) == null ? "" : HasMetadata.getGroup(type),
                HasMetadata.getVersion(type),
                HasMetadata.getKind(type),
                HasMetadata.getPlural(type),
                Namespaced.class.isAssignableFrom(type));
    }

    /** {@code v1} or {@code group/version}, as in an object's {@code apiVersion}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** The URL path of the collection over all namespaces, such as {@code /apis/apps/v1/deployments}. */
    public String path() {
        return root() + "/" + plural;
    }

    /** The URL path of the collection in one namespace. */
    public String path(String namespace) {
        return root() + "/namespaces/" + namespace + "/" + plural;
    }

    /** What a client needs to know for objects that have no model class. */
    public ResourceDefinitionContext clientContext() {
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(version)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(namespaced)
                .build();
    }

    private String root() {
        return (group.isEmpty() ? "/api/" : "/apis/") + apiVersion();
    }

    /** {@code plural.group}, as in the name of a CRD; {@code plural} alone in the core group. */
    @Override
    public String toString() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
