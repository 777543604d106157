package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.ObjectFieldSelector;
import org.jspecify.annotations.Nullable;

/**
 * Reads a container's name from a label or an annotation of the Pod. Immutable.
 *
 * @param fieldRef the label or annotation, such as {@code metadata.labels['app']}
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ContainerNameSource(@Nullable ObjectFieldSelector fieldRef) {}
