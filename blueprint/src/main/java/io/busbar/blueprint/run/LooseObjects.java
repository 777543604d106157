package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.BlueprintResource;
import io.busbar.common.MetadataKey;
import io.busbar.common.watch.Index;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;

/**
 * Objects of an instance that no owner reference ties to it: such as are in another namespace, or in none, where no
 * reference can, and such as are to stay when it goes. A label says whose they are, and they go, or are released, before
 * the instance does.
 *
 * <p>Any thread.
 */
final class LooseObjects {

    static final MetadataKey INSTANCE = MetadataKey.label(
            "blueprints.busbar.io/instance-uid",
            "an object of a Blueprint's instance that does not go with it by itself",
            "set by the operator: the uid of the instance");
    static final MetadataKey POLICY = MetadataKey.annotation(
            "blueprints.busbar.io/deletion-policy",
            "an object of a Blueprint's instance",
            "set by the operator: Orphaned where the object stays, and is let go, when the instance needs it no more");

    private LooseObjects() {}

    /** Files objects under the uid of the instance that they are loose objects of. */
    static <T extends GenericKubernetesResource> Index<T> byInstance() {
        return Index.ofMetadata(
                "blueprint.instance",
                object -> INSTANCE.of(object).map(List::of).orElse(List.of()));
    }

    /** Files instances under their uids. */
    static <P extends GenericKubernetesResource> Index<P> byUid() {
        return Index.ofMetadata(
                "blueprint.uid", instance -> List.of(instance.getMetadata().getUid()));
    }

    /** Whether references can tie objects of a kind to instances of another one, if only in the same namespace. */
    static boolean canBeOwned(Class<? extends HasMetadata> objects, Class<? extends HasMetadata> instances) {
        return Namespaced.class.isAssignableFrom(objects) || !Namespaced.class.isAssignableFrom(instances);
    }

    /** Whether an object is an instance's, by a reference or by its label. */
    static boolean isOf(HasMetadata instance, HasMetadata object) {
        return controllerOf(object).equals(instance.getMetadata().getUid()) || isLooseOf(instance, object);
    }

    /** Whether an object is an instance's by its label alone. */
    static boolean isLooseOf(HasMetadata instance, HasMetadata object) {
        String uid = instance.getMetadata().getUid();
        return controllerOf(object).isEmpty()
                && INSTANCE.of(object).filter(uid::equals).isPresent();
    }

    /** The uid of who controls an object; empty for nobody. */
    static String controllerOf(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .map(OwnerReference::getUid)
                .findFirst()
                .orElse("");
    }

    /** Whether one stays when it is needed no more. */
    static boolean isOrphaned(HasMetadata object) {
        return POLICY.of(object).filter(BlueprintResource.ORPHANED::equals).isPresent();
    }

    /** The merge patch that lets one go: nothing tells then that it was an instance's. */
    static ObjectNode release() {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.putObject("labels")
                .putNull(InstanceReconciler.RESOURCE.name())
                .putNull(ApplySet.PART_OF.name())
                .putNull(INSTANCE.name());
        metadata.putObject("annotations").putNull(POLICY.name());
        return patch;
    }
}
