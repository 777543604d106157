package io.busbar.reconciler.leader;

import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Leases through a client that is not fenced. One call is one request: an answer that is late is no answer.
 *
 * <p>Any thread; blocks.
 */
final class ClientLeases implements Leases {

    private final KubernetesClient client;
    private final String collection;
    private final String path;

    ClientLeases(KubernetesClient client, ObjectKey lease) {
        String server = client.getMasterUrl().toString();
        this.client = client;
        this.collection = (server.endsWith("/") ? server.substring(0, server.length() - 1) : server)
                + "/apis/coordination.k8s.io/v1/namespaces/" + lease.namespace() + "/leases";
        this.path = collection + "/" + lease.name();
    }

    @Override
    public @Nullable Lease get(Duration timeout) {
        try {
            return send(request().uri(path).build(), timeout);
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return null;
            }
            throw failure;
        }
    }

    @Override
    public Lease create(Lease lease, Duration timeout) {
        return send(
                request()
                        .uri(collection)
                        .method("POST", "application/json", json(lease))
                        .build(),
                timeout);
    }

    @Override
    public Lease update(Lease lease, Duration timeout) {
        return send(
                request()
                        .uri(path)
                        .method("PUT", "application/json", json(lease))
                        .build(),
                timeout);
    }

    private HttpRequest.Builder request() {
        return client.getHttpClient().newHttpRequestBuilder();
    }

    private String json(Lease lease) {
        return client.getKubernetesSerialization().asJson(lease);
    }

    private Lease send(HttpRequest request, Duration timeout) {
        String what = request.method() + " " + request.uri().getPath();
        CompletableFuture<HttpResponse<String>> answer = client.getHttpClient().sendAsync(request, String.class);
        try {
            HttpResponse<String> response = answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            if (!response.isSuccessful()) {
                throw new KubernetesClientException(what + ": status " + response.code(), response.code(), null);
            }
            return client.getKubernetesSerialization().unmarshal(response.body(), Lease.class);
        } catch (TimeoutException late) {
            answer.cancel(true);
            throw new KubernetesClientException(what + ": no answer within " + timeout.toMillis() + " ms", late);
        } catch (InterruptedException interrupted) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new KubernetesClientException(what + ": interrupted", interrupted);
        } catch (ExecutionException failed) {
            throw new KubernetesClientException(
                    what + ": " + ApiFailure.noAnswer(failed).message(), failed.getCause());
        }
    }
}
