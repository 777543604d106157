package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.api.ApiFailure;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Writes to the API server: one call, one request, a body that says only what is meant.
 *
 * <p>The typed operations of the client read before they patch, and send whole objects. Authentication, TLS, proxies and
 * retries are the client's.
 *
 * <p>Any thread; blocks. An interrupt ends the wait with a {@link KubernetesClientException} and stays set.
 */
public final class ApiRequests {

    static final String APPLY = "application/apply-patch+yaml";
    static final String MERGE = "application/merge-patch+json";
    static final String JSON_PATCH = "application/json-patch+json";
    private static final String JSON = "application/json";

    private final KubernetesClient client;
    private final KubernetesSerialization serialization;

    public ApiRequests(KubernetesClient client) {
        this.client = client;
        this.serialization = client.getKubernetesSerialization();
    }

    ObjectNode json(Object object) {
        return serialization.convertValue(object, ObjectNode.class);
    }

    /**
     * @return the answer, without managedFields, as everything that is read from a store
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    <T extends HasMetadata> T patch(Class<T> type, String path, String contentType, JsonNode body) {
        return answer(type, send("PATCH", path, contentType, body));
    }

    /**
     * @return the answer, without managedFields
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    <T extends HasMetadata> T create(Class<T> type, String path, JsonNode body) {
        return answer(type, send("POST", path, JSON, body));
    }

    /**
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    void delete(String path, JsonNode options) {
        send("DELETE", path, JSON, options);
    }

    <T extends HasMetadata> T copy(T object) {
        return serialization.clone(object);
    }

    private <T extends HasMetadata> T answer(Class<T> type, byte[] body) {
        T answer = serialization.unmarshal(new ByteArrayInputStream(body), type);
        answer.getMetadata().setManagedFields(List.of());
        return answer;
    }

    /**
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    public void create(String path, Object object) {
        send("POST", path, JSON, json(object));
    }

    /**
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    public void merge(String path, Object patch) {
        send("PATCH", path, MERGE, json(patch));
    }

    private byte[] send(String method, String path, String contentType, JsonNode body) {
        String server = client.getMasterUrl().toString();
        String url = (server.endsWith("/") ? server.substring(0, server.length() - 1) : server) + path;
        HttpRequest request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(url)
                .method(method, contentType, body.toString())
                .build();
        HttpResponse<byte[]> response = await(client.getHttpClient().sendAsync(request, byte[].class), method, path);
        byte[] answer = Objects.requireNonNullElseGet(response.body(), () -> new byte[0]);
        if (!response.isSuccessful()) {
            throw failure(method + " " + path, response.code(), new String(answer, StandardCharsets.UTF_8));
        }
        return answer;
    }

    private HttpResponse<byte[]> await(CompletableFuture<HttpResponse<byte[]>> answer, String method, String path) {
        String what = method + " " + path;
        int millis = client.getConfiguration().getRequestTimeout();
        try {
            return millis > 0 ? answer.get(millis, TimeUnit.MILLISECONDS) : answer.get();
        } catch (InterruptedException interrupted) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new KubernetesClientException(what + ": interrupted", interrupted);
        } catch (TimeoutException late) {
            answer.cancel(true);
            throw new KubernetesClientException(what + ": no answer within " + millis + " ms", late);
        } catch (ExecutionException failed) {
            throw new KubernetesClientException(
                    what + ": " + ApiFailure.noAnswer(failed).message(), failed.getCause());
        }
    }

    private KubernetesClientException failure(String what, int code, String text) {
        Status status = status(text);
        String said = status == null || status.getMessage() == null ? "status " + code : status.getMessage();
        return new KubernetesClientException(what + ": " + said, code, status);
    }

    private @Nullable Status status(String text) {
        try {
            return text.startsWith("{") ? serialization.unmarshal(text, Status.class) : null;
        } catch (RuntimeException notAStatus) {
            return null;
        }
    }
}
