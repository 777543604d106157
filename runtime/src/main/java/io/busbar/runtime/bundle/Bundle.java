package io.busbar.runtime.bundle;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.conversion.Versions;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.WatchRequest;
import io.busbar.manifests.OperatorPart;
import io.busbar.reconciler.Controller;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What belongs together and runs in an operator: controllers, and the admission rules of the same kinds.
 *
 * <p>Any thread. The methods are called in the order in which they stand here, those after {@link #part} once each for
 * an operator that runs.
 */
public interface Bundle {

    /** As users name it, in {@code --operators} too: lower case, such as {@code memcached}; unique in an operator. */
    String name();

    /**
     * Flags of its own: an object with fields that are annotated as picocli's {@code Option}. They are flags of {@code
     * run} and {@code dev}, which set them, or their defaults, before {@link #controllers} is called.
     *
     * @return the same object at each call
     */
    default Optional<Object> flags() {
        return Optional.empty();
    }

    /** What a cluster needs for it: its kinds, and the webhooks that {@link #webhooks} answers. */
    OperatorPart part();

    /** As they are declared; where one says nothing of its workers or its resync, the options of the operator decide. */
    List<Controller<?>> controllers(BundleContext context);

    /** What the rules read and no controller watches. */
    default List<WatchRequest<?>> reads(BundleContext context) {
        return List.of();
    }

    /**
     * The rules by path, such as {@code /mutate-pod}.
     *
     * @param listers of all that is watched; they are empty until {@link #synced}
     */
    default Map<String, AdmissionRule> webhooks(BundleContext context, Listers listers) {
        return Map.of();
    }

    /** The kinds that are converted from version to version. */
    default List<Versions<?>> conversions() {
        return List.of();
    }

    /** All that is watched has been listed; the webhooks are asked from now on. May block. */
    default void synced() {}
}
