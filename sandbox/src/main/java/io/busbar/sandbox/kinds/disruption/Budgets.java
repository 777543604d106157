package io.busbar.sandbox.kinds.disruption;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.ControllerLoop;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.SelectorIndex;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the status of each PodDisruptionBudget.
 *
 * <p>One context.
 */
public final class Budgets {

    private final ControllerContext context;
    private final SelectorIndex index;
    private final Scales scales;

    private Budgets(ControllerContext context, SelectorIndex index) {
        this.context = context;
        this.index = index;
        this.scales = new Scales(context);
    }

    /** @param index of PodDisruptionBudgets, by {@link #selector} */
    public static ControllerLoop start(ControllerContext context, SelectorIndex index) {
        return new ControllerLoop(context, Kind.DISRUPTION_BUDGET, new Budgets(context, index)::sync)
                .watches(Kind.POD, index::selecting);
    }

    public static LabelSelector selector(ObjectNode budget) {
        return LabelSelector.of(budget.path("spec").path("selector"));
    }

    private Future<@Nullable Duration> sync(ObjectNode object) {
        List<ObjectNode> pods = index.pods(Metadata.of(object).key());
        Budget budget = new Budget(object, pods, context.clock().instant());
        return Writes.of(context)
                .updateStatus(Kind.DISRUPTION_BUDGET, object, status -> {
                    try {
                        budget.fill(status, budget.needsScale() ? scales.wanted(pods) : 0);
                    } catch (Scales.UnknownScaleException unknown) {
                        budget.fail(status, String.valueOf(unknown.getMessage()));
                    }
                })
                .map(written -> written.path("status").has("disruptedPods") ? Budget.PATIENCE : null);
    }
}
