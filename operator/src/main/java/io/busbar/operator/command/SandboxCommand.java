package io.busbar.operator.command;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code busbar sandbox}. */
@Command(
        name = "sandbox",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = "Runs a simulated Kubernetes API server alone, until SIGINT or SIGTERM.")
final class SandboxCommand implements Callable<Integer> {

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            converter = PortConverter.class,
            description = "Of the API server; 0 for a free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--data-dir",
            paramLabel = "FOLDER",
            description = "Where to keep the state across restarts. Default: nowhere.")
    private @Nullable Path dataDir;

    @Option(names = "--rbac", description = "Lets callers do only what roles allow them. Default: everything.")
    private boolean rbac;

    @Option(
            names = "--kubernetes-version",
            paramLabel = "VERSION",
            defaultValue = "v1.33.1",
            converter = KubernetesVersionConverter.class,
            description = "The version to report. Default: ${DEFAULT-VALUE}.")
    private String version = "";

    @Option(
            names = "--nodes",
            paramLabel = "COUNT",
            defaultValue = "3",
            converter = NodesConverter.class,
            description = "How many nodes there are at least. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = ".busbar/kubeconfig",
            description = "The kubeconfig to write, for an admin. Default: ${DEFAULT-VALUE}.")
    private Path kubeconfig = Path.of("");

    @Mixin
    private LogFlags log;

    @Spec
    private CommandSpec spec;

    /** To be closed in reverse order. */
    private final Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>();

    @Override
    public Integer call() throws Exception {
        log.apply(LogFlags.Level.WARN);
        Foreground.run(this::start, this::stop);
        return 0;
    }

    private void start() throws Exception {
        Vertx vertx = Vertx.vertx();
        open.push(() -> Blocking.await(vertx.close()));
        Sandbox sandbox = Blocking.await(Sandbox.start(vertx, options()));
        open.push(() -> Blocking.await(sandbox.close()));
        PrintWriter out = spec.commandLine().getOut();
        out.println("A simulated Kubernetes runs at " + sandbox.url() + ". In another terminal:");
        out.println();
        out.println("  export KUBECONFIG=" + kubeconfig.toAbsolutePath().normalize());
        out.println("  kubectl get all -A");
        out.println();
        out.println("Ctrl-C ends it.");
    }

    private SandboxOptions options() throws IOException {
        Path file = kubeconfig.toAbsolutePath().normalize();
        Files.createDirectories(file.getParent());
        SandboxOptions options = SandboxOptions.defaults()
                .withPort(port)
                .withRbac(rbac)
                .withVersion(version)
                .withNodes(nodes)
                .withKubeconfig(file);
        return dataDir == null ? options : options.withDataDir(dataDir);
    }

    private void stop() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }
}
