package io.busbar.operator.mysqlcluster.simulation;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A client whose requests are answered within the process. It does not imitate: watches, connections that break, and headers of answers.
 * Any thread.
 */
final class SimulatedApi {

    private SimulatedApi() {}

    /** Answers requests. */
    @FunctionalInterface
    interface Server {
        Answer answer(String method, String pathAndQuery, String body) throws IOException;
    }

    /**
     * What is answered.
     *
     * <p>Immutable.
     *
     * @param body in JSON
     */
    record Answer(int code, String body) {}

    static KubernetesClient client(Server server) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://simulated/")
                        .withNamespace("default")
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .withHttpClientFactory(new Factory(server))
                .build();
    }

    private record Factory(Server server) implements HttpClient.Factory {

        @Override
        public ClientBuilder newBuilder() {
            return new ClientBuilder(this);
        }
    }

    private static final class ClientBuilder extends StandardHttpClientBuilder<Client, Factory, ClientBuilder> {

        ClientBuilder(Factory factory) {
            super(factory);
        }

        @Override
        public Client build() {
            return new Client(this);
        }

        @Override
        protected ClientBuilder newInstance(Factory factory) {
            return new ClientBuilder(factory);
        }
    }

    private static final class Client extends StandardHttpClient<Client, Factory, ClientBuilder> {

        private final Server server;

        Client(ClientBuilder builder) {
            super(builder, new AtomicBoolean());
            server = builder.getClientFactory().server();
        }

        @Override
        public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
                StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
            String query =
                    request.uri().getQuery() == null ? "" : "?" + request.uri().getQuery();
            String body = request.bodyString() == null ? "" : request.bodyString();
            try {
                Answer answer = server.answer(request.method(), request.uri().getPath() + query, body);
                return CompletableFuture.completedFuture(new Response(request, answer, consumer));
            } catch (IOException | RuntimeException failure) {
                return CompletableFuture.failedFuture(failure);
            }
        }

        @Override
        public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
                StandardWebSocketBuilder builder, WebSocket.Listener listener) {
            throw new UnsupportedOperationException("web sockets");
        }

        @Override
        protected void doClose() {
            // There is nothing to let go.
        }
    }

    private static final class Response extends StandardHttpHeaders implements HttpResponse<AsyncBody>, AsyncBody {

        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final HttpRequest request;
        private final Answer answer;
        private final Consumer<List<ByteBuffer>> consumer;
        private boolean told;

        Response(HttpRequest request, Answer answer, Consumer<List<ByteBuffer>> consumer) {
            super(Map.of("Content-Type", List.of("application/json")));
            this.request = request;
            this.answer = answer;
            this.consumer = consumer;
        }

        @Override
        public int code() {
            return answer.code();
        }

        @Override
        public AsyncBody body() {
            return this;
        }

        @Override
        public HttpRequest request() {
            return request;
        }

        @Override
        public Optional<HttpResponse<?>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public void consume() {
            if (told) {
                // Asked for more, which there is not.
                done.complete(null);
                return;
            }
            told = true;
            try {
                consumer.consume(List.of(ByteBuffer.wrap(answer.body().getBytes(StandardCharsets.UTF_8))), this);
            } catch (Exception failure) {
                done.completeExceptionally(failure);
            }
        }

        @Override
        public CompletableFuture<Void> done() {
            return done;
        }

        @Override
        public void cancel() {
            done.cancel(false);
        }
    }
}
