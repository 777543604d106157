package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import org.jspecify.annotations.Nullable;

/**
 * When the newest backup is loaded into a server of its own, to see whether it gives back what it holds.
 *
 * <p>Immutable, but for the fabric8 model within.
 *
 * @param schedule when, in five fields of cron; one that was missed is caught up on
 * @param timeZone the time zone of the schedule, by its name in the IANA database; UTC if left out
 * @param resources what the Job that does it asks of its node, and may use at most; those of a member if left out
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record VerificationSpec(
        @Required @Size(min = 1) String schedule,
        @Nullable String timeZone,
        @Nullable ResourceRequirements resources) {}
