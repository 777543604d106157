package io.busbar.operator.memcached.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.Conditions;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * What has come of a Memcached. Immutable, but for the fabric8 models within.
 *
 * @param conditions Available, Progressing, Degraded
 * @param observedGeneration the generation that the status is for
 * @param readyReplicas how many servers are ready
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MemcachedStatus(List<Condition> conditions, long observedGeneration, int readyReplicas)
        implements HasConditions {

    public MemcachedStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }

    /** For the generation that the conditions are about. */
    public static MemcachedStatus of(Conditions conditions, int readyReplicas) {
        return new MemcachedStatus(conditions.list(), conditions.observedGeneration(), readyReplicas);
    }
}
