package io.busbar.maven;

import io.busbar.maven.cluster.ClusterFiles;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugin.MojoFailureException;

/** What the goals share that change the cluster of KUBECONFIG. */
abstract class ClusterGoal extends OperatorGoal {

    /** Which of what the program writes this is about: a file or a folder. */
    abstract String subject();

    /** Flags of the program's command that writes it. */
    String[] flags() {
        return new String[0];
    }

    /** Tells what the cluster has refused. */
    abstract List<String> change(ClusterFiles cluster, List<HasMetadata> objects);

    @Override
    final void run() throws MojoFailureException, IOException, InterruptedException {
        Path written = manifests(flags());
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            getLog().info("the cluster at " + client.getMasterUrl());
            ClusterFiles cluster = new ClusterFiles(client, getLog()::info);
            List<String> refused = change(cluster, cluster.read(written.resolve(subject())));
            if (!refused.isEmpty()) {
                throw new MojoFailureException("the cluster has refused:\n" + String.join("\n", refused));
            }
        }
    }
}
