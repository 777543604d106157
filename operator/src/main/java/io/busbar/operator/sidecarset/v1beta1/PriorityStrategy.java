package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * Which Pods are updated first: by weights or by an ordered label, one of the two.
 *
 * <p>Immutable.
 *
 * @param orderPriority labels whose values order the Pods
 * @param weightPriority weights of Pods by their labels
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PriorityStrategy(List<OrderPriority> orderPriority, List<WeightPriority> weightPriority) {

    public PriorityStrategy {
        orderPriority = Lists.orEmpty(orderPriority);
        weightPriority = Lists.orEmpty(weightPriority);
    }
}
