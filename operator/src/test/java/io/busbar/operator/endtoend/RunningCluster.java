package io.busbar.operator.endtoend;

import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.mysqlcluster.bed.DatabaseNode;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.FeatureGate;
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
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** A cluster: a sandbox, or that of the property {@code busbar.cluster}; and the operator, in this JVM. */
final class RunningCluster implements AutoCloseable {

    private static final String GIVEN = System.getProperty("busbar.cluster", "");
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    /** Leaves managedFields out for who asks for that: a real cluster of {@code -Pcluster} knows nothing of it. */
    private static final SandboxOptions SANDBOX =
            SandboxOptions.defaults().withRbac(true).withFeatureGate(FeatureGate.MANAGED_FIELDS_OPT_OUT, true);

    static final String STORAGE_IMAGE = "--storage-image=" + DatabaseNode.OPERATOR_IMAGE;

    private final Vertx vertx = Vertx.vertx();
    private final OperatorOptions options = OperatorOptions.besideCluster(Bundled.NAME);
    private final Path kubeconfig;
    private final KubernetesClient client;
    private final Function<String, ApiCalls> calls;
    private final Path operatorKubeconfig;
    /** Which of the bundled operators runs, with its permissions; empty for all. */
    private String chosen = "";

    private @Nullable StandaloneOperator operator;

    /** @param calls takes down those of the operator in this JVM, by which of the bundled ones runs */
    RunningCluster(Function<String, ApiCalls> calls) {
        this.calls = calls;
        this.kubeconfig = isGiven() ? Path.of(GIVEN) : sandbox();
        this.client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                .build();
        Installation.install(client, Bundled.operator());
        storeInBothVersions();
        this.operatorKubeconfig = operatorKubeconfig();
    }

    /** Whether there is one for all classes, and no sandbox. */
    static boolean isGiven() {
        return !GIVEN.isEmpty();
    }

    /** As where OpenKruise was: the operator has all SidecarSets stored anew. */
    private void storeInBothVersions() {
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("sidecarsets.apps.kruise.io")
                .editStatus(definition -> {
                    definition.getStatus().setStoredVersions(List.of("v1alpha1", "v1beta1"));
                    return definition;
                });
    }

    private Path operatorKubeconfig() {
        try {
            return OperatorAccount.of("").install(client, options.namespace(), kubeconfig);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    private Path sandbox() {
        try {
            Path file = Files.createTempFile("busbar", ".kubeconfig");
            file.toFile().deleteOnExit();
            Sandbox sandbox = await(VertxSandbox.start(vertx, SANDBOX));
            return Files.writeString(file, sandbox.kubeconfig());
        } catch (Exception failed) {
            throw new AssertionError("the sandbox does not start: " + failed.getMessage(), failed);
        }
    }

    /** Of somebody who may do everything. */
    KubernetesClient client() {
        return client;
    }

    /** The same person's. */
    Path adminKubeconfig() {
        return kubeconfig;
    }

    /** Of the operator, which may do what its roles say. */
    Path kubeconfig() {
        return operatorKubeconfig;
    }

    /** The operator's own. */
    String namespace() {
        return options.namespace();
    }

    /** Which of the bundled operators runs; empty for all. */
    String operator() {
        return chosen;
    }

    /** The flags that say so. */
    List<String> operatorFlags() {
        List<String> flags = new ArrayList<>();
        if (!chosen.isEmpty()) {
            flags.add("--operators=" + chosen);
        }
        if (chosen.isEmpty() || chosen.equals("mysqlcluster")) {
            flags.add(STORAGE_IMAGE);
        }
        return flags;
    }

    /** Those of the operators in this JVM, by which of the bundled ones runs: on this cluster, and on others. */
    ApiCalls calls(String chosen) {
        return calls.apply(chosen);
    }

    /**
     * Unless it runs: one of the bundled operators with its own permissions and no others, or all with those of all.
     *
     * @param other as in {@link EndToEnd#value}
     */
    synchronized void startOperator(String other) {
        if (!other.equals(EndToEnd.ANY) && !chosen.equals(other)) {
            stopOperator();
            removeWebhooks();
            chosen = other;
            OperatorAccount.of(chosen).allow(client);
        }
        startOperator();
    }

    /** Unless it runs. */
    void startOperator() {
        if (operator == null) {
            operator = new StandaloneOperator(
                    withFlags(Bundled.operator()),
                    Config.fromKubeconfig(operatorKubeconfig.toFile()),
                    options.toBuilder()
                            .operators(chosen.isEmpty() ? Set.of() : Set.of(chosen))
                            .build(),
                    List.of(calls.apply(chosen)));
            orFail(operator::start);
        }
    }

    /** As the command line would set them. */
    private static OperatorDefinition withFlags(OperatorDefinition bundled) {
        for (Bundle bundle : bundled.bundles()) {
            bundle.flags()
                    .filter(flags -> CommandSpec.forAnnotatedObject(flags).findOption("--storage-image") != null)
                    .ifPresent(flags -> CommandLine.populateCommand(flags, STORAGE_IMAGE));
        }
        return bundled;
    }

    void stopOperator() {
        if (operator != null) {
            orFail(operator::stop);
            operator = null;
        }
    }

    /** Those that an operator registered by URL and left when it stopped: with nobody there, no Pod could be made. */
    void removeWebhooks() {
        var configurations = client.admissionRegistration().v1();
        configurations
                .mutatingWebhookConfigurations()
                .withName("busbar-mutating-webhook-configuration")
                .delete();
        configurations
                .validatingWebhookConfigurations()
                .withName("busbar-validating-webhook-configuration")
                .delete();
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
        URI metrics = URI.create("http://127.0.0.1:"
                + Objects.requireNonNull(operator).managementPorts().get(0) + "/metrics");
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
