package io.busbar.operator.command;

import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.operator.runtime.DeferredDeserializers;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster to talk to. For one thread. */
final class KubernetesFlags {

    private static final Path IN_CLUSTER_NAMESPACE = Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "A kubeconfig. Default: KUBECONFIG, else the Pod's service account, else ~/.kube/config.")
    private @Nullable Path kubeconfig;

    /**
     * @throws InvalidConfigurationException when the file can't be read
     */
    KubernetesClient client() {
        return new KubernetesClientBuilder().withConfig(config()).build();
    }

    /**
     * @throws InvalidConfigurationException when the file can't be read
     */
    Config config() {
        if (inClusterNamespace().isEmpty()) {
            deferForKubeconfigs();
        }
        Config config = kubeconfig == null ? Config.autoConfigure(null) : read(kubeconfig);
        // The engine decides what is tried again, and when.
        config.setRequestRetryBackoffLimit(0);
        return config;
    }

    /** The client reads them with a mapper of its own, which is to be had in no other way. */
    @SuppressWarnings("deprecation")
    private static void deferForKubeconfigs() {
        Serialization.jsonMapper().registerModule(new DeferredDeserializers());
    }

    /** Of the Pod that this runs in; empty outside a cluster. */
    static Optional<String> inClusterNamespace() {
        try {
            return Optional.of(Files.readString(IN_CLUSTER_NAMESPACE).strip());
        } catch (IOException outsideACluster) {
            return Optional.empty();
        }
    }

    private static Config read(Path file) {
        try {
            return Config.fromKubeconfig(new File(file.toString()));
        } catch (KubernetesClientException | IllegalArgumentException unreadable) {
            throw new InvalidConfigurationException(
                    List.of(new ConfigurationProblem("--kubeconfig", file.toString(), "a readable kubeconfig file")));
        }
    }
}
