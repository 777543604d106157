package io.busbar.operator.sidecarset.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/** Whether new Pods are injected, and with which revision. Immutable. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record InjectionStrategy(
        @Nullable Boolean paused, @Nullable InjectionRevision revision) {}
