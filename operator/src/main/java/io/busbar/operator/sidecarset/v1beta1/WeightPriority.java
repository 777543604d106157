package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.LabelSelector;

/**
 * Adds a weight to the Pods that match. Immutable.
 *
 * @param weight the weight, 1 to 100
 * @param matchSelector which Pods get it, by their labels
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record WeightPriority(
        @Required Integer weight, @Required LabelSelector matchSelector) {}
