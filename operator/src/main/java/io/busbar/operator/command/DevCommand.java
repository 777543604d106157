package io.busbar.operator.command;

import io.busbar.operator.demo.Story;
import io.busbar.operator.runtime.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code busbar dev}. */
@Command(
        name = "dev",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = "Runs a simulated Kubernetes API server and the operator against it, until SIGINT or SIGTERM.")
final class DevCommand implements Callable<Integer> {

    @Option(names = "--demo", description = "Also plays a user, and tells what happens.")
    private boolean demo;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            converter = PortConverter.class,
            description = "Of the API server; 0 for a free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = ".busbar/kubeconfig",
            description = "The kubeconfig to write. Default: ${DEFAULT-VALUE}.")
    private Path kubeconfig = Path.of("");

    @Mixin
    private LogFlags log;

    @Spec
    private CommandSpec spec;

    /** To be closed in reverse order. */
    private final Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>();

    @Override
    public Integer call() throws Exception {
        log.apply(demo ? LogFlags.Level.WARN : LogFlags.Level.INFO);
        Foreground.run(this::start, this::stop);
        return 0;
    }

    private void start() throws Exception {
        Vertx vertx = Vertx.vertx();
        open.push(() -> Blocking.await(vertx.close()));
        Sandbox sandbox =
                Blocking.await(Sandbox.start(vertx, SandboxOptions.defaults().withPort(port)));
        KubernetesClient client = connect(sandbox);
        open.push(client);
        OperatorOptions options = DevOptions.options();
        Installation.install(client, options.namespace());
        BundledOperator operator = new BundledOperator(client.getConfiguration(), options);
        open.push(operator::stop);
        operator.start();
        welcome(sandbox, operator);
        if (demo) {
            new Story(client, out()).tell();
            out().println();
        }
        out().println("Ctrl-C ends it.");
    }

    /** Through the kubeconfig that the user gets. */
    private KubernetesClient connect(Sandbox sandbox) throws IOException {
        Path file = kubeconfig.toAbsolutePath().normalize();
        Files.createDirectories(file.getParent());
        Files.writeString(file, sandbox.kubeconfig());
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(file.toFile()))
                .build();
    }

    private void welcome(Sandbox sandbox, BundledOperator operator) {
        out().println("A simulated Kubernetes and the operator run at " + sandbox.url() + ". In another terminal:");
        out().println();
        out().println("  export KUBECONFIG=" + kubeconfig.toAbsolutePath().normalize());
        out().println("  kubectl get sidecarsets,pods");
        out().println("  curl localhost:" + operator.managementPorts().get(0) + "/metrics");
        out().println();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private void stop() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }
}
