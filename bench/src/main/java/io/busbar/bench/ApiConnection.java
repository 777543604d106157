package io.busbar.bench;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * A connection to the cluster of KUBECONFIG for one thread at a time, with the client that the operator has and nothing
 * above it.
 */
final class ApiConnection implements AutoCloseable {

    private static final String JSON = "application/json";
    private static final String MERGE = "application/merge-patch+json";

    private final KubernetesClient client;

    ApiConnection() {
        Config config = Config.autoConfigure(null);
        config.setRequestRetryBackoffLimit(0);
        client = new KubernetesClientBuilder().withConfig(config).build();
    }

    KubernetesClient client() {
        return client;
    }

    String get(String path) throws Exception {
        return send(request(path).build());
    }

    String post(String path, String body) throws Exception {
        return send(request(path).method("POST", JSON, body).build());
    }

    String merge(String path, String body) throws Exception {
        return send(request(path).method("PATCH", MERGE, body).build());
    }

    String delete(String path, String options) throws Exception {
        return send(request(path).method("DELETE", JSON, options).build());
    }

    private HttpRequest.Builder request(String path) {
        String server = client.getMasterUrl().toString();
        return client.getHttpClient().newHttpRequestBuilder().uri(server.substring(0, server.length() - 1) + path);
    }

    private String send(HttpRequest request) throws Exception {
        HttpResponse<byte[]> response =
                client.getHttpClient().sendAsync(request, byte[].class).get(60, TimeUnit.SECONDS);
        String text = new String(response.body(), StandardCharsets.UTF_8);
        if (!response.isSuccessful()) {
            throw new IllegalStateException(request.method() + " " + request.uri() + ": " + text);
        }
        return text;
    }

    @Override
    public void close() {
        client.close();
    }
}
