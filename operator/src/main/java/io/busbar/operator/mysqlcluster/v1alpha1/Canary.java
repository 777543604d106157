package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/**
 * Some members get a change before the others.
 *
 * <p>Immutable; numbers are never null.
 *
 * @param replicas how many members go first
 * @param pauseSeconds for how many seconds they are watched
 * @param autoPromote whether the others follow after that; else only when it is asked for
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record Canary(
        @Default("1") @Min(0) @Max(9) Integer replicas,
        @Default("0") @Min(0) Integer pauseSeconds,
        @Default("false") boolean autoPromote) {

    public Canary {
        replicas = Present.number(replicas, 1);
        pauseSeconds = Present.number(pauseSeconds, 0);
    }
}
