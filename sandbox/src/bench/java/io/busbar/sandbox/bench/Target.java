package io.busbar.sandbox.bench;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.vertx.core.MultiMap;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.KeyCertOptions;
import java.io.File;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

/**
 * A server to load. Its certificate is not checked.
 *
 * @param token empty for none
 * @param certificate the client's own, if any
 * @param processes those that serve, as far as they are known
 */
record Target(String name, URI url, String token, Optional<KeyCertOptions> certificate, List<ProcessHandle> processes) {

    static Target local(String name, ServedAlone server) {
        return new Target(name, server.url(), server.token(), Optional.empty(), List.of(server.process()));
    }

    /**
     * The cluster that a kubeconfig names, by whatever the kubeconfig has to show. Where its processes run on this
     * machine, the system property {@code cluster.pids} may name them, with commas.
     */
    static Target cluster(String kubeconfig) throws Exception {
        Config config = Config.fromKubeconfig(new File(kubeconfig));
        String token = Objects.requireNonNullElse(
                config.getOauthToken(), Objects.requireNonNullElse(config.getAutoOAuthToken(), ""));
        KeyManager[] keys = SSLUtils.keyManagers(config);
        Optional<KeyCertOptions> certificate = keys != null && keys.length > 0
                ? Optional.of(KeyCertOptions.wrap((X509KeyManager) keys[0]))
                : Optional.empty();
        return new Target("real", URI.create(config.getMasterUrl()), token, certificate, processesOfCluster());
    }

    private static List<ProcessHandle> processesOfCluster() {
        return Stream.of(System.getProperty("cluster.pids", "").split(",", -1))
                .filter(pid -> !pid.isEmpty())
                .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                .toList();
    }

    /** Seconds of CPU that its processes have used. */
    double cpu() {
        return processes.stream()
                .mapToDouble(process ->
                        process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9)
                .sum();
    }

    <T extends ClientOptionsBase> T secure(T options) {
        options.setSsl(url.getScheme().equals("https")).setTrustAll(true);
        certificate.ifPresent(options::setKeyCertOptions);
        return options;
    }

    MultiMap authorization() {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        return token.isEmpty() ? headers : headers.add("Authorization", "Bearer " + token);
    }

    int port() {
        return url.getPort() > 0 ? url.getPort() : url.getScheme().equals("https") ? 443 : 80;
    }
}
