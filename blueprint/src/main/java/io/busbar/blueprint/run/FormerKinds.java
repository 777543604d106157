package io.busbar.blueprint.run;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects of kinds that earlier revisions have made and none makes any more. Nobody watches these: they are listed, by
 * the label of the instance's ApplySet.
 *
 * <p>Any thread; blocks.
 */
final class FormerKinds {

    private static final Logger log = LoggerFactory.getLogger(FormerKinds.class);

    private final PatchContext merge;
    /** As the API server serves them, by what they are called in an ApplySet. */
    private final Map<String, ResourceType> served = new ConcurrentHashMap<>();

    /** @param merge how objects are patched */
    FormerKinds(PatchContext merge) {
        this.merge = merge;
    }

    /**
     * Deletes the objects of a kind that an instance has made, or releases them.
     *
     * @param kind as in an ApplySet
     * @throws KubernetesClientException when the API server refuses, or somebody else writes to one meanwhile
     */
    void prune(String kind, HasMetadata instance, KubernetesClient client) {
        Optional<ResourceType> type = type(kind, client);
        if (type.isEmpty()) {
            return; // objects of a kind that is not served have gone with it
        }
        String namespace = Objects.requireNonNullElse(instance.getMetadata().getNamespace(), "");
        boolean inOneList = namespace.isEmpty() || !type.get().namespaced();
        Set<String> namespaces = new TreeSet<>(ApplySet.saidBy(instance).namespaces());
        namespaces.add(namespace);
        for (String each : inOneList ? Set.of("") : namespaces) {
            list(kind, type.get(), each, ApplySet.idOf(instance), client).stream()
                    .filter(object -> isMadeBy(instance, object))
                    .forEach(object -> takeAway(type.get(), object, client));
        }
    }

    private static boolean isMadeBy(HasMetadata instance, HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() == null
                && InstanceReconciler.RESOURCE.of(object).isPresent()
                && LooseObjects.isOf(instance, object);
    }

    private List<GenericKubernetesResource> list(
            String kind, ResourceType type, String namespace, String id, KubernetesClient client) {
        var all = client.genericKubernetesResources(type.clientContext());
        try {
            return (namespace.isEmpty() ? all.inAnyNamespace() : all.inNamespace(namespace))
                    .withLabel(ApplySet.PART_OF.name(), id)
                    .list()
                    .getItems();
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                served.remove(kind); // it may be served in another version now
            }
            throw failure;
        }
    }

    /** This very object: not one that somebody else has changed, and may have taken over, since it was read. */
    private void takeAway(ResourceType type, GenericKubernetesResource object, KubernetesClient client) {
        var all = client.genericKubernetesResources(type.clientContext());
        String name = object.getMetadata().getName();
        Resource<GenericKubernetesResource> resource = type.namespaced()
                ? all.inNamespace(object.getMetadata().getNamespace()).withName(name)
                : all.withName(name);
        boolean orphaned = LooseObjects.isOrphaned(object);
        if (orphaned) {
            resource.patch(merge, LooseObjects.release().toString());
        } else {
            resource.lockResourceVersion(object.getMetadata().getResourceVersion())
                    .delete();
        }
        log.atInfo()
                .addKeyValue("kind", type.kind())
                .addKeyValue("object", ObjectKey.of(object))
                .log(orphaned ? "released" : "deleted");
    }

    private Optional<ResourceType> type(String kind, KubernetesClient client) {
        ResourceType known = served.get(kind);
        if (known != null) {
            return Optional.of(known);
        }
        int dot = kind.indexOf('.');
        String group = dot < 0 ? "" : kind.substring(dot + 1);
        String name = dot < 0 ? kind : kind.substring(0, dot);
        Optional<ResourceType> found = versions(group, client)
                .flatMap(version -> type(group, version, name, client).stream())
                .findFirst();
        found.ifPresent(type -> served.put(kind, type));
        return found;
    }

    /** The preferred one first. */
    private static Stream<String> versions(String group, KubernetesClient client) {
        if (group.isEmpty()) {
            return Stream.of("v1");
        }
        @Nullable APIGroup there = client.getApiGroup(group);
        return there == null
                ? Stream.empty()
                : Stream.concat(Stream.of(there.getPreferredVersion()), there.getVersions().stream())
                        .map(GroupVersionForDiscovery::getVersion)
                        .distinct();
    }

    private static Optional<ResourceType> type(String group, String version, String kind, KubernetesClient client) {
        @Nullable APIResourceList resources = client.getApiResources(group.isEmpty() ? version : group + "/" + version);
        Stream<APIResource> all = resources == null ? Stream.empty() : resources.getResources().stream();
        return all.filter(resource ->
                        resource.getKind().equals(kind) && !resource.getName().contains("/"))
                .map(resource -> new ResourceType(
                        group, version, kind, resource.getName(), Boolean.TRUE.equals(resource.getNamespaced())))
                .findFirst();
    }
}
