package io.busbar.maven.image;

import io.busbar.maven.cluster.ClusterFiles;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A simulated cluster in a process of its own, and a client of it.
 *
 * <p>One thread; blocks.
 */
final class SimulatedCluster implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Path kubeconfig;
    private final JarProcess sandbox;
    private final KubernetesClient client;

    /**
     * Starts it.
     *
     * @param options of the virtual machine
     * @param arguments with which the jar is a sandbox
     * @param folder for files of all sorts
     */
    SimulatedCluster(Jar jar, List<String> options, List<String> arguments, Path folder)
            throws IOException, InterruptedException {
        kubeconfig = folder.resolve("kubeconfig");
        Files.deleteIfExists(kubeconfig);
        List<String> all = new ArrayList<>(arguments);
        all.add("--kubeconfig=" + kubeconfig);
        sandbox = new JarProcess(jar.command(options, all), folder.resolve("sandbox.log"));
        try {
            sandbox.await("write its kubeconfig", () -> Files.exists(kubeconfig) && Files.size(kubeconfig) > 0);
            client = connect();
            sandbox.await("answer", this::answers);
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

    /** A file. */
    Path kubeconfig() {
        return kubeconfig;
    }

    KubernetesClient client() {
        return client;
    }

    /** Brings objects there. */
    ClusterFiles files() {
        return new ClusterFiles(client, line -> {});
    }

    /** Returns once something holds, with true, or a time has passed, with false. */
    boolean await(Duration limit, JarProcess.Condition condition) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        boolean holds = condition.holds();
        while (!holds && System.nanoTime() - begun < limit.toNanos()) {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            holds = condition.holds();
        }
        return holds;
    }

    @Override
    public void close() {
        client.close();
        sandbox.close();
    }
}
