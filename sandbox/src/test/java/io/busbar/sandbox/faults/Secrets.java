package io.busbar.sandbox.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.sandbox.Sandbox;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A client of the Secrets of one sandbox without TLS, by HTTP/1.1, which waits for each answer. */
final class Secrets {

    static final String PATH = "/api/v1/namespaces/default/secrets";

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(Version.HTTP_1_1).build();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Sandbox sandbox;

    Secrets(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    HttpResponse<String> send(String method, String pathAndQuery, String body) throws Exception {
        return HTTP.send(request(method, pathAndQuery, body), BodyHandlers.ofString());
    }

    HttpResponse<String> create(String name) throws Exception {
        return send("POST", PATH, secret(name));
    }

    void delete(String name) throws Exception {
        send("DELETE", PATH + "/" + name, "");
    }

    boolean exists(String name) throws Exception {
        return send("GET", PATH + "/" + name, "").statusCode() == 200;
    }

    /** The names in a list. */
    List<String> names(String query) throws Exception {
        List<String> names = new ArrayList<>();
        list(query)
                .path("items")
                .forEach(item -> names.add(item.path("metadata").path("name").asText()));
        return names;
    }

    /** The resourceVersion of a list. */
    String version(String query) throws Exception {
        return list(query).path("metadata").path("resourceVersion").asText();
    }

    private JsonNode list(String query) throws Exception {
        return JSON.readTree(send("GET", PATH + query, "").body());
    }

    /** The lines of a watch; reading one waits for it. */
    BufferedReader watch(String query) throws Exception {
        HttpResponse<InputStream> response =
                HTTP.send(request("GET", PATH + "?watch=true&" + query, ""), BodyHandlers.ofInputStream());
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    /** The next event of a watch, as {@code ADDED name}, or {@code BOOKMARK resourceVersion}. */
    static String next(BufferedReader events) throws IOException {
        JsonNode event = JSON.readTree(String.valueOf(events.readLine()));
        String type = event.path("type").asText();
        JsonNode metadata = event.path("object").path("metadata");
        return type + " "
                + metadata.path(type.equals("BOOKMARK") ? "resourceVersion" : "name")
                        .asText();
    }

    static String secret(String name) {
        return "{\"metadata\":{\"name\":\"" + name + "\"}}";
    }

    static <T> T get(Future<T> future) throws Exception {
        return get(future.toCompletionStage());
    }

    static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private HttpRequest request(String method, String path, String body) {
        return HttpRequest.newBuilder(URI.create(sandbox.url() + path))
                .timeout(Duration.ofSeconds(20))
                .header("Authorization", "Bearer " + sandbox.token())
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
    }
}
