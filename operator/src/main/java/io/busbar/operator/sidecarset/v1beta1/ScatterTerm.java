package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Required;

/**
 * Pods of one label value are spread over the whole update. Immutable.
 *
 * @param key key of the label
 * @param value value of the label; {@code *} stands for each value that the key has
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ScatterTerm(@Required String key, @Required String value) {}
