package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies environment variables of one of the Pod's containers.
 *
 * <p>Immutable.
 *
 * @param sourceContainerName name of the container, fixed, or else by {@code sourceContainerNameFrom}
 * @param sourceContainerNameFrom where in the Pod the container's name stands
 * @param envName one variable
 * @param envNames several variables
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record TransferEnvVar(
        @Nullable String sourceContainerName,
        @Nullable ContainerNameSource sourceContainerNameFrom,
        @Nullable String envName,
        List<String> envNames) {

    public TransferEnvVar {
        envNames = Lists.orEmpty(envNames);
    }
}
