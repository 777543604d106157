package io.busbar.operator.mysqlcluster.objects;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The server that a Pod runs, or is to run.
 *
 * <p>Immutable, but for the container.
 *
 * @param settings names of the objects that they are in
 * @param beside names of the containers that run beside it
 */
record RunServer(Container container, Set<String> settings, Set<String> beside) {

    /** Those of Pods there are, and those of Pods to come. */
    static Stream<RunServer> all(Optional<StatefulSet> set, List<Pod> pods) {
        return Stream.concat(
                        set.map(its -> its.getSpec().getTemplate().getSpec()).stream(),
                        pods.stream().map(Pod::getSpec).filter(Objects::nonNull))
                .flatMap(spec -> of(spec).stream());
    }

    /** Others may have put containers of theirs before it. */
    static Optional<RunServer> of(PodSpec spec) {
        Set<String> settings = spec.getVolumes().stream()
                .map(Volume::getConfigMap)
                .filter(Objects::nonNull)
                .map(source -> source.getName())
                .filter(Objects::nonNull)
                .collect(Collectors.toUnmodifiableSet());
        Set<String> beside = spec.getContainers().stream()
                .map(Container::getName)
                .filter(name -> !ClusterNames.CONTAINER.equals(name))
                .collect(Collectors.toUnmodifiableSet());
        return spec.getContainers().stream()
                .filter(container -> ClusterNames.CONTAINER.equals(container.getName()))
                .findFirst()
                .map(container -> new RunServer(container, settings, beside));
    }

    String image() {
        return String.valueOf(container.getImage());
    }
}
