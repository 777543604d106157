package io.busbar.maven.image;

import io.busbar.maven.cluster.ClusterFiles;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A simulated cluster in a process of its own, and a user who makes the samples of an operator there.
 *
 * <p>One thread; blocks.
 */
final class Rehearsal implements AutoCloseable {

    /** For what a controller says of a sample; not every kind has one. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** Makes the process of a command of the jar. */
    interface Jar {
        ProcessBuilder command(String... arguments);
    }

    private final Path kubeconfig;
    private final Path manifests;
    private final JarProcess sandbox;
    private final KubernetesClient client;
    private final String namespace;

    /**
     * Starts the cluster, and installs what the operator needs.
     *
     * @param folder for files of all sorts
     */
    Rehearsal(Jar jar, Path folder) throws IOException, InterruptedException {
        kubeconfig = folder.resolve("kubeconfig");
        manifests = folder.resolve("manifests");
        Files.createDirectories(folder);
        Files.deleteIfExists(kubeconfig);
        sandbox = new JarProcess(jar.command("sandbox", "--kubeconfig=" + kubeconfig), folder.resolve("sandbox.log"));
        try {
            sandbox.await("write its kubeconfig", () -> Files.exists(kubeconfig) && Files.size(kubeconfig) > 0);
            client = connect();
            sandbox.await("answer", this::answers);
            Process written = jar.command("manifests", "--output=" + manifests)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("manifests.log").toFile())
                    .start();
            if (written.waitFor() != 0) {
                throw new IllegalStateException("the operator's jar does not write its manifests: "
                        + Files.readString(folder.resolve("manifests.log")));
            }
            namespace = install();
        } catch (IOException | InterruptedException | RuntimeException failed) {
            sandbox.close();
            throw failed;
        }
    }

    private KubernetesClient connect() {
        Config config = Config.fromKubeconfig(kubeconfig.toFile());
        config.setNamespace("default"); // for samples that name none
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private boolean answers() {
        try {
            return client.getKubernetesVersion() != null;
        } catch (KubernetesClientException notYet) {
            return false;
        }
    }

    /** Kinds, and the operator's namespace; it runs outside of the cluster, so that nothing else is asked for. */
    private String install() throws IOException {
        ClusterFiles cluster = cluster();
        List<HasMetadata> objects = cluster.read(manifests.resolve("dist/install-self-signed.yaml"));
        List<String> refused = cluster.apply(objects.stream()
                .filter(object -> object instanceof Namespace || object instanceof CustomResourceDefinition)
                .toList());
        if (!refused.isEmpty()) {
            throw new IllegalStateException("the simulated cluster refuses: " + refused);
        }
        return objects.stream()
                .filter(Namespace.class::isInstance)
                .map(object -> object.getMetadata().getName())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("dist/install-self-signed.yaml has no Namespace"));
    }

    private ClusterFiles cluster() {
        return new ClusterFiles(client, line -> {});
    }

    /** A file. */
    Path kubeconfig() {
        return kubeconfig;
    }

    /** The operator's own. */
    String namespace() {
        return namespace;
    }

    /** Makes all samples; returns once the operator has said something of each, or seems to have nothing to say. */
    void play() throws IOException, InterruptedException {
        Path folder = manifests.resolve("config/samples");
        if (Files.notExists(folder)) {
            return;
        }
        ClusterFiles cluster = cluster();
        List<HasMetadata> samples = cluster.read(folder).stream()
                .filter(object -> !object.getKind().equals("Kustomization"))
                .toList();
        List<String> unused = cluster.apply(samples); // what is refused has shown how that is done
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < PATIENCE.toNanos()
                && !samples.stream().allMatch(this::hasStatus)) {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        }
    }

    private boolean hasStatus(HasMetadata sample) {
        return client.resource(sample).get() instanceof GenericKubernetesResource stored
                && stored.get("status") != null;
    }

    @Override
    public void close() {
        client.close();
        sandbox.close();
    }
}
