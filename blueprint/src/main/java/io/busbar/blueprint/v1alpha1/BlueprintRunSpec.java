package io.busbar.blueprint.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done. Immutable.
 *
 * @param instance with which; in the run's own namespace, if in any
 * @param plan the name of one of the plans of its Blueprint
 * @param parameters what expressions see as run.parameters
 * @param cancel true has no further step begin, and the Jobs of those that have begun deleted
 * @param attempt a number larger by one has a run that has failed, or was cancelled, go on with the steps that have not
 *     succeeded
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BlueprintRunSpec(
        @Required Instance instance,
        @Required @Size(min = 1) String plan,
        @Nullable Map<String, String> parameters,
        @Nullable Boolean cancel,
        @Nullable @Default("1") @Min(1) Integer attempt) {

    /** An instance of a Blueprint. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Instance(
            @Required @Size(min = 1) String apiVersion,
            @Required @Size(min = 1) String kind,
            @Required @Size(min = 1) String name) {}
}
