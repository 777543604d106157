package io.busbar.operator.endtoend;

import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Another way to an API server, in plain HTTP and with the rights of an admin, that takes down what is written and can keep the answers
 * back. Writes of leases are not counted: they name the version that they are based on, and do no harm when they come late. Any thread.
 */
final class RecordedRoute {

    /** What concerns one connection alone, or is this route's own. */
    private static final Set<String> NOT_PASSED_ON =
            Set.of("host", "connection", "upgrade", "http2-settings", "authorization", "transfer-encoding");

    private final Vertx vertx;
    private final Config config;
    private final URI target;
    private final HttpServer server;
    private final HttpClient client;
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private volatile Promise<Void> gate = Promise.promise();

    private RecordedRoute(Vertx vertx, Config config) {
        this.vertx = vertx;
        this.config = config;
        this.target = URI.create(config.getMasterUrl());
        this.server = vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false));
        HttpClientOptions options =
                new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false);
        if (config.getClientCertData() != null) {
            options.setKeyCertOptions(new PemKeyCertOptions()
                    .addCertValue(decoded(config.getClientCertData()))
                    .addKeyValue(decoded(config.getClientKeyData())));
        }
        this.client = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(1000));
        gate.complete();
    }

    private static Buffer decoded(String data) {
        return Buffer.buffer(Base64.getDecoder().decode(data));
    }

    static Future<RecordedRoute> to(Vertx vertx, Config config) {
        RecordedRoute route = new RecordedRoute(vertx, config);
        return route.server.requestHandler(route::handle).listen(0, "127.0.0.1").map(route);
    }

    String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                current-context: route
                clusters: [{name: route, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: anyone, user: {token: none}}]
                contexts: [{name: route, context: {cluster: route, user: anyone}}]
                """.formatted(server.actualPort());
    }

    /** Method and path, in the order of their arrival. */
    List<String> writes() {
        return List.copyOf(writes);
    }

    /** Keeps the answers to writes back from now on. */
    void holdAnswers() {
        gate = Promise.promise();
    }

    void releaseAnswers() {
        gate.complete();
    }

    Future<Void> close() {
        return server.close().eventually(client::close);
    }

    private void handle(HttpServerRequest request) {
        boolean counts =
                !request.method().equals(HttpMethod.GET) && !request.path().contains("/leases");
        if (counts) {
            writes.add(request.method() + " " + request.path());
        }
        Context context = vertx.getOrCreateContext();
        request.pause();
        client.request(new RequestOptions()
                        .setMethod(request.method())
                        .setHost(target.getHost())
                        .setPort(target.getPort())
                        .setURI(request.uri()))
                .compose(far -> pass(request, far))
                .onFailure(failure -> request.response().reset())
                .onSuccess(answer -> {
                    Future<Void> free = counts ? gate.future() : Future.succeededFuture();
                    free.onComplete(open -> context.runOnContext(now -> pass(answer, request.response())));
                });
    }

    private Future<HttpClientResponse> pass(HttpServerRequest near, HttpClientRequest far) {
        near.headers().forEach((name, value) -> {
            if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                far.putHeader(name, value);
            }
        });
        String token = config.getOauthToken() == null ? config.getAutoOAuthToken() : config.getOauthToken();
        if (token != null) {
            far.putHeader("Authorization", "Bearer " + token);
        }
        near.response().closeHandler(closed -> far.reset());
        return far.send(near).onSuccess(HttpClientResponse::pause);
    }

    private static void pass(HttpClientResponse far, HttpServerResponse near) {
        near.setStatusCode(far.statusCode());
        far.headers().forEach((name, value) -> near.putHeader(name, value));
        far.pipeTo(near).onFailure(broken -> near.reset());
    }
}
