package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.manifests.yaml.Yaml;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/** What a test has installed in its cluster, to be removed at its end. One thread. */
final class InstalledObjects {

    private static final Set<String> KINDS = Set.of(
            "Namespace",
            "CustomResourceDefinition",
            "ServiceAccount",
            "ClusterRole",
            "Role",
            "ClusterRoleBinding",
            "RoleBinding");

    private final Cluster cluster;
    private final Deque<HasMetadata> installed = new ArrayDeque<>();

    InstalledObjects(Cluster cluster) {
        this.cluster = cluster;
    }

    /** All that an operator needs which runs outside. */
    void addOperator(String manifests) {
        Yaml.readAll(manifests).stream()
                .filter(object -> KINDS.contains(object.path("kind").asText()))
                .forEach(object -> add(object.toString()));
    }

    void add(String object) {
        installed.push(cluster.client()
                .resource(object)
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withFieldManager("end-to-end")
                        .withForce(true)
                        .build()));
    }

    /** Deletes them, and waits until they have gone. */
    void remove() {
        installed.forEach(object -> cluster.client().resource(object).delete());
        cluster.eventuallyCollected(() -> assertThat(installed)
                .allSatisfy(object ->
                        assertThat(cluster.client().resource(object).get()).isNull()));
    }
}
