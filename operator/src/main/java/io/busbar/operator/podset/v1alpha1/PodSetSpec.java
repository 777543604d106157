package io.busbar.operator.podset.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;

/**
 * What a PodSet's author wants.
 *
 * <p>Immutable.
 *
 * @param size how many Pods there are to be
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PodSetSpec(@Required @Min(0) @SpecReplicas int size) {}
