package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;

/**
 * How many members there are, by how busy they are.
 *
 * <p>Immutable; numbers are never null.
 *
 * @param enabled whether the size follows the metric
 * @param minReplicas how many members there are at least
 * @param maxReplicas how many members there are at most
 * @param metric what is measured of each member
 * @param target what the metric is to be on average over the members
 * @param step by how many members at most the size changes at once
 * @param scaleDownStabilizationSeconds for how many seconds fewer members have to suffice before there are fewer
 * @param cooldownSeconds how many seconds after a change the next may come
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record Autoscaling(
        @Default("false") boolean enabled,
        @Default("1") @Min(1) @Max(9) Integer minReplicas,
        @Default("9") @Min(1) @Max(9) Integer maxReplicas,
        @Default("ThreadsRunning") Metric metric,
        @Required @Min(1) int target,
        @Default("1") @Min(1) Integer step,
        @Default("300") @Min(0) Integer scaleDownStabilizationSeconds,
        @Default("60") @Min(0) Integer cooldownSeconds) {

    public Autoscaling {
        minReplicas = Present.number(minReplicas, 1);
        maxReplicas = Present.number(maxReplicas, 9);
        metric = metric == null ? Metric.ThreadsRunning : metric;
        step = Present.number(step, 1);
        scaleDownStabilizationSeconds = Present.number(scaleDownStabilizationSeconds, 300);
        cooldownSeconds = Present.number(cooldownSeconds, 60);
    }
}
