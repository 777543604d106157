package io.busbar.runtime.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.common.trace.Tracing;
import io.busbar.common.traffic.RequestGate;
import io.busbar.reconciler.leader.Fence;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Makes clients of one API server for different uses, to be closed by whoever asked for them. Any thread. */
public final class ApiClients {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private ApiClients() {}

    /**
     * One whose requests are counted, and traced, and sent again where that helps: the client's own retries are
     * switched off.
     *
     * @param gate at which its requests wait; others may share it
     * @param others that look at its requests too
     */
    public static KubernetesClient measured(
            Config config, MeterRegistry meters, Tracing tracing, RequestGate gate, List<Interceptor> others) {
        return client(
                config,
                meters,
                tracing,
                gate,
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                http -> addTo(http, others));
    }

    /**
     * One that sends nothing while the fence is shut.
     *
     * @param gate at which its requests wait; others may share it
     * @param others that look at its requests too
     */
    public static KubernetesClient fenced(
            Config config,
            MeterRegistry meters,
            Tracing tracing,
            RequestGate gate,
            Fence fence,
            List<Interceptor> others) {
        return client(config, meters, tracing, gate, fence::over, fence::carried, http -> {
            addTo(http, others);
            http.addOrReplaceInterceptor("busbar-fence", fence);
        });
    }

    private static void addTo(HttpClient.Builder http, List<Interceptor> others) {
        others.forEach(other -> http.addOrReplaceInterceptor(other.getClass().getName(), other));
    }

    private static KubernetesClient client(
            Config config,
            MeterRegistry meters,
            Tracing tracing,
            RequestGate gate,
            UnaryOperator<Executor> checks,
            UnaryOperator<Runnable> carried,
            Consumer<HttpClient.Builder> interceptors) {
        RequestMetrics metrics = new RequestMetrics(meters);
        // What is tried again, and when, is for the operator to say; theirs knows neither what is safe nor what a
        // server asks for.
        config.setRequestRetryBackoffLimit(0);
        List<Interceptor> observers = tracing.isOn() ? List.of(metrics, new RequestTraces(tracing)) : List.of(metrics);
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(serialization())
                .withHttpClientFactory(
                        new RepeatingClients(new HttpClients(checks), failuresFor(observers), metrics, gate, carried))
                .withHttpClientBuilderConsumer(http -> {
                    interceptors.accept(http);
                    observers.forEach(
                            one -> http.addOrReplaceInterceptor(one.getClass().getName(), one));
                })
                .build();
    }

    /**
     * Opens the connection that all requests will share. Those that are sent before there is one open one each.
     *
     * @return completes in any case: whether there is a server is for the requests to tell
     */
    public static Future<Void> connect(Vertx vertx, KubernetesClient client) {
        HttpClient http = client.getHttpClient();
        HttpRequest version = http.newHttpRequestBuilder()
                .uri(client.getMasterUrl() + "version")
                .timeout(CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .build();
        // A part of the handshake is done by who asks.
        return vertx.executeBlocking(() -> http.sendAsync(version, byte[].class), false)
                .compose(Future::fromCompletionStage)
                .transform(answered -> Future.succeededFuture());
    }

    private static Interceptor failuresFor(List<Interceptor> observers) {
        return new Interceptor() {
            @Override
            public void afterConnectionFailure(HttpRequest request, Throwable failure) {
                observers.forEach(one -> one.afterConnectionFailure(request, failure));
            }
        };
    }

    private static KubernetesSerialization serialization() {
        ObjectMapper mapper = new ObjectMapper();
        mapper.registerModule(new DeferredDeserializers());
        return new KubernetesSerialization(mapper, true);
    }

    /**
     * Puts a client that repeats around those of another factory.
     *
     * @param failures is told of what ends without an answer
     * @param carried what is sent again, as if by the thread that sent it first
     */
    private record RepeatingClients(
            HttpClient.Factory plain,
            Interceptor failures,
            RequestMetrics metrics,
            RequestGate gate,
            UnaryOperator<Runnable> carried)
            implements HttpClient.Factory {

        private static final int THREADS = 4;

        @Override
        public HttpClient.Builder newBuilder(Config config) {
            return new RepeatingClientBuilder(
                    plain.newBuilder(config),
                    client -> new RepeatingClient(
                            (StandardHttpClient<?, ?, ?>) client,
                            failures,
                            metrics,
                            gate,
                            threads(carried),
                            RepeatingClient.LONGEST));
        }

        /** For an issuer of tokens, such as an OpenID provider: what it is asked does not wait for the API server. */
        @Override
        public HttpClient.Builder newBuilder() {
            return plain.newBuilder();
        }

        private static ScheduledExecutorService threads(UnaryOperator<Runnable> carried) {
            ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(THREADS, RepeatingClients::thread) {
                @Override
                public ScheduledFuture<?> schedule(Runnable step, long delay, TimeUnit unit) {
                    return super.schedule(carried.apply(step), delay, unit);
                }
            };
            threads.setRemoveOnCancelPolicy(true);
            return threads;
        }

        private static Thread thread(Runnable work) {
            Thread thread = new Thread(work, "busbar-requests");
            thread.setDaemon(true);
            return thread;
        }
    }

    /**
     * Has the JDK's HTTP clients read answers where they arrive, on machines with few processors: there is hardly
     * another to take them, and handing each over costs a tenth of all that a busy operator does. What reads a body
     * must not block there; what waits for the whole answer is told on another thread.
     */
    private static final class HttpClients extends JdkHttpClientFactory {

        private static final int FEW_PROCESSORS = 2;

        private final UnaryOperator<Executor> checks;

        /**
         * @param checks what is put before each piece of work that follows a request's first check, up to the network
         */
        HttpClients(UnaryOperator<Executor> checks) {
            this.checks = checks;
        }

        @Override
        protected void additionalConfig(java.net.http.HttpClient.Builder builder) {
            builder.executor(checks.apply(executor()));
        }

        private static Executor executor() {
            return Runtime.getRuntime().availableProcessors() <= FEW_PROCESSORS
                    ? Runnable::run
                    : Executors.newCachedThreadPool(work -> {
                        Thread thread = new Thread(work, "busbar-http");
                        thread.setDaemon(true);
                        return thread;
                    });
        }
    }
}
