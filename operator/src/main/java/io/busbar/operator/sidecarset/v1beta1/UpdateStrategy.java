package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How Pods that were injected before follow a changed image.
 *
 * <p>Immutable.
 *
 * @param type RollingUpdate, the default, or NotUpdate
 * @param paused whether no Pod is updated
 * @param selector only Pods that match are updated; not together with partition
 * @param partition how many Pods stay as they are, an absolute number or a percentage
 * @param maxUnavailable how many Pods may be unavailable at once, an absolute number or a percentage
 * @param priorityStrategy which Pods are updated first
 * @param scatterStrategy which Pods are spread over the whole update
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record UpdateStrategy(
        @Nullable @Default(UpdateStrategy.ROLLING_UPDATE) String type,
        @Nullable Boolean paused,
        @Nullable LabelSelector selector,
        @Nullable IntOrString partition,
        @Nullable IntOrString maxUnavailable,
        @Nullable PriorityStrategy priorityStrategy,
        List<ScatterTerm> scatterStrategy) {

    public static final String ROLLING_UPDATE = "RollingUpdate";
    public static final String NOT_UPDATE = "NotUpdate";

    public UpdateStrategy {
        scatterStrategy = Lists.orEmpty(scatterStrategy);
    }
}
