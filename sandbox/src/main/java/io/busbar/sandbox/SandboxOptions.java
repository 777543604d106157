package io.busbar.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How a sandbox is to be.
 *
 * <p>Immutable; each {@code with} method returns a changed copy.
 *
 * @param host to listen on, an address or a name that certificates hold for
 * @param port 0 for any free one
 * @param tls whether to speak HTTPS, with a certificate of an own CA that the kubeconfig names
 * @param version of Kubernetes that is reported, such as {@code v1.33.1}
 * @param nodes how many nodes there are, named {@code node-0}, ...
 * @param kubelet whether Pods are put on nodes and run, as far as anybody can tell
 * @param history how many changes of each kind are kept for watches
 * @param bookmarks how often a watch that wants bookmarks gets one
 * @param kubeconfig where to write a kubeconfig; empty for nowhere
 * @param services by {@code namespace/name}: the local port that stands for a Service of a webhook, since there is no network of Pods
 */
public record SandboxOptions(
        String host,
        int port,
        boolean tls,
        String version,
        int nodes,
        boolean kubelet,
        int history,
        Duration bookmarks,
        Optional<Path> kubeconfig,
        Map<String, Integer> services) {

    public SandboxOptions {
        services = Map.copyOf(services);
        if (!version.matches("v\\d+\\.\\d+\\.\\d+.*")) {
            throw new IllegalArgumentException("not a version of Kubernetes: '" + version + "', such as v1.33.1");
        }
        if (nodes < 0) {
            throw new IllegalArgumentException("nodes: " + nodes + ", allowed: 0 or more");
        }
    }

    /** HTTPS on a free port of 127.0.0.1, Kubernetes 1.33, three nodes and their kubelet. */
    public static SandboxOptions defaults() {
        return new SandboxOptions(
                "127.0.0.1", 0, true, "v1.33.1", 3, true, 4096, Duration.ofMinutes(1), Optional.empty(), Map.of());
    }

    public SandboxOptions withPort(int value) {
        return new SandboxOptions(host, value, tls, version, nodes, kubelet, history, bookmarks, kubeconfig, services);
    }

    public SandboxOptions withTls(boolean value) {
        return new SandboxOptions(host, port, value, version, nodes, kubelet, history, bookmarks, kubeconfig, services);
    }

    public SandboxOptions withVersion(String value) {
        return new SandboxOptions(host, port, tls, value, nodes, kubelet, history, bookmarks, kubeconfig, services);
    }

    public SandboxOptions withNodes(int value) {
        return new SandboxOptions(host, port, tls, version, value, kubelet, history, bookmarks, kubeconfig, services);
    }

    public SandboxOptions withKubelet(boolean value) {
        return new SandboxOptions(host, port, tls, version, nodes, value, history, bookmarks, kubeconfig, services);
    }

    public SandboxOptions withHistory(int value) {
        return new SandboxOptions(host, port, tls, version, nodes, kubelet, value, bookmarks, kubeconfig, services);
    }

    public SandboxOptions withBookmarks(Duration value) {
        return new SandboxOptions(host, port, tls, version, nodes, kubelet, history, value, kubeconfig, services);
    }

    public SandboxOptions withKubeconfig(Path value) {
        return new SandboxOptions(
                host, port, tls, version, nodes, kubelet, history, bookmarks, Optional.of(value), services);
    }

    public SandboxOptions withServices(Map<String, Integer> value) {
        return new SandboxOptions(host, port, tls, version, nodes, kubelet, history, bookmarks, kubeconfig, value);
    }
}
