package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Whether a sidecar gets the mounts of the Pod's own containers. Immutable.
 *
 * @param type enabled or disabled
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ShareVolumePolicy(@Nullable String type) {

    public static final String ENABLED = "enabled";
    public static final String DISABLED = "disabled";
}
