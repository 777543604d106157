package io.busbar.operator.sidecarset.defaulting;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.Defaulter;
import io.busbar.operator.sidecarset.hash.ContainerShape;
import io.busbar.operator.sidecarset.hash.SidecarSetHash;
import io.busbar.operator.sidecarset.v1beta1.InjectionRevision;
import io.busbar.operator.sidecarset.v1beta1.InjectionStrategy;
import io.busbar.operator.sidecarset.v1beta1.PodMetadataPatch;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import io.busbar.operator.sidecarset.v1beta1.UpdateStrategy;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fills in what a SidecarSet's author left out, and writes the hashes of its containers.
 *
 * <p>Any thread; pure and idempotent. Source: OpenKruise 1.9's mutating webhook, by what it stores. A startup probe
 * gets no defaults there, and none here.
 */
public final class SidecarSetDefaulter implements Defaulter<SidecarSet> {

    private static final DefaultsTable CONTAINER = DefaultsTable.parse("""
            terminationMessagePath = "/dev/termination-log"
            terminationMessagePolicy = "File"
            ports[].protocol = "TCP"
            env[].valueFrom.fieldRef.apiVersion = "v1"
            livenessProbe.timeoutSeconds = 1
            livenessProbe.periodSeconds = 10
            livenessProbe.successThreshold = 1
            livenessProbe.failureThreshold = 3
            livenessProbe.httpGet.path = "/"
            livenessProbe.httpGet.scheme = "HTTP"
            readinessProbe.timeoutSeconds = 1
            readinessProbe.periodSeconds = 10
            readinessProbe.successThreshold = 1
            readinessProbe.failureThreshold = 3
            readinessProbe.httpGet.path = "/"
            readinessProbe.httpGet.scheme = "HTTP"
            lifecycle.postStart.httpGet.path = "/"
            lifecycle.postStart.httpGet.scheme = "HTTP"
            lifecycle.preStop.httpGet.path = "/"
            lifecycle.preStop.httpGet.scheme = "HTTP"
            upgradeStrategy.upgradeType = "ColdUpgrade"
            shareVolumePolicy.type = "disabled"
            transferEnv[].sourceContainerNameFrom.fieldRef.apiVersion = "v1"
            resourcesPolicy.targetContainersNameRegex = ".*\"""");

    /** What the API server takes from the published types, such as the pool of an rbd, OpenKruise leaves to it. */
    private static final DefaultsTable VOLUME = DefaultsTable.parse("""
            hostPath.type = ""
            secret.defaultMode = 420
            configMap.defaultMode = 420
            downwardAPI.defaultMode = 420
            downwardAPI.items[].fieldRef.apiVersion = "v1"
            projected.defaultMode = 420
            projected.sources[].downwardAPI.items[].fieldRef.apiVersion = "v1"
            projected.sources[].serviceAccountToken.expirationSeconds = 3600
            ephemeral.volumeClaimTemplate.spec.volumeMode = "Filesystem\"""");

    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public SidecarSet withDefaults(SidecarSet set, AdmissionRequest request) {
        return withDefaults(set);
    }

    /** The same object, changed in place. */
    public SidecarSet withDefaults(SidecarSet set) {
        SidecarSetSpec spec = withDefaults(set.getSpec() == null ? SidecarSetSpec.empty() : set.getSpec());
        SidecarSetHash hash = SidecarSetHash.of(spec);
        Map<String, String> written = set.getMetadata().getAnnotations();
        Map<String, String> annotations = written == null ? new LinkedHashMap<>() : new LinkedHashMap<>(written);
        annotations.put(SidecarSet.HASH, hash.whole());
        annotations.put(SidecarSet.HASH_WITHOUT_IMAGE, hash.withoutImage());
        set.getMetadata().setAnnotations(annotations);
        set.setSpec(spec);
        return set;
    }

    private static SidecarSetSpec withDefaults(SidecarSetSpec spec) {
        return new SidecarSetSpec(
                spec.selector(),
                spec.namespaceSelector(),
                containers(spec.containers(), SidecarContainer.BEFORE),
                containers(spec.initContainers(), SidecarContainer.AFTER),
                spec.volumes().stream().map(SidecarSetDefaulter::volume).toList(),
                updateStrategy(spec.updateStrategy()),
                injectionStrategy(spec.injectionStrategy()),
                spec.imagePullSecrets(),
                spec.revisionHistoryLimit() == null ? Integer.valueOf(10) : spec.revisionHistoryLimit(),
                spec.patchPodMetadata().stream()
                        .map(patch -> new PodMetadataPatch(
                                patch.annotations(), orElse(patch.patchPolicy(), PodMetadataPatch.RETAIN)))
                        .toList(),
                spec.customVersion());
    }

    private static List<SidecarContainer> containers(List<SidecarContainer> containers, String injectPolicy) {
        return containers.stream()
                .map(container -> container(container, injectPolicy))
                .toList();
    }

    private static SidecarContainer container(SidecarContainer container, String injectPolicy) {
        ObjectNode tree = ContainerShape.stored(container);
        CONTAINER.applyTo(tree);
        setIfEmpty(
                tree,
                "imagePullPolicy",
                ImageReference.defaultPullPolicy(tree.path("image").asText()));
        setIfEmpty(tree, "podInjectPolicy", injectPolicy);
        return read(tree, SidecarContainer.class);
    }

    private static void setIfEmpty(ObjectNode tree, String field, String value) {
        if (tree.path(field).asText().isEmpty()) {
            tree.put(field, value);
        }
    }

    private static Volume volume(Volume volume) {
        ObjectNode tree = JSON.valueToTree(volume);
        if (tree.size() <= 1) { // no source beside the name
            tree.putObject("emptyDir");
        }
        VOLUME.applyTo(tree);
        return read(tree, Volume.class);
    }

    private static UpdateStrategy updateStrategy(@Nullable UpdateStrategy written) {
        UpdateStrategy strategy =
                written == null ? new UpdateStrategy(null, null, null, null, null, null, List.of()) : written;
        return new UpdateStrategy(
                orElse(strategy.type(), UpdateStrategy.ROLLING_UPDATE),
                trueOrNone(strategy.paused()),
                strategy.selector(),
                strategy.partition() == null ? new IntOrString(0) : strategy.partition(),
                strategy.maxUnavailable() == null ? new IntOrString(1) : strategy.maxUnavailable(),
                strategy.priorityStrategy(),
                strategy.scatterStrategy());
    }

    private static @Nullable InjectionStrategy injectionStrategy(@Nullable InjectionStrategy strategy) {
        if (strategy == null) {
            return null;
        }
        InjectionRevision revision = strategy.revision();
        return new InjectionStrategy(
                trueOrNone(strategy.paused()),
                revision == null
                        ? null
                        : new InjectionRevision(
                                revision.customVersion(),
                                revision.revisionName(),
                                orElse(revision.policy(), InjectionRevision.ALWAYS)));
    }

    private static @Nullable Boolean trueOrNone(@Nullable Boolean flag) {
        return Boolean.TRUE.equals(flag) ? flag : null;
    }

    private static String orElse(@Nullable String text, String otherwise) {
        return text == null || text.isEmpty() ? otherwise : text;
    }

    private static <T> T read(ObjectNode tree, Class<T> type) {
        try {
            return JSON.treeToValue(tree, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(
                    "cannot read back what was written: " + tree.path("name").asText(), e);
        }
    }
}
