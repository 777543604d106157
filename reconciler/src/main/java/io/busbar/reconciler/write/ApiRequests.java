package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.traffic.RequestGate;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the API server: one call, one request, a body that says only what is meant.
 *
 * <p>The typed operations of the client read before they patch, and send whole objects. Authentication, TLS, proxies
 * and retries are the client's, and so is the {@link RequestGate}: the time that a request waits there is no part of
 * what its answer may take.
 *
 * <p>Any thread; blocks. An interrupt ends the wait with a {@link KubernetesClientException} and stays set.
 */
public final class ApiRequests {

    static final String APPLY = "application/apply-patch+yaml";
    static final String MERGE = "application/merge-patch+json";
    static final String JSON_PATCH = "application/json-patch+json";
    private static final String JSON = "application/json";
    /** As few bytes as the server can send; it passes over what it does not know. Source: KEP-5958. */
    private static final String WITHOUT_MANAGED_FIELDS = JSON + ";drop=metadata.managedFields";

    private static final Duration FOR_EVER = Duration.ofDays(10_000);

    private final KubernetesClient client;
    private final KubernetesSerialization serialization;
    private final RequestGate gate;
    private final Duration timeout;

    /** Waits for an answer as long as the client's configuration says. */
    public ApiRequests(KubernetesClient client) {
        this(
                client,
                RequestGate.of(client.getHttpClient()),
                timeout(client.getConfiguration().getRequestTimeout()));
    }

    private ApiRequests(KubernetesClient client, RequestGate gate, Duration timeout) {
        this.client = client;
        this.gate = gate;
        this.serialization = client.getKubernetesSerialization();
        this.timeout = timeout;
    }

    /** The same, with less patience or more: an answer that is late is no answer. */
    public ApiRequests within(Duration patience) {
        return new ApiRequests(client, gate, patience);
    }

    /** With 0 the client waits for ever. */
    private static Duration timeout(int millis) {
        return millis > 0 ? Duration.ofMillis(millis) : FOR_EVER;
    }

    /** An object as it is sent. */
    public ObjectNode json(Object object) {
        return serialization.convertValue(object, ObjectNode.class);
    }

    /**
     * @return the object, without managedFields
     * @throws KubernetesClientException when the API server refuses, as it does where there is none, or is not there
     */
    public <T extends HasMetadata> T get(Class<T> type, String path) {
        return answer(type, send(request(path), "GET " + path));
    }

    /**
     * @return the object, without managedFields; empty where there is none
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    public <T extends HasMetadata> Optional<T> find(Class<T> type, String path) {
        return findSized(type, path).map(Sized::object);
    }

    /**
     * An object, and how much JSON it was. Immutable, if nobody changes the object.
     *
     * @param object without managedFields
     */
    record Sized<T extends HasMetadata>(T object, int bytes) {}

    /** The same, with its size. */
    <T extends HasMetadata> Optional<Sized<T>> findSized(Class<T> type, String path) {
        try {
            byte[] answer = send(request(path), "GET " + path);
            return Optional.of(new Sized<>(answer(type, answer), answer.length));
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw failure;
            }
            return Optional.empty();
        }
    }

    /**
     * An object, and who owns its fields.
     *
     * <p>Immutable, if nobody changes the object.
     *
     * @param object without managedFields
     */
    record Managed<T extends HasMetadata>(T object, List<ManagedFieldsEntry> managers) {}

    /**
     * @throws KubernetesClientException when the API server refuses, as it does where there is none, or is not there
     */
    <T extends HasMetadata> Managed<T> managed(Class<T> type, String path) {
        return managedAnswer(type, send(request(path, JSON), "GET " + path));
    }

    /**
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    <T extends HasMetadata> Managed<T> patchManaged(Class<T> type, String path, String contentType, JsonNode body) {
        return managedAnswer(type, send("PATCH", path, contentType, body, JSON));
    }

    private <T extends HasMetadata> Managed<T> managedAnswer(Class<T> type, byte[] body) {
        T answer = serialization.unmarshal(new ByteArrayInputStream(body), type);
        List<ManagedFieldsEntry> managers = List.copyOf(answer.getMetadata().getManagedFields());
        answer.getMetadata().setManagedFields(List.of());
        return new Managed<>(answer, managers);
    }

    /**
     * A document of the API server that is no object.
     *
     * @param tag of what the caller has; null for nothing
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    Document document(String path, @Nullable String tag) {
        String what = "GET " + path;
        HttpRequest.Builder request = request(path, JSON);
        if (tag != null && !tag.isEmpty()) {
            request.header("If-None-Match", tag);
        }
        HttpResponse<byte[]> response = await(client.getHttpClient().sendAsync(request.build(), byte[].class), what);
        byte[] body = Objects.requireNonNullElseGet(response.body(), () -> new byte[0]);
        boolean unchanged = response.code() == HttpURLConnection.HTTP_NOT_MODIFIED;
        if (!response.isSuccessful() && !unchanged) {
            throw failure(what, response.code(), new String(body, StandardCharsets.UTF_8));
        }
        List<String> tags = response.headers("ETag");
        return new Document(body, tags.isEmpty() ? "" : tags.get(0), unchanged);
    }

    /**
     * As it is now.
     *
     * @param bytes empty when it is what the caller has
     * @param tag empty when the server gives none
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Document(byte[] bytes, String tag, boolean isUnchanged) {}

    /**
     * @param object with the resourceVersion that is to be replaced
     * @return the answer, without managedFields
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    public <T extends HasMetadata> T replace(Class<T> type, String path, T object) {
        return answer(type, send("PUT", path, JSON, json(object)));
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
     * @return the answer, without managedFields
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    public <T extends HasMetadata> T create(Class<T> type, String path, T object) {
        return create(type, path, json(object));
    }

    /**
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    void delete(String path, JsonNode options) {
        send("DELETE", path, JSON, options);
    }

    /**
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    public void delete(String path) {
        send("DELETE", path, JSON, json(Map.of()));
    }

    /**
     * Objects, with managedFields if the server can't leave them out.
     *
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    public <L extends KubernetesResourceList<?>> L list(Class<L> type, String path) {
        return serialization.unmarshal(new ByteArrayInputStream(send(request(path), "GET " + path)), type);
    }

    <T extends HasMetadata> T copy(T object) {
        return serialization.clone(object);
    }

    private <T extends HasMetadata> T answer(Class<T> type, byte[] body) {
        return managedAnswer(type, body).object();
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
        return send(method, path, contentType, body, WITHOUT_MANAGED_FIELDS);
    }

    /** One that is to change something. */
    private byte[] send(String method, String path, String contentType, JsonNode body, String accepted) {
        String what = method + " " + path;
        int code = 0;
        try {
            HttpResponse<byte[]> response =
                    answered(request(path, accepted).method(method, contentType, body.toString()), what);
            code = response.code();
            return body(response, what);
        } finally {
            WriteLog.note(method, path, code);
        }
    }

    private HttpRequest.Builder request(String path) {
        return request(path, WITHOUT_MANAGED_FIELDS);
    }

    private HttpRequest.Builder request(String path, String accepted) {
        String server = client.getMasterUrl().toString();
        return client.getHttpClient()
                .newHttpRequestBuilder()
                .uri((server.endsWith("/") ? server.substring(0, server.length() - 1) : server) + path)
                .header("Accept", accepted);
    }

    private byte[] send(HttpRequest.Builder request, String what) {
        return body(answered(request, what), what);
    }

    private HttpResponse<byte[]> answered(HttpRequest.Builder request, String what) {
        return await(client.getHttpClient().sendAsync(request.build(), byte[].class), what);
    }

    private byte[] body(HttpResponse<byte[]> response, String what) {
        byte[] answer = Objects.requireNonNullElseGet(response.body(), () -> new byte[0]);
        if (!response.isSuccessful()) {
            throw failure(what, response.code(), new String(answer, StandardCharsets.UTF_8));
        }
        return answer;
    }

    private HttpResponse<byte[]> await(CompletableFuture<HttpResponse<byte[]>> answer, String what) {
        try {
            return patiently(answer);
        } catch (InterruptedException interrupted) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new KubernetesClientException(what + ": interrupted", interrupted);
        } catch (TimeoutException late) {
            answer.cancel(true);
            throw new KubernetesClientException(what + ": no answer within " + timeout.toMillis() + " ms", late);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof KubernetesClientException refused) {
                throw refused; // such as by a fence that fell before it was sent again
            }
            throw new KubernetesClientException(
                    what + ": " + ApiFailure.noAnswer(failed).message(), failed.getCause());
        }
    }

    /** A pause that the API server asks for meanwhile is no fault of the answer. */
    private HttpResponse<byte[]> patiently(CompletableFuture<HttpResponse<byte[]>> answer)
            throws InterruptedException, ExecutionException, TimeoutException {
        long begun = System.nanoTime();
        while (true) {
            long from = Math.max(0, gate.opensAt() - begun);
            long wait = timeout.toNanos() - (System.nanoTime() - begun - from);
            try {
                return answer.get(wait, TimeUnit.NANOSECONDS);
            } catch (TimeoutException late) {
                if (gate.opensAt() - begun <= from) {
                    throw late;
                }
            }
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
