package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the controller has counted, and where the history stands.
 *
 * <p>Immutable.
 *
 * @param observedGeneration the generation that the counts are for
 * @param matchedPods how many active Pods carry the set's containers
 * @param updatedPods how many of these are of the current spec
 * @param readyPods how many of these are ready
 * @param updatedReadyPods how many of these are both
 * @param latestRevision name of the newest ControllerRevision
 * @param collisionCount a number that salts the names of revisions
 * @param conditions Progressing and Degraded
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record SidecarSetStatus(
        long observedGeneration,
        @Required int matchedPods,
        @Required int updatedPods,
        @Required int readyPods,
        int updatedReadyPods,
        @Nullable String latestRevision,
        @Nullable Integer collisionCount,
        List<Condition> conditions)
        implements HasConditions {

    public SidecarSetStatus {
        conditions = Lists.orEmpty(conditions);
    }
}
