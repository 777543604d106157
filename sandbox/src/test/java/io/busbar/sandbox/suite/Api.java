package io.busbar.sandbox.suite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A plain HTTP client for the API: paths and JSON in, {@link Answer}s out. Bodies may be written with single quotes.
 */
final class Api {

    static final String MERGE = "application/merge-patch+json";
    static final String JSON_PATCH = "application/json-patch+json";
    static final String STRATEGIC = "application/strategic-merge-patch+json";
    static final String APPLY = "application/apply-patch+yaml";

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    /** Before it, no Pod was made until its account had a Secret with a token. */
    private static final int TOKENS_WITHOUT_SECRETS = 24;

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Connection connection;
    private final Traces traces;
    private final List<String> always;

    Api(Connection connection, Traces traces) {
        this(connection, traces, List.of());
    }

    private Api(Connection connection, Traces traces, List<String> always) {
        this.connection = connection;
        this.traces = traces;
        this.always = always;
    }

    /** For whom a token is; empty for nobody. */
    Api as(String token) {
        return new Api(connection.as(token), traces);
    }

    /** As somebody else, by headers. */
    Api impersonating(String user, String... groups) {
        List<String> headers = new ArrayList<>(List.of("Impersonate-User", user));
        for (String group : groups) {
            headers.add("Impersonate-Group");
            headers.add(group);
        }
        return new Api(connection, traces, headers);
    }

    Answer get(String path) {
        return send("GET", path, "", "");
    }

    Answer get(String path, String accept) {
        return send("GET", path, "", "", "Accept", accept);
    }

    Answer post(String path, String json) {
        return send("POST", path, "application/json", json);
    }

    Answer put(String path, String json) {
        return send("PUT", path, "application/json", json);
    }

    Answer patch(String path, String type, String json) {
        return send("PATCH", path, type, json);
    }

    Answer delete(String path) {
        return send("DELETE", path, "", "");
    }

    Answer delete(String path, String json) {
        return send("DELETE", path, "application/json", json);
    }

    Answer send(String method, String path, String contentType, String body, String... headers) {
        HttpRequest.Builder request = request(path).timeout(PATIENCE).header("User-Agent", "suite/1");
        if (!contentType.isEmpty()) {
            request.header("Content-Type", contentType);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        for (int i = 0; i < always.size(); i += 2) {
            request.header(always.get(i), always.get(i + 1));
        }
        request.method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body.replace('\'', '"')));
        try {
            HttpResponse<byte[]> response = connection.http().send(request.build(), BodyHandlers.ofByteArray());
            Answer answer = new Answer(response.statusCode(), json(response.body()), response.headers());
            traces.note(method, path, body, answer);
            return answer;
        } catch (IOException e) {
            throw new IllegalStateException(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Starts a watch; the caller closes it. */
    Watching watch(String path, String... headers) {
        HttpRequest.Builder request = request(path);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<InputStream> response = connection.http().send(request.build(), BodyHandlers.ofInputStream());
            return new Watching(response);
        } catch (IOException e) {
            throw new IllegalStateException(path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(connection.url() + path));
        return connection.token().isEmpty() ? request : request.header("Authorization", "Bearer " + connection.token());
    }

    WebSocket webSocket(String path, WebSocket.Listener listener) throws Exception {
        String url = connection.url();
        WebSocket.Builder socket = connection.http().newWebSocketBuilder().header("Origin", url);
        if (!connection.token().isEmpty()) {
            socket.header("Authorization", "Bearer " + connection.token());
        }
        return socket.buildAsync(URI.create(url.replaceFirst("http", "ws") + path), listener)
                .get(60, TimeUnit.SECONDS);
    }

    /** Makes a namespace that is ready for Pods, of a name that nobody has. */
    String newNamespace() {
        String name = "suite-" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36);
        post("/api/v1/namespaces", "{'metadata':{'name':'" + name + "'}}");
        until(
                () -> get("/api/v1/namespaces/" + name + "/serviceaccounts/default"),
                answer -> answer.code() == 200
                        && (Server.version() >= TOKENS_WITHOUT_SECRETS
                                || answer.body().has("secrets")));
        return name;
    }

    /** Asks again and again until the answer is as wanted; fails with the last answer after some time. */
    static Answer until(Supplier<Answer> question, Predicate<Answer> wanted) {
        Instant end = Instant.now().plus(PATIENCE);
        while (true) {
            Answer answer = question.get();
            if (wanted.test(answer)) {
                return answer;
            }
            if (Instant.now().isAfter(end)) {
                throw new AssertionError("still not as wanted: " + answer);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static JsonNode json(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (!text.startsWith("{") && (!text.startsWith("[") || text.startsWith("[+]"))) {
            return JsonNodeFactory.instance.textNode(text);
        }
        try {
            return MAPPER.readTree(bytes);
        } catch (IOException e) {
            throw new IllegalStateException(text, e);
        }
    }
}
