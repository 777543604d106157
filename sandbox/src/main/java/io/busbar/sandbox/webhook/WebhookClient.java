package io.busbar.sandbox.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.faults.Answer;
import io.busbar.sandbox.faults.Fault;
import io.busbar.sandbox.faults.FaultPlan;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.GoUrl;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls webhooks over HTTPS: those of admission and those that convert.
 *
 * <p>One context. One HTTP client for each CA bundle, kept as long as this object: the bundle alone is trusted. A
 * Service is reached as {@link ServiceRoutes} says, under its own name.
 */
public final class WebhookClient implements WebhookCalls {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** An answer that is no review. */
    private static final class RefusedException extends RuntimeException {

        RefusedException(String message) {
            super(message, null, false, false);
        }
    }

    /** Where a webhook is, and where to connect for it. */
    private record Destination(String url, String host, int port, String path, SocketAddress server) {}

    private final Vertx vertx;
    private final MemoryStore store;
    private final ServiceRoutes services;
    private final FaultPlan faults;
    private final Map<String, HttpClient> clients = new HashMap<>();

    /** @param faults asked about each call */
    public WebhookClient(Vertx vertx, MemoryStore store, ServiceRoutes services, FaultPlan faults) {
        this.faults = faults;
        this.vertx = vertx;
        this.store = store;
        this.services = services;
    }

    @Override
    public Future<JsonNode> call(String webhook, JsonNode clientConfig, Duration timeout, ObjectNode review) {
        Destination to;
        HttpClient client;
        try {
            to = destination(clientConfig, "timeout=" + timeout.toSeconds() + "s");
            client = clients.computeIfAbsent(clientConfig.path("caBundle").asText(""), this::newClient);
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(new IOException(String.valueOf(e.getMessage())));
        }
        RequestOptions request = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost(to.host())
                .setPort(to.port())
                .setServer(to.server())
                .setSsl(true)
                .setURI(to.path())
                .putHeader("Content-Type", "application/json")
                .putHeader("Accept", "application/json, */*")
                .putHeader("User-Agent", "kube-apiserver-admission");
        Future<JsonNode> answer = mishap(webhook)
                .compose(passed -> client.request(request))
                .compose(sent -> sent.send(Buffer.buffer(bytes(review))).compose(WebhookClient::read));
        return answer.timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .recover(failure -> Future.failedFuture(described(to, failure)));
    }

    /** Completes, at once when all goes well, or fails as the call is to. */
    private Future<Void> mishap(String webhook) {
        Optional<Fault> fault = faults.nextCall(webhook);
        if (fault.isEmpty()) {
            return Future.succeededFuture();
        }
        Optional<Integer> code = fault.get().code();
        Future<Void> then = code.isPresent()
                ? Future.failedFuture(new RefusedException(refusal(code.get(), "unknown")))
                : fault.get().answer().ending() == Answer.Ending.STAYS
                        ? Future.succeededFuture()
                        : Future.failedFuture(new ConnectException("a fault was injected"));
        long delay = fault.get().delay().toMillis();
        return delay == 0 ? then : vertx.timer(delay).compose(over -> then);
    }

    public void close() {
        clients.values().forEach(HttpClient::close);
    }

    private static Future<JsonNode> read(HttpClientResponse response) {
        String type = String.valueOf(response.getHeader("Content-Type"));
        return response.body().compose(body -> {
            JsonNode answer = parsed(body);
            int code = response.statusCode();
            if (code < 200 || code > 206) {
                String told = answer.path("kind").asText().equals("Status")
                        ? answer.path("message").asText()
                        : refusal(
                                code, type.startsWith("text/") ? body.toString().strip() : "unknown");
                return Future.failedFuture(new RefusedException(told));
            }
            if (body.length() == 0) {
                return Future.failedFuture(new RefusedException(
                        "0-length response with status code: " + code + " and content type: " + type));
            }
            return answer.isObject()
                    ? Future.succeededFuture(answer)
                    : Future.failedFuture(new RefusedException(
                            "couldn't get version/kind; json parse error: " + GoText.unmarshalable(answer)));
        });
    }

    /** What is no JSON is a text in YAML, nearly always. */
    private static JsonNode parsed(Buffer body) {
        try {
            return JSON.readTree(body.getBytes());
        } catch (IOException e) {
            return TextNode.valueOf(body.toString());
        }
    }

    /** As client-go words an answer that is no Status. */
    private static String refusal(int code, String text) {
        return switch (code) {
            case 400 -> "the server rejected our request for an unknown reason";
            case 401 -> "the server has asked for the client to provide credentials";
            case 403 -> text;
            case 404 -> "the server could not find the requested resource";
            case 405 -> "the server does not allow this method on the requested resource";
            case 409 -> "the server reported a conflict";
            case 422 -> "the server rejected our request due to an error in our request";
            case 429 -> "the server has received too many requests and has asked us to try again later";
            case 503 -> "the server is currently unable to handle the request";
            case 504 ->
                "the server was unable to return a response in the time allotted, but may still be processing the request";
            default ->
                code >= 500
                        ? "an error on the server (" + GoText.quote(text)
                                + ") has prevented the request from succeeding"
                        : "the server responded with the status code " + code + " but did not return more information";
        };
    }

    private static IOException described(Destination to, Throwable failure) {
        if (failure instanceof RefusedException refused) {
            return new IOException(String.valueOf(refused.getMessage()));
        }
        String why = failure instanceof TimeoutException ? "context deadline exceeded" : reason(to, failure);
        return new IOException("Post \"" + to.url() + "\": " + why, failure);
    }

    private static String reason(Destination to, Throwable failure) {
        Throwable root = failure;
        boolean untrusted = false;
        while (root.getCause() != null) {
            root = root.getCause();
            untrusted |= root instanceof CertPathBuilderException || root instanceof CertPathValidatorException;
        }
        String message = String.valueOf(root.getMessage());
        if (failure instanceof ConnectException) {
            return "dial tcp " + to.server() + ": connect: connection refused";
        }
        if (untrusted) {
            return "x509: certificate signed by unknown authority";
        }
        return message.startsWith("No subject alternative") || message.startsWith("No name matching")
                ? "x509: certificate is not valid for " + to.host()
                : message;
    }

    private Destination destination(JsonNode config, String timeout) {
        if (config.hasNonNull("url")) {
            GoUrl url = GoUrl.parse(config.path("url").asText());
            String path = (url.path().isEmpty() ? "/" : url.escapedPath()) + "?" + timeout;
            return new Destination(
                    "https://" + url.host() + path,
                    url.hostName(),
                    url.port(),
                    path,
                    SocketAddress.inetSocketAddress(url.port(), url.hostName()));
        }
        return service(config.path("service"), timeout);
    }

    private Destination service(JsonNode service, String timeout) {
        String name = service.path("name").asText();
        String namespace = service.path("namespace").asText();
        int port = service.path("port").asInt(443);
        String path = service.path("path").asText("/") + "?" + timeout;
        String host = name + "." + namespace + ".svc";
        String url = "https://" + host + ":" + port + path;
        try {
            return new Destination(url, host, port, path, services.find(store, namespace, name, port));
        } catch (IllegalArgumentException nowhere) {
            throw new IllegalArgumentException("Post \"" + url + "\": " + nowhere.getMessage());
        }
    }

    private HttpClient newClient(String bundle) {
        HttpClientOptions options =
                new HttpClientOptions().setSsl(true).setVerifyHost(true).setKeepAlive(true);
        if (!bundle.isEmpty()) {
            byte[] pem = Base64.getDecoder().decode(bundle.getBytes(StandardCharsets.US_ASCII));
            options.setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(pem)));
        }
        return vertx.createHttpClient(options);
    }

    private static byte[] bytes(ObjectNode review) {
        try {
            return JSON.writeValueAsBytes(review);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of nodes could not be written", e);
        }
    }
}
