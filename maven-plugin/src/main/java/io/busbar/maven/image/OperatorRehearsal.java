package io.busbar.maven.image;

import io.busbar.maven.cluster.ClusterFiles;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An operator as it is deployed, on a simulated cluster, while a user makes its samples there.
 *
 * <p>Immutable; blocks.
 */
final class OperatorRehearsal implements Program.Rehearsal {

    /** For what a controller says of a sample; not every kind has one. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** For one answer of a probe. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @Override
    public void play(Jar jar, List<String> options, List<String> flags, Path folder)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path manifests = manifests(jar, folder);
        try (SimulatedCluster cluster = new SimulatedCluster(jar, List.of(), List.of("sandbox"), folder)) {
            String namespace = install(cluster, manifests);
            try (Run run = new Run(jar, options, arguments(cluster, namespace, flags), folder)) {
                run.awaitReady();
                makeSamples(cluster, manifests.resolve("config/samples"));
            }
        }
    }

    private static Path manifests(Jar jar, Path folder) throws IOException, InterruptedException {
        Path manifests = folder.resolve("manifests");
        Path log = folder.resolve("manifests.log");
        Process written = jar.command(List.of(), List.of("manifests", "--output=" + manifests))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (written.waitFor() != 0) {
            throw new IllegalStateException(
                    "the operator's jar does not write its manifests: " + Files.readString(log));
        }
        return manifests;
    }

    /** Kinds, and the operator's namespace; it runs outside of the cluster, so that nothing else is asked for. */
    private static String install(SimulatedCluster cluster, Path manifests) throws IOException {
        List<HasMetadata> objects = cluster.files().read(manifests.resolve("dist/install-self-signed.yaml"));
        List<String> refused = cluster.files()
                .apply(objects.stream()
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

    /**
     * Those of the Deployment that choose the code which runs; registered by URL, as nothing routes to a Service there.
     */
    private static List<String> arguments(SimulatedCluster cluster, String namespace, List<String> flags) {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--kubeconfig=" + cluster.kubeconfig(),
                "--leader-elect",
                "--leader-election-namespace=" + namespace,
                "--log-format=json",
                "--webhook-certs=self-signed",
                "--webhook-url=https://127.0.0.1:0",
                "--webhook-bind-address=127.0.0.1",
                "--webhook-port=0",
                "--metrics-bind-address=127.0.0.1:0"));
        arguments.addAll(flags);
        return arguments;
    }

    /** Returns once the operator has said something of each, or seems to have nothing to say. */
    private static void makeSamples(SimulatedCluster cluster, Path folder) throws IOException, InterruptedException {
        if (Files.notExists(folder)) {
            return;
        }
        ClusterFiles files = cluster.files();
        List<HasMetadata> samples = files.read(folder).stream()
                .filter(object -> !object.getKind().equals("Kustomization"))
                .toList();
        List<String> unused = files.apply(samples); // what is refused has shown how that is done
        cluster.await(PATIENCE, () -> samples.stream().allMatch(sample -> hasStatus(cluster, sample)));
    }

    private static boolean hasStatus(SimulatedCluster cluster, HasMetadata sample) {
        return cluster.client().resource(sample).get() instanceof GenericKubernetesResource stored
                && stored.get("status") != null;
    }

    /** The operator. One thread; blocks. */
    private static final class Run implements AutoCloseable {

        private final HttpClient kubelet = HttpClient.newHttpClient();
        private final HttpRequest probe;
        private final JarProcess operator;

        Run(Jar jar, List<String> options, List<String> arguments, Path folder) throws IOException {
            URI probes = URI.create("http://127.0.0.1:" + freePort() + "/readyz");
            List<String> all = new ArrayList<>(arguments);
            all.add("--health-probe-bind-address=" + probes.getAuthority());
            probe = HttpRequest.newBuilder(probes).timeout(LIMIT).build();
            operator = new JarProcess(jar.command(options, all), folder.resolve("operator.log"));
        }

        private static int freePort() throws IOException {
            try (ServerSocket socket = new ServerSocket(0)) {
                return socket.getLocalPort();
            }
        }

        void awaitReady() throws IOException, InterruptedException {
            operator.await("get ready", this::isReady);
        }

        private boolean isReady() throws InterruptedException {
            try {
                return kubelet.send(probe, BodyHandlers.discarding()).statusCode() == HttpURLConnection.HTTP_OK;
            } catch (IOException notListeningYet) {
                return false;
            }
        }

        @Override
        public void close() {
            operator.close();
        }
    }
}
