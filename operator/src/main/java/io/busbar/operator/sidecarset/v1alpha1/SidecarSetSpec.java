package io.busbar.operator.sidecarset.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.manifests.crd.Atomic;
import io.busbar.manifests.crd.Schemaless;
import io.busbar.operator.sidecarset.v1beta1.InjectionStrategy;
import io.busbar.operator.sidecarset.v1beta1.Lists;
import io.busbar.operator.sidecarset.v1beta1.PodMetadataPatch;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.UpdateStrategy;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a SidecarSet's author wants, in the words of v1alpha1.
 *
 * <p>Immutable, but for the fabric8 models within; lists are never null.
 *
 * @param selector which Pods get the sidecars, by their labels; a valid set has one
 * @param namespace restricts the set to one namespace, and wins over the selector
 * @param namespaceSelector restricts the set to namespaces by their labels
 * @param containers containers to inject; an item keeps fields that this version does not know
 * @param initContainers init containers to inject; one with restartPolicy Always is a native sidecar
 * @param volumes volumes that injected containers may mount; kinds of volumes that are newer than this version pass
 * @param updateStrategy how Pods that were injected before follow a changed image
 * @param injectionStrategy whether new Pods are injected, and with which revision
 * @param imagePullSecrets Secrets for the images; the same one twice is no mistake, so the list is not keyed
 * @param revisionHistoryLimit how many old specs are kept
 * @param patchPodMetadata annotations that matching Pods get
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record SidecarSetSpec(
        @Nullable LabelSelector selector,
        @Nullable String namespace,
        @Nullable LabelSelector namespaceSelector,
        List<SidecarContainer> containers,
        List<SidecarContainer> initContainers,
        @Schemaless List<Volume> volumes,
        @Nullable UpdateStrategy updateStrategy,
        @Nullable InjectionStrategy injectionStrategy,
        @Atomic List<LocalObjectReference> imagePullSecrets,
        @Nullable Integer revisionHistoryLimit,
        List<PodMetadataPatch> patchPodMetadata) {

    public SidecarSetSpec {
        containers = Lists.orEmpty(containers);
        initContainers = Lists.orEmpty(initContainers);
        volumes = Lists.orEmpty(volumes);
        imagePullSecrets = Lists.orEmpty(imagePullSecrets);
        patchPodMetadata = Lists.orEmpty(patchPodMetadata);
    }

    /** What an object without a spec stands for. */
    static SidecarSetSpec empty() {
        return new SidecarSetSpec(
                null, null, null, List.of(), List.of(), List.of(), null, null, List.of(), null, List.of());
    }
}
