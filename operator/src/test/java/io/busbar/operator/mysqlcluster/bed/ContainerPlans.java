package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Works out how the container of a Pod is to be run, as things stand. Any thread; blocks. */
record ContainerPlans(
        KubernetesClient client,
        Map<Product, ServerImage> images,
        ClaimVolumes claims,
        Addresses addresses,
        Path root) {

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String JAR = "/app/busbar.jar";
    private static final Path HOSTS = Path.of("/etc/hosts");

    /** Whether a container's image is that of the operator's own program. */
    static boolean isOperator(Container container) {
        return DatabaseNode.OPERATOR_IMAGE.equals(container.getImage());
    }

    /** Whether a container is the exporter of a member, for which {@code mysqld_exporter.sh} stands in. */
    static boolean isExporter(Container container) {
        return container.getImage().contains("/mysqld-exporter:");
    }

    /**
     * @param claimMegabytes how much the volume of a claim is to hold, when it is new; 0 for no limit
     * @throws MissingReferenceException when something is not there that the Pod refers to
     */
    ContainerPlan plan(Pod pod, Container container, String address, int claimMegabytes)
            throws IOException, MissingReferenceException {
        Container product = isExporter(container) ? ServerImage.container(pod) : container;
        ServerImage image = Objects.requireNonNull(images.get(Product.of(product.getImage())));
        Path folder = Files.createDirectories(root.resolve(pod.getMetadata().getUid()));
        References references = new References(client, pod.getMetadata().getNamespace());
        Map<String, String> environment =
                new Environment(references, new PodFields(pod, address, addresses.node()), image.path()).of(container);
        Expansion expansion = new Expansion(environment);
        Volumes volumes = new Volumes(references, claims, folder, claimMegabytes);

        List<Mount> mounts = new ArrayList<>(image.programs());
        boolean server = ServerImage.serves(container) && container.getCommand().isEmpty();
        if (server) {
            mounts.addAll(image.mounts());
        }
        if (isOperator(container)) {
            mounts.add(Mount.bind(Path.of(System.getProperty("busbar.jar")), JAR, true));
        }
        if (isExporter(container)) {
            mounts.add(Mount.bind(image.exporter(), "/usr/local/bin/mysqld_exporter", true));
            environment.put("SERVER_ADDRESS", address);
        }
        mounts.addAll(mounts(pod, container, volumes, expansion));
        Path own = container.equals(ServerImage.container(pod)) ? folder : folder.resolve(container.getName());
        mounts.add(Mount.bind(own.resolve("termination-log"), container.getTerminationMessagePath(), false));
        mounts.add(Mount.bind(hosts(own, pod, address), HOSTS.toString(), true));
        List<String> arguments =
                container.getArgs().stream().map(expansion::expand).toList();
        return new ContainerPlan(
                pod.getMetadata().getName(),
                own,
                server ? ServerImage.command(address, arguments) : command(container, expansion, arguments),
                environment,
                mounts);
    }

    /** Those that this machine knows by name, and the Pod, which finds itself by its own. */
    private static Path hosts(Path folder, Pod pod, String address) throws IOException {
        String known = Files.exists(HOSTS) ? Files.readString(HOSTS) : "";
        return Files.writeString(
                Files.createDirectories(folder).resolve("hosts"),
                known + "\n" + address + "\t" + pod.getMetadata().getName() + "\n");
    }

    /** Brings what Secrets hold now into a Pod that runs, as a kubelet does some time after they have changed. */
    void refresh(Pod pod) throws IOException, MissingReferenceException {
        Path folder = root.resolve(pod.getMetadata().getUid());
        References references = new References(client, pod.getMetadata().getNamespace());
        Volumes volumes = new Volumes(references, claims, folder, 0);
        for (Volume volume : pod.getSpec().getVolumes()) {
            if (volume.getSecret() != null || volume.getProjected() != null) {
                volumes.of(volume);
            }
        }
    }

    /** An image that is not known here does nothing, for good. */
    private static List<String> command(Container container, Expansion expansion, List<String> arguments) {
        if (isOperator(container)) {
            List<String> command =
                    new ArrayList<>(List.of(JAVA, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", JAR));
            command.addAll(arguments);
            return command;
        }
        if (container.getCommand().isEmpty()) {
            return List.of("sleep", "infinity");
        }
        List<String> command = new ArrayList<>();
        container.getCommand().forEach(part -> command.add(expansion.expand(part)));
        command.addAll(arguments);
        return command;
    }

    /** Disks first, then what is nearer to the root. */
    private static List<Mount> mounts(Pod pod, Container container, Volumes volumes, Expansion expansion)
            throws IOException, MissingReferenceException {
        List<Mount> disks = new ArrayList<>();
        List<Mount> binds = new ArrayList<>();
        for (VolumeMount mount : container.getVolumeMounts()) {
            ClaimVolumes.Volume volume = volumes.of(named(pod, mount.getName()));
            volume.disk()
                    .map(disk -> Mount.disk(disk, volume.folder()))
                    .filter(disk -> !disks.contains(disk))
                    .ifPresent(disks::add);
            binds.add(Mount.bind(
                    below(volume.folder(), mount, expansion),
                    mount.getMountPath(),
                    Boolean.TRUE.equals(mount.getReadOnly())));
        }
        binds.sort(Comparator.comparingInt(mount -> Path.of(mount.target()).getNameCount()));
        disks.addAll(binds);
        return disks;
    }

    private static Path below(Path folder, VolumeMount mount, Expansion expansion) {
        if (mount.getSubPathExpr() != null && !mount.getSubPathExpr().isEmpty()) {
            return folder.resolve(expansion.expand(mount.getSubPathExpr()));
        }
        return mount.getSubPath() == null ? folder : folder.resolve(mount.getSubPath());
    }

    private static Volume named(Pod pod, String name) {
        return pod.getSpec().getVolumes().stream()
                .filter(volume -> volume.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
