package io.busbar.operator.sidecarset.validation;

import io.busbar.operator.sidecarset.v1beta1.PodMetadataPatch;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What patches of Pods' metadata must be, and who may have them.
 *
 * <p>Immutable.
 *
 * @param whitelist which sets may patch which annotations
 */
record PodMetadataRules(PodMetadataWhitelist whitelist) {

    void check(Field spec, SidecarSet set) {
        Field patches = spec.child("patchPodMetadata");
        if (!set.getSpec().patchPodMetadata().isEmpty()) {
            whitelist.refusal(set).ifPresent(patches::forbidden);
        }
        Set<String> keys = new HashSet<>();
        spec.<PodMetadataPatch>each("patchPodMetadata", set.getSpec().patchPodMetadata(), (at, patch) -> {
            if (patch.annotations().isEmpty()) {
                at.child("annotations").required("no annotations defined for SidecarSet");
            }
            at.child("patchPolicy")
                    .oneOf(
                            patch.patchPolicy(),
                            PodMetadataPatch.RETAIN,
                            PodMetadataPatch.OVERWRITE,
                            PodMetadataPatch.MERGE_PATCH_JSON);
            for (Map.Entry<String, String> annotation : patch.annotations().entrySet()) {
                String key = annotation.getKey();
                at.child("annotations").text(key.toLowerCase(Locale.ROOT), Names::qualified);
                if (!keys.add(key)) {
                    at.child("annotations").invalid(key, "patch annotation[" + key + "] already exist");
                }
            }
        });
    }
}
