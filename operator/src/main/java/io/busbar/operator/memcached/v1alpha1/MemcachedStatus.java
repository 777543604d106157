package io.busbar.operator.memcached.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has come of a Memcached.
 *
 * <p>Immutable, but for the fabric8 models within.
 *
 * @param conditions Available, Progressing, Degraded
 * @param observedGeneration the generation that the rest is for
 * @param readyReplicas servers that are ready
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MemcachedStatus(List<Condition> conditions, long observedGeneration, int readyReplicas)
        implements HasConditions {

    public MemcachedStatus {
        conditions = orEmpty(conditions);
    }

    private static List<Condition> orEmpty(@Nullable List<Condition> list) {
        return list == null ? List.of() : Collections.unmodifiableList(list);
    }
}
