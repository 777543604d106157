package io.busbar.charts.run;

import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How the API server serves kinds that nobody knew of. Any thread; blocks at the first question about a kind. */
final class Discovery {

    private final Map<String, ResourceType> known = new ConcurrentHashMap<>();

    /**
     * The kind of an object.
     *
     * @throws NotServedException when there is no such kind now
     */
    ResourceType find(String apiVersion, String kind, KubernetesClient client) {
        String key = apiVersion + " " + kind;
        ResourceType found = known.get(key);
        if (found == null) {
            found = ask(apiVersion, kind, client);
            known.put(key, found);
        }
        return found;
    }

    private static ResourceType ask(String apiVersion, String kind, KubernetesClient client) {
        APIResourceList served = client.getApiResources(apiVersion);
        if (served != null) {
            int slash = apiVersion.indexOf('/');
            for (APIResource resource : served.getResources()) {
                if (resource.getKind().equals(kind) && !resource.getName().contains("/")) {
                    return new ResourceType(
                            slash < 0 ? "" : apiVersion.substring(0, slash),
                            apiVersion.substring(slash + 1),
                            kind,
                            resource.getName(),
                            resource.getNamespaced());
                }
            }
        }
        throw new NotServedException(apiVersion, kind);
    }

    /** A chart has an object of a kind that the cluster does not have. */
    static final class NotServedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NotServedException(String apiVersion, String kind) {
            super("the cluster has no kind " + kind + " in " + apiVersion);
        }
    }
}
