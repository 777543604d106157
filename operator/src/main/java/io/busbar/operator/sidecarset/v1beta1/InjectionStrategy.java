package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Whether new Pods are injected, and with which revision. Immutable.
 *
 * @param paused whether new Pods are left without the sidecars
 * @param revision the revision that new Pods get; the newest if left out
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record InjectionStrategy(
        @Nullable Boolean paused, @Nullable InjectionRevision revision) {}
