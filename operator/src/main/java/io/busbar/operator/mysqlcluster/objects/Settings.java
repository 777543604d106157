package io.busbar.operator.mysqlcluster.objects;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The ConfigMaps with the settings of the revisions that a cluster has had. Pure; any thread. */
public final class Settings {

    private Settings() {}

    /**
     * Those that nobody reads any more, to be removed. Asked when all Pods are of the newest revision, and its
     * controller makes no others: a Pod whose ConfigMap is gone would not start.
     *
     * @param there those of a cluster
     * @param template of Pods that are made from now on
     * @param pods of the cluster, all of them
     */
    public static List<ConfigMap> unused(List<ConfigMap> there, PodTemplateSpec template, Collection<Pod> pods) {
        if (there.size() < 2) {
            return List.of();
        }
        Set<String> used = Stream.concat(
                        template.getSpec().getVolumes().stream(),
                        pods.stream().flatMap(pod -> pod.getSpec().getVolumes().stream()))
                .map(Volume::getConfigMap)
                .filter(Objects::nonNull)
                .map(source -> source.getName())
                .collect(Collectors.toSet());
        return there.stream()
                .filter(map -> !map.isMarkedForDeletion())
                .filter(map -> !used.contains(map.getMetadata().getName()))
                .toList();
    }
}
