package io.busbar.operator.podset.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which Pods there are, and how they are.
 *
 * <p>Immutable; lists are never null.
 *
 * @param nodes names of the Pods, sorted; written even when there are none
 * @param replicas how many Pods: those Pending or Running and not being deleted
 * @param readyReplicas how many of these Pods are ready
 * @param availableReplicas the same as readyReplicas: a Pod counts as soon as it is ready
 * @param observedGeneration the generation that the status is for
 * @param selector selector of the Pods by their labels, for those who scale
 * @param conditions Available: whether there are as many ready Pods as wanted
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PodSetStatus(
        @Required @JsonInclude(JsonInclude.Include.ALWAYS) List<String> nodes,
        @StatusReplicas int replicas,
        int readyReplicas,
        int availableReplicas,
        long observedGeneration,
        @Nullable @LabelSelector String selector,
        List<Condition> conditions)
        implements HasConditions {

    /** A condition's type. */
    public static final String AVAILABLE = "Available";

    public PodSetStatus {
        nodes = orEmpty(nodes);
        conditions = orEmpty(conditions);
    }

    private static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }
}
