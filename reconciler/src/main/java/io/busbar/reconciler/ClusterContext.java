package io.busbar.reconciler;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Optional;

/**
 * What a reconciler reads from and writes with in one cluster.
 *
 * <p>For the thread of one reconcile. Reads come from the stores, with this controller's own writes laid over them
 * until the watch has caught up. Writes throw {@link io.fabric8.kubernetes.client.KubernetesClientException}.
 */
public interface ClusterContext extends Listers {

    /**
     * What this controller's own watch of a type holds; of several the first that it has declared.
     *
     * @throws IllegalArgumentException when it has declared none, even if others watch that type
     */
    @Override
    <T extends HasMetadata> Lister<T> lister(Class<T> type);

    /**
     * An object as the API server has it at this moment: a request, where {@link #lister} has none. For what must not
     * be outdated, and for kinds that are not watched; what the stores show stays as it is. The operator must be
     * allowed to get such objects, which no declaration tells: {@code Bundle.extras} says so.
     *
     * @param key with a namespace where the kind has one, else without
     * @return empty where there is none
     */
    default <T extends HasMetadata> Optional<T> live(Class<T> type, ObjectKey key) {
        return Optional.ofNullable(
                key.namespace().isEmpty()
                        ? client().resources(type).withName(key.name()).get()
                        : client().resources(type)
                                .inNamespace(key.namespace())
                                .withName(key.name())
                                .get());
    }

    /**
     * The whole of an object whose watch keeps only a part, such as a large Secret that is watched with
     * {@code WatchSpec.of(Secret.class).metadataOnlyWatch()}: at least as new as the watch shows it. It is asked for
     * where no answer to an earlier read is as new; of those all controllers together keep 8 MiB of JSON. Do not change
     * it. The operator must be allowed to get such objects, as for {@link #live}.
     *
     * @param key with a namespace where the kind has one, else without
     * @return empty where the watch shows none, without a request; or where it has gone meanwhile
     * @throws IllegalArgumentException when the controller does not watch this kind
     */
    default <T extends HasMetadata> Optional<T> fetched(Class<T> type, ObjectKey key) {
        return lister(type).get(key).flatMap(seen -> live(type, key));
    }

    /** The same as {@link #apply(HasMetadata, Apply)} in the {@linkplain Apply#standard() standard} way. */
    default <T extends HasMetadata> T apply(T desired) {
        return apply(desired, Apply.standard());
    }

    /**
     * Makes an object what is desired, by server-side apply with this controller as the field manager. No request is
     * made when the stored object already holds all that is desired and the manager's last apply was the same.
     *
     * <p>An object of the same name that the primary does not control is left alone, whether a store shows it or not,
     * and the primary gets an Event {@value ObjectNotOwnedException#REASON} that names it, once. Where the primary
     * cannot be the controlling owner, the object must be one that this controller has applied or created before.
     *
     * @param desired only the fields that this controller decides; gets the primary as controlling owner where it has
     *     none and both are in one namespace or the primary is cluster-scoped
     * @param how whether objects without a controller are adopted, others' fields taken, and others' elements of lists
     *     removed
     * @return the object as it is now
     * @throws ObjectNotOwnedException when there is an object of that name that is somebody else's; it was left as it
     *     is
     * @throws FieldConflictException when conflicts are to be reported, and there are some; nothing was changed
     */
    <T extends HasMetadata> T apply(T desired, Apply how);

    /**
     * Creates an object that cannot be applied, such as one of several Pods whatever their names. The next read sees
     * it, so that objects can be counted against what is desired.
     *
     * <p>With a {@code generateName} and no name it gets one before it is sent. When the answer is lost, this fails;
     * the next call for the same primary and {@code generateName} then repeats that create, and makes no second object
     * in addition to the first.
     *
     * @param desired gets the primary as controlling owner, as with {@link #apply}; of a watched kind
     * @return the object as it is now
     */
    <T extends HasMetadata> T create(T desired);

    /**
     * Deletes an object of a watched kind, unless it is gone by now; a Job with its Pods. The next read sees it as being
     * deleted.
     */
    void delete(HasMetadata object);

    /**
     * The same, with another time for the object to end in order than it asks for itself.
     *
     * @param gracePeriod rounded up to whole seconds; 0 takes the object away at once, whether or not what it stands
     *     for has ended
     */
    void delete(HasMetadata object, Duration gracePeriod);

    /**
     * Lays an object of a watched kind that was written through {@link #client()} over the store, so that the next read
     * sees it.
     *
     * @param written as the API server answered
     * @return the same
     */
    <T extends HasMetadata> T remember(T written);

    KubernetesClient client();
}
