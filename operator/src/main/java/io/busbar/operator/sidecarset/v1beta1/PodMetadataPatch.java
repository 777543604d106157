package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Annotations for matching Pods.
 *
 * <p>Immutable.
 *
 * @param annotations annotations that matching Pods get
 * @param patchPolicy what becomes of one that the Pod has already: Retain, the default, Overwrite or MergePatchJson
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PodMetadataPatch(
        Map<String, String> annotations,
        @Nullable @Default(PodMetadataPatch.RETAIN) String patchPolicy) {

    public static final String RETAIN = "Retain";
    public static final String OVERWRITE = "Overwrite";
    public static final String MERGE_PATCH_JSON = "MergePatchJson";

    public PodMetadataPatch {
        annotations = annotations == null ? Map.of() : Collections.unmodifiableMap(annotations);
    }
}
