package io.busbar.operator.endtoend;

import io.busbar.operator.command.BundledOperator;
import io.busbar.operator.command.DevOptions;
import io.busbar.operator.command.Installation;
import io.busbar.operator.runtime.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ThrowingRunnable;

/** The cluster of a run: the sandbox, or that of the property {@code busbar.cluster}; and the operator, in this JVM. */
final class RunningCluster implements AutoCloseable {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Vertx vertx = Vertx.vertx();
    private final OperatorOptions options = DevOptions.options();
    private final Path kubeconfig;
    private final KubernetesClient client;
    private BundledOperator operator;

    RunningCluster() {
        String given = System.getProperty("busbar.cluster", "");
        this.kubeconfig = given.isEmpty() ? sandbox() : Path.of(given);
        this.client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                .build();
        Installation.install(client, options.namespace());
    }

    private Path sandbox() {
        try {
            Path file = Files.createTempFile("busbar", ".kubeconfig");
            file.toFile().deleteOnExit();
            Sandbox sandbox = await(Sandbox.start(vertx, SandboxOptions.defaults()));
            return Files.writeString(file, sandbox.kubeconfig());
        } catch (Exception failed) {
            throw new AssertionError("the sandbox does not start: " + failed.getMessage(), failed);
        }
    }

    KubernetesClient client() {
        return client;
    }

    Path kubeconfig() {
        return kubeconfig;
    }

    /** Unless it runs. */
    void startOperator() {
        if (operator == null) {
            operator = new BundledOperator(client.getConfiguration(), options);
            orFail(operator::start);
        }
    }

    void stopOperator() {
        if (operator != null) {
            orFail(operator::stop);
            operator = null;
        }
    }

    /** How many reconciles a controller of the operator has ended. */
    double reconciles(String controller) {
        URI metrics =
                URI.create("http://127.0.0.1:" + operator.managementPorts().get(0) + "/metrics");
        double[] sum = new double[1];
        orFail(() -> HTTP.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofLines())
                .body()
                .filter(line -> line.startsWith("controller_runtime_reconcile_total{")
                        && line.contains("controller=\"" + controller + "\""))
                .forEach(line -> sum[0] += Double.parseDouble(line.substring(line.lastIndexOf(' ')))));
        return sum[0];
    }

    @Override
    public void close() {
        stopOperator();
        client.close();
        orFail(() -> await(vertx.close()));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static void orFail(ThrowingRunnable step) {
        try {
            step.run();
        } catch (Throwable failed) {
            throw new AssertionError("the cluster or the operator: " + failed.getMessage(), failed);
        }
    }
}
