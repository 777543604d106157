package io.busbar.operator.endtoend;

import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.net.URI;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Another way to an API server, on a port of 127.0.0.1, of which a test decides what becomes of each request. Any
 * thread.
 */
final class ApiRoute {

    /** What concerns one connection alone. */
    private static final Set<String> NOT_PASSED_ON =
            Set.of("host", "connection", "upgrade", "http2-settings", "transfer-encoding");

    /** One request on its way; for the event loop of its connection. */
    final class Passage {
        private final HttpServerRequest request;
        private final Context context = vertx.getOrCreateContext();

        private Passage(HttpServerRequest request) {
            this.request = request;
        }

        HttpServerRequest request() {
            return request;
        }

        /**
         * Sends it to the API server. Where that fails, the client gets no answer.
         *
         * @return the answer, of which nothing is read yet; on this event loop
         */
        Future<HttpClientResponse> send() {
            return client.request(new RequestOptions()
                            .setMethod(request.method())
                            .setHost(target.getHost())
                            .setPort(target.getPort())
                            .setURI(request.uri()))
                    .compose(this::send)
                    .onFailure(failure -> request.response().reset());
        }

        /** The same for one whose body was read. */
        Future<HttpClientResponse> send(Buffer body) {
            return client.request(new RequestOptions()
                            .setMethod(request.method())
                            .setHost(target.getHost())
                            .setPort(target.getPort())
                            .setURI(request.uri()))
                    .compose(far -> {
                        prepare(far);
                        return far.send(body)
                                .onSuccess(answer -> answer.exceptionHandler(
                                                broken -> request.response().reset())
                                        .pause());
                    })
                    .onFailure(failure -> request.response().reset());
        }

        private void prepare(HttpClientRequest far) {
            request.headers().forEach((name, value) -> {
                if (isPassedOn(name)) {
                    far.putHeader(name, value);
                }
            });
            if (!token.isEmpty()) {
                far.putHeader("Authorization", "Bearer " + token);
            }
            request.response().closeHandler(closed -> far.reset());
        }

        private Future<HttpClientResponse> send(HttpClientRequest far) {
            prepare(far);
            return far.send(request)
                    .onSuccess(answer -> answer.exceptionHandler(
                                    broken -> request.response().reset())
                            .pause());
        }

        /** Gives the client the head of an answer; its body is up to the caller. */
        void answerHead(HttpClientResponse far) {
            request.response().setStatusCode(far.statusCode());
            far.headers().forEach((name, value) -> {
                if (isPassedOn(name)) {
                    request.response().putHeader(name, value);
                }
            });
            if (far.getHeader("Content-Length") == null) {
                request.response().setChunked(true);
            }
        }

        /** Gives the client an answer, unless it has gone; from whatever thread. */
        void answer(HttpClientResponse far) {
            context.runOnContext(now -> {
                if (!request.response().closed()) {
                    answerHead(far);
                    far.pipeTo(request.response())
                            .onFailure(broken -> request.response().reset());
                }
            });
        }
    }

    private final Vertx vertx;
    private final URI target;
    private final String token;
    private final HttpServer server;
    private final HttpClient client;

    /**
     * @param config of a client for the API server
     * @param admin whether requests get the rights of that client, in place of those that they come with
     * @param traffic told of each request, on an event loop
     */
    ApiRoute(Vertx vertx, Config config, boolean admin, HttpServerOptions options, Consumer<Passage> traffic) {
        this.vertx = vertx;
        this.target = URI.create(config.getMasterUrl());
        this.token = admin ? token(config) : "";
        HttpClientOptions far =
                new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false);
        if (admin && config.getClientCertData() != null) {
            far.setKeyCertOptions(new PemKeyCertOptions()
                    .addCertValue(decoded(config.getClientCertData()))
                    .addKeyValue(decoded(config.getClientKeyData())));
        }
        this.client = vertx.createHttpClient(far, new PoolOptions().setHttp1MaxSize(1000));
        this.server = vertx.createHttpServer(options).requestHandler(request -> {
            request.pause();
            traffic.accept(new Passage(request));
        });
    }

    private static String token(Config config) {
        String token = config.getOauthToken() == null ? config.getAutoOAuthToken() : config.getOauthToken();
        return token == null ? "" : token;
    }

    private static Buffer decoded(String data) {
        return Buffer.buffer(Base64.getDecoder().decode(data));
    }

    private boolean isPassedOn(String header) {
        String name = header.toLowerCase(Locale.ROOT);
        return !NOT_PASSED_ON.contains(name) && (token.isEmpty() || !name.equals("authorization"));
    }

    Future<Void> open() {
        return server.listen(0, "127.0.0.1").mapEmpty();
    }

    /** For clients that go this way. */
    String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                current-context: route
                clusters: [{name: route, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: anyone, user: {token: none}}]
                contexts: [{name: route, context: {cluster: route, user: anyone}}]
                """.formatted(port());
    }

    int port() {
        return server.actualPort();
    }

    Future<Void> close() {
        return server.close().eventually(client::close);
    }
}
