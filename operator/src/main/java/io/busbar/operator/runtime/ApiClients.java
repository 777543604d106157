package io.busbar.operator.runtime;

import io.busbar.common.trace.Tracing;
import io.busbar.reconciler.leader.Fence;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Makes clients of one API server for different uses, to be closed by whoever asked for them. Any thread. */
public final class ApiClients {

    private ApiClients() {}

    /**
     * One whose requests are counted, and traced.
     *
     * @param others that look at its requests too
     */
    public static KubernetesClient measured(
            Config config, MeterRegistry meters, Tracing tracing, List<Interceptor> others) {
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(http -> {
                    observe(http, meters, tracing);
                    others.forEach(other ->
                            http.addOrReplaceInterceptor(other.getClass().getName(), other));
                })
                .build();
    }

    /** One that sends nothing while the fence is shut. */
    static KubernetesClient fenced(Config config, MeterRegistry meters, Tracing tracing, Fence fence) {
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientFactory(new FencedHttpClients(fence))
                .withHttpClientBuilderConsumer(http -> {
                    http.addOrReplaceInterceptor("busbar-fence", fence);
                    observe(http, meters, tracing);
                })
                .build();
    }

    private static void observe(HttpClient.Builder http, MeterRegistry meters, Tracing tracing) {
        http.addOrReplaceInterceptor("busbar-requests", new RequestMetrics(meters));
        if (tracing.isOn()) {
            http.addOrReplaceInterceptor("busbar-traces", new RequestTraces(tracing));
        }
    }

    /** Has HTTP clients do all that follows a request's first check, up to the network, on threads that check again. */
    private static final class FencedHttpClients extends JdkHttpClientFactory {

        private final Fence fence;

        FencedHttpClients(Fence fence) {
            this.fence = fence;
        }

        @Override
        protected void additionalConfig(java.net.http.HttpClient.Builder builder) {
            ExecutorService threads = Executors.newCachedThreadPool(work -> {
                Thread thread = new Thread(work, "busbar-fenced-http");
                thread.setDaemon(true);
                return thread;
            });
            builder.executor(fence.over(threads));
        }
    }
}
