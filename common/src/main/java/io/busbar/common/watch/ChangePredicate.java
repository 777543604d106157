package io.busbar.common.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * Decides whether a change is worth a message.
 *
 * <p>Must be pure and quick: it runs on the watch's own context for each change. The ones given here let every addition
 * and deletion pass, and look at modifications only.
 *
 * <p>Where nobody looks at more of a watch's objects than their metadata, no more is decoded as they arrive.
 */
@FunctionalInterface
public interface ChangePredicate<T> {

    boolean test(Change<? extends T> change);

    /** Whether spec and status may be missing in the objects that this is shown. */
    default boolean readsMetadataOnly() {
        return false;
    }

    static <T> ChangePredicate<T> always() {
        return new MetadataPredicate<>(change -> true);
    }

    /** One that looks at metadata only: the objects that it is shown need have nothing else. */
    static ChangePredicate<HasMetadata> ofMetadata(ChangePredicate<HasMetadata> predicate) {
        return new MetadataPredicate<>(predicate);
    }

    /** One of both passes. */
    static <T> ChangePredicate<T> either(ChangePredicate<? super T> one, ChangePredicate<? super T> other) {
        ChangePredicate<T> either = change -> one.test(change) || other.test(change);
        return one.readsMetadataOnly() && other.readsMetadataOnly() ? new MetadataPredicate<>(either) : either;
    }

    /** The spec has changed, for kinds whose generation counts that; or the object began to be deleted. */
    static ChangePredicate<HasMetadata> generationChanged() {
        return metadataChanged(ObjectMeta::getGeneration).or(metadataChanged(ObjectMeta::getDeletionTimestamp));
    }

    /**
     * Anything but the status has changed, that is, what people and other programs decide: the content, labels,
     * annotations, finalizers, owner references, or that the object began to be deleted. The default of controllers for
     * their primaries, since what they write most often is that status.
     *
     * <p>Custom resources have a generation that counts every change of their content, so that their metadata tells.
     * No generation can be relied on elsewhere: ConfigMaps have none, Pods of old clusters neither, and where nobody
     * counts it, it is what was written. Objects of other kinds are compared whole, but for their status,
     * managedFields, generation and resourceVersion; that takes as long as to write both as JSON. A custom resource
     * whose status is no subresource has its generation moved by that, too.
     *
     * @param ownFinalizers whose being added does not count either
     */
    static <T extends HasMetadata> ChangePredicate<T> beyondStatus(Class<T> type, String... ownFinalizers) {
        return BeyondStatus.of(type, Set.of(ownFinalizers));
    }

    static ChangePredicate<HasMetadata> labelsChanged() {
        return metadataChanged(ObjectMeta::getLabels);
    }

    static ChangePredicate<HasMetadata> annotationsChanged() {
        return metadataChanged(ObjectMeta::getAnnotations);
    }

    /** Anything at all has changed: a relist that finds the object as it was does not pass. */
    static ChangePredicate<HasMetadata> resourceVersionChanged() {
        return metadataChanged(ObjectMeta::getResourceVersion);
    }

    /** One part of the objects differs. */
    static <T> ChangePredicate<T> changed(Function<? super T, ?> part) {
        return change -> {
            T before = change.before();
            T after = change.after();
            return before == null || after == null || !Objects.equals(part.apply(before), part.apply(after));
        };
    }

    private static ChangePredicate<HasMetadata> metadataChanged(Function<ObjectMeta, ?> part) {
        return ofMetadata(changed(object -> part.apply(object.getMetadata())));
    }

    default ChangePredicate<T> and(ChangePredicate<? super T> other) {
        ChangePredicate<T> both = change -> test(change) && other.test(change);
        return readsMetadataOnly() && other.readsMetadataOnly() ? new MetadataPredicate<>(both) : both;
    }

    default ChangePredicate<T> or(ChangePredicate<? super T> other) {
        return either(this, other);
    }

    default ChangePredicate<T> not() {
        ChangePredicate<T> not = change -> !test(change);
        return readsMetadataOnly() ? new MetadataPredicate<>(not) : not;
    }
}
