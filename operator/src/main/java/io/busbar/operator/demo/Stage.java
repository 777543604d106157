package io.busbar.operator.demo;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.function.Consumer;

/**
 * Where a chapter plays: a cluster, and the voice that tells of it.
 *
 * <p>Immutable.
 */
record Stage(KubernetesClient client, Narrator narrator) {

    static final String NAMESPACE = "default";

    /** Follows all objects of a kind; each change is told, and can be waited for. */
    <T extends HasMetadata> Followed<T> follow(Class<T> type, Consumer<T> telling) {
        return new Followed<>(client, type, telling);
    }
}
