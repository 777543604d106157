package io.busbar.runtime.flags;

import io.busbar.common.api.ApiFailure;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.runtime.client.DeferredDeserializers;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster to talk to. For one thread. */
public final class KubernetesFlags {

    private static final Path IN_CLUSTER_NAMESPACE = Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

    /** The client's, where nothing else is said. */
    private static final String DEFAULT_SERVER = "https://kubernetes.default.svc/";

    private static final String CLUSTER = "a file that is there, with a current context whose cluster has a server; "
            + "named by --kubeconfig or KUBECONFIG, unless this runs in a Pod";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "A kubeconfig. Default: KUBECONFIG, else the Pod's service account, else ~/.kube/config.")
    private @Nullable Path kubeconfig;

    /**
     * @throws InvalidConfigurationException when the kubeconfig, or what it names, can't be read; or when no cluster is
     *     named
     */
    public KubernetesClient client() {
        return connect(
                config -> new KubernetesClientBuilder().withConfig(config).build());
    }

    /**
     * @param by makes a client, and what uses it
     * @throws InvalidConfigurationException when the kubeconfig, or what it names, can't be read; or when no cluster is
     *     named
     */
    public <T> T connect(Function<Config, T> by) {
        Config config = config();
        try {
            return by.apply(config);
        } catch (KubernetesClientException unusable) {
            throw refused("certificates and keys that can be read (" + ApiFailure.reason(unusable) + ")");
        }
    }

    private Config config() {
        if (inClusterNamespace().isEmpty()) {
            deferForKubeconfigs();
        }
        Config config = read();
        if (config.getCurrentContext() == null && DEFAULT_SERVER.equals(config.getMasterUrl())) {
            throw refused(CLUSTER);
        }
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
    public static Optional<String> inClusterNamespace() {
        try {
            return Optional.of(Files.readString(IN_CLUSTER_NAMESPACE).strip());
        } catch (IOException outsideACluster) {
            return Optional.empty();
        }
    }

    private Config read() {
        try {
            return kubeconfig == null ? Config.autoConfigure(null) : Config.fromKubeconfig(kubeconfig.toFile());
        } catch (NullPointerException empty) { // as the client says it
            throw refused(CLUSTER);
        } catch (RuntimeException unreadable) { // of many kinds, those of the YAML parser among them
            String why = ApiFailure.reason(unreadable).strip().replaceAll("\\s+", " ");
            throw refused("a readable kubeconfig (" + why + ")");
        }
    }

    private InvalidConfigurationException refused(String allowed) {
        String files = kubeconfig == null
                ? String.join(File.pathSeparator, Config.getKubeconfigFilenames())
                : kubeconfig.toString();
        return new InvalidConfigurationException(List.of(new ConfigurationProblem("kubeconfig", files, allowed)));
    }
}
