package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.manifests.crd.Atomic;
import io.busbar.manifests.crd.Schemaless;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a SidecarSet's author wants.
 *
 * <p>Immutable, but for the fabric8 models within; lists are never null.
 *
 * @param selector which Pods get the sidecars, by their labels; a valid set has one
 * @param namespaceSelector restricts the set to namespaces by their labels; {@code kubernetes.io/metadata.name} is
 *     the name, whether the cluster labels its namespaces so or not
 * @param containers containers to inject; an item keeps fields that this version does not know
 * @param initContainers init containers to inject; one with restartPolicy Always is a native sidecar
 * @param volumes volumes that injected containers may mount; kinds of volumes that are newer than this version pass
 * @param updateStrategy how Pods that were injected before follow a changed image
 * @param injectionStrategy whether new Pods are injected, and with which revision
 * @param imagePullSecrets Secrets for the images; the same one twice is no mistake, so the list is not keyed
 * @param revisionHistoryLimit how many old specs are kept
 * @param patchPodMetadata annotations that matching Pods get
 * @param customVersion a version of the author's own naming, which the set's revisions inherit; a label in v1alpha1
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record SidecarSetSpec(
        @Nullable LabelSelector selector,
        @Nullable LabelSelector namespaceSelector,
        List<SidecarContainer> containers,
        List<SidecarContainer> initContainers,
        @Schemaless List<Volume> volumes,
        @Nullable UpdateStrategy updateStrategy,
        @Nullable InjectionStrategy injectionStrategy,
        @Atomic List<LocalObjectReference> imagePullSecrets,
        @Nullable Integer revisionHistoryLimit,
        List<PodMetadataPatch> patchPodMetadata,
        @Nullable String customVersion) {

    public SidecarSetSpec {
        containers = Lists.orEmpty(containers);
        initContainers = Lists.orEmpty(initContainers);
        volumes = Lists.orEmpty(volumes);
        imagePullSecrets = Lists.orEmpty(imagePullSecrets);
        patchPodMetadata = Lists.orEmpty(patchPodMetadata);
    }

    /** What an object without a spec stands for. */
    public static SidecarSetSpec empty() {
        return new SidecarSetSpec(
                null, null, List.of(), List.of(), List.of(), null, null, List.of(), null, List.of(), null);
    }
}
