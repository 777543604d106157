package io.busbar.testkit.memory;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.http.DirectServer.Answered;
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
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A client of fabric8 whose requests are calls within this process. It does not watch, and repeats nothing.
 *
 * <p>Any thread; requests are answered on the caller's.
 */
final class MemoryClient {

    /** One for all: what it learns about model classes takes longer than most tests. The next line sets it up. */
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization(MAPPER, true);

    private MemoryClient() {}

    /** Answers requests. */
    @FunctionalInterface
    interface Server {

        /**
         * @param uri path and query
         * @throws IOException when there is no answer
         */
        Answered answer(String method, String uri, Map<String, String> headers, byte[] body) throws IOException;
    }

    /**
     * @param namespace of requests that name none
     */
    static KubernetesClient of(Server server, String namespace) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://memory/")
                        .withNamespace(namespace)
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .withKubernetesSerialization(SERIALIZATION)
                .withHttpClientFactory(new Factory(server))
                .build();
    }

    /** What the client makes of an answer, without a text in between. */
    static <T> T typed(ObjectNode json, Class<T> type) {
        try {
            return MAPPER.treeToValue(json, type);
        } catch (IOException unfit) {
            throw new IllegalArgumentException(type.getName() + " cannot be read: " + unfit.getMessage(), unfit);
        }
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
            String query = request.uri().getRawQuery();
            String uri = request.uri().getRawPath() + (query == null ? "" : "?" + query);
            Map<String, String> headers = new HashMap<>();
            request.headers().forEach((name, values) -> headers.put(name, values.get(0)));
            if (request.getContentType() != null) {
                headers.put("Content-Type", request.getContentType());
            }
            String body = request.bodyString() == null ? "" : request.bodyString();
            try {
                Answered answered =
                        server.answer(request.method(), uri, headers, body.getBytes(StandardCharsets.UTF_8));
                return CompletableFuture.completedFuture(new Response(request, answered, consumer));
            } catch (IOException | RuntimeException failure) {
                return CompletableFuture.failedFuture(failure);
            }
        }

        @Override
        public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
                StandardWebSocketBuilder builder, WebSocket.Listener listener) {
            throw new UnsupportedOperationException("there are no watches, and no web sockets, in memory");
        }

        @Override
        protected void doClose() {
            // There is nothing to let go.
        }
    }

    private static final class Response extends StandardHttpHeaders implements HttpResponse<AsyncBody>, AsyncBody {

        private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        private final HttpRequest request;
        private final Answered answered;
        private final Consumer<List<ByteBuffer>> consumer;
        private boolean told;

        Response(HttpRequest request, Answered answered, Consumer<List<ByteBuffer>> consumer) {
            super(headers(answered));
            this.request = request;
            this.answered = answered;
            this.consumer = consumer;
        }

        private static Map<String, List<String>> headers(Answered answered) {
            Map<String, List<String>> headers = new HashMap<>();
            headers.put("Content-Type", List.of(answered.contentType()));
            if (answered.retryAfter() > 0) {
                headers.put("Retry-After", List.of(Integer.toString(answered.retryAfter())));
            }
            return headers;
        }

        @Override
        public int code() {
            return answered.code();
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
                done.complete(null); // Asked for more, which there is not.
                return;
            }
            told = true;
            try {
                consumer.consume(List.of(ByteBuffer.wrap(answered.body())), this);
            } catch (Exception failure) {
                done.completeExceptionally(failure);
            }
        }

        @Override
        public CompletableFuture<@Nullable Void> done() {
            return done;
        }

        @Override
        public void cancel() {
            done.cancel(false);
        }
    }
}
