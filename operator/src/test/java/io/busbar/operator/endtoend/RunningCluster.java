package io.busbar.operator.endtoend;

import io.busbar.operator.bundled.Bundled;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.core.ThrowingRunnable;

/** A cluster: a sandbox, or that of the property {@code busbar.cluster}; and the operator, in this JVM. */
final class RunningCluster implements AutoCloseable {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Vertx vertx = Vertx.vertx();
    private final OperatorOptions options = OperatorOptions.besideCluster("busbar");
    private final Path kubeconfig;
    private final KubernetesClient client;
    private final OperatorAccount account = new OperatorAccount();
    private final ApiCalls calls;
    private final Path operatorKubeconfig;
    private StandaloneOperator operator;

    /** @param calls takes down those of the operator in this JVM */
    RunningCluster(ApiCalls calls) {
        this.calls = calls;
        String given = System.getProperty("busbar.cluster", "");
        this.kubeconfig = given.isEmpty() ? sandbox() : Path.of(given);
        this.client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                .build();
        Installation.install(client, Bundled.operator());
        this.operatorKubeconfig = operatorKubeconfig();
    }

    private Path operatorKubeconfig() {
        try {
            return account.install(client, options.namespace(), kubeconfig);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    private Path sandbox() {
        try {
            Path file = Files.createTempFile("busbar", ".kubeconfig");
            file.toFile().deleteOnExit();
            Sandbox sandbox =
                    await(VertxSandbox.start(vertx, SandboxOptions.defaults().withRbac(true)));
            return Files.writeString(file, sandbox.kubeconfig());
        } catch (Exception failed) {
            throw new AssertionError("the sandbox does not start: " + failed.getMessage(), failed);
        }
    }

    /** Of somebody who may do everything. */
    KubernetesClient client() {
        return client;
    }

    /** Of the operator, which may do what its roles say. */
    Path kubeconfig() {
        return operatorKubeconfig;
    }

    /** The operator's own. */
    String namespace() {
        return options.namespace();
    }

    OperatorAccount account() {
        return account;
    }

    /** Those of the operators in this JVM: of the one on this cluster, and of those on others. */
    ApiCalls calls() {
        return calls;
    }

    /** Unless it runs. */
    void startOperator() {
        if (operator == null) {
            operator = new StandaloneOperator(
                    Bundled.operator(), Config.fromKubeconfig(operatorKubeconfig.toFile()), options, List.of(calls));
            orFail(operator::start);
        }
    }

    void stopOperator() {
        if (operator != null) {
            orFail(operator::stop);
            operator = null;
        }
    }

    /** Those that an operator registered by URL and left when it stopped: with nobody there, no Pod could be made. */
    void removeWebhooks() {
        for (String kind : List.of("mutating", "validating")) {
            client.raw(
                    "/apis/admissionregistration.k8s.io/v1/" + kind + "webhookconfigurations/busbar-" + kind
                            + "-webhook-configuration",
                    "DELETE",
                    null);
        }
    }

    /** How many reconciles a controller of the operator has ended. */
    double reconciles(String controller) {
        return metrics().stream()
                .filter(line -> line.startsWith("controller_runtime_reconcile_total{")
                        && line.contains("controller=\"" + controller + "\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** Of all that the operator measures. */
    Set<String> metricNames() {
        return metrics().stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toSet());
    }

    private List<String> metrics() {
        URI metrics =
                URI.create("http://127.0.0.1:" + operator.managementPorts().get(0) + "/metrics");
        List<String> lines = new ArrayList<>();
        orFail(() -> HTTP.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofLines())
                .body()
                .forEach(lines::add));
        return lines;
    }

    @Override
    public void close() {
        stopOperator();
        removeWebhooks();
        // As the definitions are without an operator: nobody would answer a conversion any more.
        Installation.install(client, Bundled.operator());
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
