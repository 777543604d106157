package io.busbar.operator.mysqlcluster.objects;

import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.Encryption;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.v1alpha1.ExporterSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.Mode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterSpec;
import io.busbar.reconciler.dependent.Template;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The containers by which servers of MariaDB copy one another's data files: one beside each server gives them, one
 * before it takes those of another where the operator has asked its server for that. MySQL's servers need none.
 *
 * <p>They are there also where dumps are asked for, so that what was begun before that is put away. Members of an older
 * operator that have none are not restarted for this alone: they are with the next change of their image or settings.
 * Pure; any thread.
 */
public final class DataFiles {

    /** Beside each server. */
    public static final String GIVES = "give-data-files";

    /** Before each server. */
    public static final String TAKES = "take-data-files";

    /** Where they are given. */
    public static final int PORT = 4444;

    private static final Map<String, Quantity> SMALL =
            Map.of("cpu", new Quantity("200m"), "memory", new Quantity("256Mi"));

    static final String VOLUME = "mysql-operator";

    private static final Template CONTAINERS = Template.beside(DataFiles.class, "data-files.yaml");
    private static final String SCRIPT = Texts.read("data-files.sh");

    private DataFiles() {}

    /** Whether a cluster's Pods are to have the containers: of what product an image is, its name says. */
    static boolean areCopied(MySQLClusterSpec spec, String image) {
        return spec.mode() == Mode.Replicated
                && image.toLowerCase(Locale.ROOT).contains("mariadb")
                && Stream.concat(
                                Stream.ofNullable(spec.metrics().exporter()).map(ExporterSpec::port),
                                spec.podTemplate().containers().stream()
                                        .flatMap(sidecar -> sidecar.getPorts().stream())
                                        .map(ContainerPort::getContainerPort))
                        .noneMatch(port -> Objects.equals(port, PORT));
    }

    /** @param pod with a server, which has a certificate or not */
    static void add(PodSpec pod, MySQLCluster cluster, String image) {
        String name = cluster.getMetadata().getName();
        PodSpec added = CONTAINERS
                .fill(
                        Pod.class,
                        cluster,
                        Map.of(
                                "image",
                                image,
                                "script",
                                SCRIPT,
                                "mark",
                                DatabaseServer.MARK_OF_INCOMPLETE,
                                "port",
                                PORT,
                                "administrationPort",
                                Endpoint.ADMINISTRATION_PORT,
                                "operator",
                                ClusterNames.OPERATOR,
                                "certificates",
                                Encryption.FOLDER,
                                "secret",
                                ClusterNames.auth(name)))
                .getSpec();
        if (ClusterNames.isEncrypted(pod)) {
            containers(added)
                    .forEach(container -> container
                            .getVolumeMounts()
                            .add(new VolumeMountBuilder()
                                    .withName(ClusterNames.CERTIFICATES)
                                    .withMountPath(Encryption.FOLDER)
                                    .withReadOnly(true)
                                    .build()));
        }
        ResourceRequirements asked = cluster.wanted().replication().copyResources();
        ResourceRequirements ofServer = cluster.wanted().resources();
        // What runs before the server takes nothing from it.
        added.getInitContainers().get(0).setResources(asked == null ? ofServer : asked);
        added.getContainers().get(0).setResources(asked == null ? small(ofServer) : asked);
        pod.getInitContainers().addAll(added.getInitContainers());
        pod.getContainers().addAll(added.getContainers());
        pod.getVolumes().addAll(added.getVolumes());
    }

    /** So that a Pod of which all else is bounded is so, too. */
    private static @Nullable ResourceRequirements small(@Nullable ResourceRequirements ofServer) {
        return ofServer == null
                ? null
                : new ResourceRequirementsBuilder()
                        .withRequests(small(ofServer.getRequests()))
                        .withLimits(small(ofServer.getLimits()))
                        .build();
    }

    private static Map<String, Quantity> small(@Nullable Map<String, Quantity> ofServer) {
        Map<String, Quantity> small = new TreeMap<>();
        SMALL.forEach((name, its) -> {
            Quantity most = ofServer == null ? null : ofServer.get(name);
            if (most != null) {
                small.put(name, most.getNumericalAmount().compareTo(its.getNumericalAmount()) < 0 ? most : its);
            }
        });
        return small;
    }

    /** Whether members run, or are to run, what is wanted but for this. */
    static boolean areToBeLeftOut(PodSpec wanted, Optional<StatefulSet> there, List<Pod> pods) {
        RunServer asked = RunServer.of(wanted).orElseThrow();
        return RunServer.all(there, pods)
                .anyMatch(server -> !server.beside().contains(GIVES)
                        && server.image().equals(asked.image())
                        && server.settings().containsAll(asked.settings()));
    }

    static void leaveOut(PodSpec pod) {
        pod.getInitContainers().removeIf(container -> TAKES.equals(container.getName()));
        pod.getContainers().removeIf(container -> GIVES.equals(container.getName()));
        pod.getVolumes().removeIf(volume -> VOLUME.equals(volume.getName()));
    }

    private static Stream<Container> containers(PodSpec pod) {
        return Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream());
    }

    /** Whether those of a Pod's server can be given to others. */
    public static boolean areGiven(Optional<Pod> pod) {
        return pod.map(Pod::getStatus)
                .flatMap(status -> running(status.getContainerStatuses(), GIVES))
                .isPresent();
    }

    /** Whether a Pod takes those of another before its server begins, where that is asked for. */
    public static boolean areTaken(PodSpec pod) {
        return pod.getInitContainers().stream().anyMatch(container -> TAKES.equals(container.getName()));
    }

    /** Since when a Pod's server waits for that, if it does; each does for a moment. */
    public static Optional<Instant> areTakenSince(Pod pod) {
        return Optional.ofNullable(pod.getStatus())
                .flatMap(status -> running(status.getInitContainerStatuses(), TAKES))
                .map(ContainerStateRunning::getStartedAt)
                .map(Instant::parse);
    }

    private static Optional<ContainerStateRunning> running(List<ContainerStatus> containers, String name) {
        return containers.stream()
                .filter(one -> name.equals(one.getName()))
                .map(ContainerStatus::getState)
                .filter(Objects::nonNull)
                .map(ContainerState::getRunning)
                .filter(Objects::nonNull)
                .findFirst();
    }
}
