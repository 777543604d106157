package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import org.jspecify.annotations.Nullable;

/**
 * How members follow a change of what they run.
 *
 * <p>Immutable; numbers are never null.
 *
 * @param type in which order members are restarted; with OnDelete, as somebody deletes their Pods
 * @param paused whether no member is restarted
 * @param partition members with a lower ordinal stay as they are
 * @param canary members that get a change before the others
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record UpdateStrategy(
        @Default("ReplicasFirstPrimaryLast") UpdateType type,
        @Default("false") boolean paused,
        @Default("0") @Min(0) @Max(9) Integer partition,
        @Nullable Canary canary) {

    static final UpdateStrategy STANDARD = new UpdateStrategy(UpdateType.ReplicasFirstPrimaryLast, false, 0, null);

    public UpdateStrategy {
        type = type == null ? UpdateType.ReplicasFirstPrimaryLast : type;
        partition = Present.number(partition, 0);
    }
}
