package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.ObjectKey;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;

/**
 * The image of the containers that reach S3, which the images of databases have no program for: the operator's own. Any
 * thread.
 */
public final class StorageImage {

    /** What users are told where there is none. */
    static final String UNKNOWN = "the operator does not know the image that reaches S3: start it with --storage-image";

    /** In the operator's own manifests. */
    private static final String CONTAINER = "manager";

    private final Optional<ObjectKey> pod;
    private volatile Optional<String> known;

    /**
     * @param chosen by a flag
     * @param pod the operator's own; empty outside a cluster
     */
    public StorageImage(Optional<String> chosen, Optional<ObjectKey> pod) {
        this.known = chosen;
        this.pod = pod;
    }

    /** Asks for the operator's own Pod, once. Empty where there is none. */
    Optional<String> name(KubernetesClient client) {
        if (known.isEmpty() && pod.isPresent()) {
            Pod own = client.pods()
                    .inNamespace(pod.get().namespace())
                    .withName(pod.get().name())
                    .get();
            known = Optional.ofNullable(own).flatMap(StorageImage::of);
        }
        return known;
    }

    private static Optional<String> of(Pod own) {
        List<Container> all = own.getSpec().getContainers();
        return all.stream()
                .filter(container -> all.size() == 1 || container.getName().equals(CONTAINER))
                .map(Container::getImage)
                .findFirst();
    }
}
