package io.busbar.maven.image;

import io.busbar.maven.cluster.ClusterFiles;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * A sandbox, and a user who makes objects of the usual kinds and one of his own, asks a question by each verb, and is
 * refused some.
 *
 * <p>Immutable; blocks.
 */
final class SandboxRehearsal implements Program.Rehearsal {

    /** For the Deployment's Pods to run. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String OBJECTS = "sandbox-rehearsal.yaml";

    @Override
    public void play(Jar jar, List<String> options, List<String> flags, Path folder)
            throws IOException, InterruptedException {
        Path objects = Files.createDirectories(folder).resolve(OBJECTS);
        try (InputStream text = Objects.requireNonNull(SandboxRehearsal.class.getResourceAsStream(OBJECTS))) {
            Files.write(objects, text.readAllBytes());
        }
        try (SimulatedCluster cluster = new SimulatedCluster(jar, options, flags, folder)) {
            ClusterFiles files = cluster.files();
            List<HasMetadata> made = files.read(objects);
            List<String> refused = files.apply(made);
            if (!refused.isEmpty()) {
                throw new IllegalStateException("the sandbox refuses: " + refused);
            }
            if (!cluster.await(
                    PATIENCE,
                    () -> made.stream()
                            .filter(Deployment.class::isInstance)
                            .allMatch(
                                    object -> cluster.client().resource(object).isReady()))) {
                throw new IllegalStateException("no Pods run within " + PATIENCE.toSeconds() + " s");
            }
            use(cluster, made);
        }
    }

    private static void use(SimulatedCluster cluster, List<HasMetadata> made) {
        for (HasMetadata object : made) {
            cluster.client().resource(object).edit(stored -> {
                stored.getMetadata().getAnnotations().put("rehearsed", "true");
                return stored;
            });
            try {
                HasMetadata again = cluster.client().resource(object).create();
                throw new IllegalStateException("made twice: " + again.getFullResourceName());
            } catch (KubernetesClientException exists) { // a refusal is rehearsed, too
                cluster.client().resource(object).get();
            }
        }
        cluster.client().pods().inAnyNamespace().list();
        made.forEach(object -> cluster.client().resource(object).delete());
    }
}
