package io.busbar.common.watch;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Finds the primaries that an object concerns.
 *
 * <p>Must be pure and quick: it runs on the watch's own context, for the object before and after each change that
 * passed the trigger's predicate. May read listers, by key or by index; never lists.
 */
@FunctionalInterface
public interface KeyMapping<T> {

    Collection<ObjectKey> keys(T object, Listers listers);

    /** Whether spec and status may be missing in the objects that this is shown. */
    default boolean readsMetadataOnly() {
        return false;
    }

    /** One that looks at metadata only: the objects that it is shown need have nothing else. */
    static KeyMapping<HasMetadata> ofMetadata(KeyMapping<HasMetadata> mapping) {
        return new KeyMapping<>() {

            @Override
            public Collection<ObjectKey> keys(HasMetadata object, Listers listers) {
                return mapping.keys(object, listers);
            }

            @Override
            public boolean readsMetadataOnly() {
                return true;
            }
        };
    }

    /** The object is the primary. */
    static KeyMapping<HasMetadata> self() {
        return ofMetadata((object, listers) -> List.of(ObjectKey.of(object)));
    }

    /** The owner of this type that controls the object. */
    static KeyMapping<HasMetadata> controllerOwner(ResourceType owner) {
        return owners(owner, reference -> Boolean.TRUE.equals(reference.getController()));
    }

    /** Every owner of this type, controlling or not. */
    static KeyMapping<HasMetadata> anyOwner(ResourceType owner) {
        return owners(owner, reference -> true);
    }

    /** The primary that a label names, in the object's namespace. */
    static KeyMapping<HasMetadata> byLabel(String label) {
        return ofMetadata((object, listers) -> {
            Map<String, String> labels = object.getMetadata().getLabels();
            String name = labels == null ? null : labels.get(label);
            return name == null || name.isEmpty()
                    ? List.of()
                    : List.of(ObjectKey.of(object.getMetadata().getNamespace(), name));
        });
    }

    /** The primaries that an index of theirs files under the object: those that refer to it. */
    static <T extends HasMetadata, P extends HasMetadata> KeyMapping<T> byIndex(
            Class<P> primaries, Index<P> index, Function<? super T, String> value) {
        return (object, listers) -> listers.lister(primaries).by(index, value.apply(object)).stream()
                .map(ObjectKey::of)
                .toList();
    }

    private static KeyMapping<HasMetadata> owners(ResourceType owner, Predicate<OwnerReference> which) {
        return ofMetadata((object, listers) -> object.getMetadata().getOwnerReferences().stream()
                .filter(which)
                .filter(reference -> reference.getKind().equals(owner.kind())
                        && group(reference).equals(owner.group()))
                .map(reference -> ObjectKey.of(
                        owner.namespaced() ? object.getMetadata().getNamespace() : "", reference.getName()))
                .toList());
    }

    private static String group(OwnerReference reference) {
        int slash = reference.getApiVersion().indexOf('/');
        return slash < 0 ? "" : reference.getApiVersion().substring(0, slash);
    }
}
