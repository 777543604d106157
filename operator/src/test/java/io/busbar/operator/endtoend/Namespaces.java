package io.busbar.operator.endtoend;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Namespaces of tests, on any cluster. */
final class Namespaces {

    /** A real controller takes some ten seconds to empty one. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private Namespaces() {}

    /**
     * Has the namespace on the cluster, with its default account and at least these labels. One that an earlier test
     * has deleted and that is not gone yet is waited for.
     *
     * @return it, for the test to delete; empty where somebody else has made it
     */
    static Optional<Namespace> ensure(KubernetesClient client, String name, Map<String, String> labels) {
        await("end of the earlier namespace " + name).atMost(PATIENCE).until(() -> {
            Namespace there = client.namespaces().withName(name).get();
            return there == null || there.getMetadata().getDeletionTimestamp() == null;
        });
        Optional<Namespace> made = Optional.empty();
        if (client.namespaces().withName(name).get() == null) {
            made = Optional.of(client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .withLabels(labels)
                            .endMetadata()
                            .build())
                    .create());
        } else if (!labels.isEmpty()) {
            client.namespaces()
                    .withName(name)
                    .edit(there -> new NamespaceBuilder(there)
                            .editMetadata()
                            .addToLabels(labels)
                            .endMetadata()
                            .build());
        }
        await("default service account of " + name)
                .atMost(PATIENCE)
                .until(() -> client.serviceAccounts()
                                .inNamespace(name)
                                .withName("default")
                                .get()
                        != null);
        return made;
    }
}
