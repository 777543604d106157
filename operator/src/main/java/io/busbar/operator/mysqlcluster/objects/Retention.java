package io.busbar.operator.mysqlcluster.objects;

import io.busbar.operator.mysqlcluster.v1alpha1.DeletionPolicy;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Has the passwords and the volumes of a cluster outlive it, or end with it, as {@code spec.deletionPolicy} says: by a
 * reference to the cluster, which the garbage collector goes by. References to others are left as they are. Any thread;
 * blocks as a request does.
 */
public final class Retention {

    private Retention() {}

    /** Whether an object was made for a cluster of that name, by what it is labelled with. */
    public static boolean isOf(MySQLCluster cluster, HasMetadata object) {
        return ClusterNames.labels(cluster.getMetadata().getName()).entrySet().stream()
                .allMatch(label -> ClusterNames.label(object, label.getKey()).equals(label.getValue()));
    }

    /**
     * Makes the references of an object what the policy asks for, by a patch that fails when they were changed
     * meanwhile.
     *
     * @return as it is now; empty where nothing was to be changed
     */
    public static <T extends HasMetadata> Optional<T> apply(MySQLCluster cluster, T object, KubernetesClient client) {
        List<OwnerReference> before = object.getMetadata().getOwnerReferences();
        List<OwnerReference> after = references(cluster, before);
        if (after.equals(before) || object.isMarkedForDeletion()) {
            return Optional.empty();
        }
        String version = String.valueOf(object.getMetadata().getResourceVersion());
        String patch =
                Serialization.asJson(Map.of("metadata", Map.of("resourceVersion", version, "ownerReferences", after)));
        return Optional.of(client.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    /**
     * One to this cluster that is there already stays as it is; one to a cluster of this name that is gone would have
     * the object deleted.
     */
    public static List<OwnerReference> references(MySQLCluster cluster, List<OwnerReference> before) {
        boolean delete = cluster.wanted().deletionPolicy() == DeletionPolicy.Delete;
        String uid = cluster.getMetadata().getUid();
        List<OwnerReference> after = new ArrayList<>(before);
        after.removeIf(owner -> isToClusterOfThatName(cluster, owner)
                && !(delete && owner.getUid().equals(uid)));
        if (delete && after.stream().noneMatch(owner -> owner.getUid().equals(uid))) {
            after.add(reference(cluster));
        }
        return after;
    }

    private static boolean isToClusterOfThatName(MySQLCluster cluster, OwnerReference owner) {
        return owner.getKind().equals(cluster.getKind())
                && owner.getApiVersion().startsWith(MySQLCluster.GROUP + "/")
                && owner.getName().equals(cluster.getMetadata().getName());
    }

    /** Not the controlling one, which claims may have already. */
    private static OwnerReference reference(MySQLCluster cluster) {
        return new OwnerReferenceBuilder()
                .withApiVersion(cluster.getApiVersion())
                .withKind(cluster.getKind())
                .withName(cluster.getMetadata().getName())
                .withUid(cluster.getMetadata().getUid())
                .build();
    }
}
