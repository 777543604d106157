package io.busbar.operator.sidecarset.v1alpha1;

import io.busbar.admission.conversion.Converter;
import io.busbar.admission.conversion.Versions;
import io.busbar.operator.sidecarset.matching.SidecarSetMatching;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import org.jspecify.annotations.Nullable;

/**
 * v1alpha1 and v1beta1 of SidecarSet: a namespace by name becomes a selector of that name, the label of a custom
 * version a field.
 *
 * <p>Pure; any thread. Source: OpenKruise 1.9, whose two versions differ in the same way.
 */
public final class SidecarSetConverter
        implements Converter<io.busbar.operator.sidecarset.v1alpha1.SidecarSet, SidecarSet> {

    /** The versions that are served; what is stored is the hub. */
    public static final Versions<SidecarSet> VERSIONS = Versions.hub(SidecarSet.class)
            .spoke(io.busbar.operator.sidecarset.v1alpha1.SidecarSet.class, new SidecarSetConverter());

    private SidecarSetConverter() {}

    @Override
    public SidecarSet toHub(io.busbar.operator.sidecarset.v1alpha1.SidecarSet spoke) {
        SidecarSet hub = new SidecarSet();
        hub.setMetadata(spoke.getMetadata());
        hub.setStatus(spoke.getStatus());
        String version = version(spoke.getMetadata());
        if (spoke.getSpec() == null && version == null) {
            return hub;
        }
        var spec = spoke.getSpec() == null
                ? io.busbar.operator.sidecarset.v1alpha1.SidecarSetSpec.empty()
                : spoke.getSpec();
        hub.setMetadata(new ObjectMetaBuilder(spoke.getMetadata())
                .removeFromLabels(SidecarSet.CUSTOM_VERSION)
                .build());
        hub.setSpec(new SidecarSetSpec(
                spec.selector(),
                namespaces(spec),
                spec.containers(),
                spec.initContainers(),
                spec.volumes(),
                spec.updateStrategy(),
                spec.injectionStrategy(),
                spec.imagePullSecrets(),
                spec.revisionHistoryLimit(),
                spec.patchPodMetadata(),
                version));
        return hub;
    }

    @Override
    public io.busbar.operator.sidecarset.v1alpha1.SidecarSet fromHub(SidecarSet hub) {
        var spoke = new io.busbar.operator.sidecarset.v1alpha1.SidecarSet();
        spoke.setMetadata(hub.getMetadata());
        spoke.setStatus(hub.getStatus());
        SidecarSetSpec spec = hub.getSpec();
        if (spec == null) {
            return spoke;
        }
        String version = spec.customVersion();
        if (version != null && !version.isEmpty()) {
            spoke.setMetadata(new ObjectMetaBuilder(hub.getMetadata())
                    .addToLabels(SidecarSet.CUSTOM_VERSION, version)
                    .build());
        }
        spoke.setSpec(new io.busbar.operator.sidecarset.v1alpha1.SidecarSetSpec(
                spec.selector(),
                null,
                spec.namespaceSelector(),
                spec.containers(),
                spec.initContainers(),
                spec.volumes(),
                spec.updateStrategy(),
                spec.injectionStrategy(),
                spec.imagePullSecrets(),
                spec.revisionHistoryLimit(),
                spec.patchPodMetadata()));
        return spoke;
    }

    /** A namespace by name wins over the selector. */
    private static @Nullable LabelSelector namespaces(io.busbar.operator.sidecarset.v1alpha1.SidecarSetSpec spec) {
        return spec.namespace() == null || spec.namespace().isEmpty()
                ? spec.namespaceSelector()
                : new LabelSelectorBuilder()
                        .addToMatchLabels(SidecarSetMatching.NAMESPACE_NAME, spec.namespace())
                        .build();
    }

    private static @Nullable String version(ObjectMeta metadata) {
        return metadata.getLabels() == null ? null : metadata.getLabels().get(SidecarSet.CUSTOM_VERSION);
    }
}
