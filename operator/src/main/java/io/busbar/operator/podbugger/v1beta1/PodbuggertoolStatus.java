package io.busbar.operator.podbugger.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * How far a tool has got.
 *
 * <p>Immutable; lists are never null.
 *
 * @param installed how many of the matching Pods have the container
 * @param matchedPods how many Pods match: those that have not ended and are not being deleted
 * @param conditions Ready: whether all Pods that match have the container
 * @param observedGeneration the generation that the status is for
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PodbuggertoolStatus(int installed, int matchedPods, List<Condition> conditions, long observedGeneration)
        implements HasConditions {

    /** A condition's type. */
    public static final String READY = "Ready";

    public PodbuggertoolStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}
