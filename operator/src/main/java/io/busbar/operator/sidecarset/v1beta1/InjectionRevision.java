package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import org.jspecify.annotations.Nullable;

/**
 * The revision that new Pods get, by one of two names.
 *
 * <p>Immutable.
 *
 * @param customVersion value of the label {@code apps.kruise.io/sidecarset-custom-version} at the time of the
 *     revision
 * @param revisionName name of a ControllerRevision
 * @param policy Always, the default, or Partial: only Pods that the update strategy holds back
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record InjectionRevision(
        @Nullable String customVersion,
        @Nullable String revisionName,
        @Nullable @Default(InjectionRevision.ALWAYS) String policy) {

    public static final String ALWAYS = "Always";
    public static final String PARTIAL = "Partial";
}
