package io.busbar.operator.runtime;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.conversion.Versions;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.WatchRequest;
import io.busbar.manifests.OperatorPart;
import io.busbar.reconciler.Controller;
import io.vertx.core.eventbus.EventBus;
import java.util.List;
import java.util.Map;

/**
 * What belongs together and runs in an {@link Operator}: controllers, and the admission rules of the same kinds.
 *
 * <p>Any thread. The methods are called in the order in which they stand here, those after {@link #part} once each.
 */
public interface Bundle {

    /** What a cluster needs for it: its kinds, and the webhooks that {@link #webhooks} answers. */
    OperatorPart part();

    /** As they are declared, but for their workers and their resync, which the options of the operator decide. */
    List<Controller<?>> controllers();

    /** What the rules read and no controller watches. */
    default List<WatchRequest<?>> reads() {
        return List.of();
    }

    /**
     * The rules by path, such as {@code /mutate-pod}.
     *
     * @param listers of all that is watched; they are empty until {@link #synced}
     * @param bus for those that follow {@link io.busbar.common.bus.ResourceChanged}
     */
    default Map<String, AdmissionRule> webhooks(Listers listers, EventBus bus) {
        return Map.of();
    }

    /** The kinds that are converted from version to version. */
    default List<Versions<?>> conversions() {
        return List.of();
    }

    /** All that is watched has been listed; the webhooks are asked from now on. May block. */
    default void synced() {}
}
