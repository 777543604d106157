package io.busbar.sandbox.testkit;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.File;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** All that knows fabric8's client: loaded only when a test asks for one, or runs on a cluster. Any thread. */
final class Fabric8 {

    /** Compared by name, so that a test that has no such client needs none. */
    static final String CLIENT = "io.fabric8.kubernetes.client.KubernetesClient";

    private Fabric8() {}

    static Object client(String kubeconfig) {
        return client(Config.fromKubeconfig(kubeconfig), Optional.empty());
    }

    /** @param user whom to impersonate */
    static Object client(File kubeconfig, Optional<AsUser> user) {
        return client(Config.fromKubeconfig(kubeconfig), user);
    }

    private static Object client(Config config, Optional<AsUser> user) {
        user.ifPresent(wanted -> {
            config.setImpersonateUsername(wanted.name());
            config.setImpersonateGroups(wanted.groups());
        });
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** The same connections, with another default namespace. */
    static Object inNamespace(Object client, String namespace) {
        return ((KubernetesClient) client)
                .adapt(NamespacedKubernetesClient.class)
                .inNamespace(namespace);
    }

    static void close(Object client) {
        ((KubernetesClient) client).close();
    }

    /** Whatever a kubeconfig has to say of certificates, tokens and plugins. */
    static Wire wire(Object client) {
        HttpClient http = ((KubernetesClient) client).getHttpClient();
        String server = ((KubernetesClient) client).getMasterUrl().toString().replaceFirst("/$", "");
        return (method, path, body) -> {
            HttpRequest.Builder request = http.newHttpRequestBuilder().uri(server + path);
            if (!method.equals("GET")) {
                request.method(method, Wire.contentType(method), body.isEmpty() ? "{}" : body);
            }
            HttpResponse<String> response = http.sendAsync(request.build(), String.class)
                    .orTimeout(Wire.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .join();
            return Wire.Answer.of(response.code(), response.body());
        };
    }
}
