package io.busbar.runtime.bundle;

import io.busbar.admission.conversion.Versions;
import io.busbar.common.watch.WatchRequest;
import io.busbar.reconciler.Controller;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What belongs together and runs in an operator: controllers, and the webhooks of the same kinds. All but the
 * controllers may be left out.
 *
 * <p>What a cluster needs for it follows from that: the kinds are its controllers' primaries, the permissions are those
 * of what is declared, and samples lie in the folder {@code samples} beside its class, each called
 * {@code <first part of the group>_<version>_<kind>.yaml}.
 *
 * <p>Any thread. From {@link #controllers} on the methods are called in the order in which they stand here, once each
 * for an operator that runs. Those up to {@link #conversions} are called to write its manifests, too, when nothing
 * runs.
 */
public interface Bundle {

    /**
     * As users name it, in {@code --operators} too: lower case, unique in an operator. If not overridden, the name of
     * its class without the word Bundle: {@code memcached} of {@code MemcachedBundle}.
     */
    default String name() {
        String name = getClass().getSimpleName().replaceFirst("Bundle$", "").toLowerCase(Locale.ROOT);
        if (name.isEmpty()) {
            throw new IllegalStateException("bundle of " + getClass() + ": its class has no name; override name()");
        }
        return name;
    }

    /**
     * Flags of its own: an object with fields that are annotated as picocli's {@code Option}. They are flags of {@code
     * run} and {@code dev}, which set them, or their defaults, before {@link #controllers} is called.
     *
     * @return the same object at each call
     */
    default Optional<Object> flags() {
        return Optional.empty();
    }

    /**
     * As they are declared; where one says nothing of its workers or its resync, the options of the operator decide.
     */
    List<Controller<?>> controllers(BundleContext context);

    /** What the rules of its webhooks read and no controller watches. */
    default List<WatchRequest<?>> reads(BundleContext context) {
        return List.of();
    }

    /** In the order in which the API server is to ask them; each has a path of its own. */
    default List<Webhook> webhooks(BundleContext context) {
        return List.of();
    }

    /** What a cluster needs beside what follows from the rest. */
    default Extras extras(BundleContext context) {
        return Extras.none();
    }

    /**
     * The ServiceAccount with whose rights its controllers watch and write, in the operator's own cluster; the operator
     * impersonates it. What is needed in the operator's own namespace alone, the operator itself may do. If not
     * overridden, there is none, and they have the operator's own rights.
     */
    default Optional<Account> account(BundleContext context) {
        return Optional.empty();
    }

    /**
     * Why replicas cannot share its work out, as a clause for people; then {@code --shard} is refused. If not overridden,
     * they can.
     */
    default Optional<String> whyNotShared() {
        return Optional.empty();
    }

    /** The kinds that are converted from version to version. */
    default List<Versions<?>> conversions() {
        return List.of();
    }

    /** All that is watched has been listed; the webhooks are asked from now on. May block. */
    default void synced() {}
}
