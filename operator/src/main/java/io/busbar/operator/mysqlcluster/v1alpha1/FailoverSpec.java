package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;

/**
 * Whether and when another member becomes the primary by itself.
 *
 * <p>Immutable; numbers are never null.
 *
 * @param enabled whether another member becomes the primary by itself
 * @param delaySeconds for how many seconds the primary has to be away before
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record FailoverSpec(
        @Default("true") Boolean enabled,
        @Default("10") @Min(0) Integer delaySeconds) {

    static final FailoverSpec STANDARD = new FailoverSpec(true, 10);

    public FailoverSpec {
        enabled = enabled == null || enabled;
        delaySeconds = Present.number(delaySeconds, 10);
    }
}
