package io.busbar.sandbox.command;

import io.busbar.common.internal.process.Foreground;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a sandbox alone, until the process is told to end. For the main thread, which it blocks. */
@Command(
        name = "sandbox",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = "Runs a simulated Kubernetes API server alone, until SIGINT or SIGTERM.")
public class SandboxCommand implements Callable<Integer> {

    @Mixin
    private SandboxFlags simulated;

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
            defaultValue = "v1.36.2",
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

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Foreground.run(this::start);
        return 0;
    }

    private void start(Consumer<AutoCloseable> atStop) throws Exception {
        Sandbox sandbox = simulated.start(this::chosen, atStop);
        PrintWriter out = spec.commandLine().getOut();
        out.println("A simulated Kubernetes runs at " + sandbox.url() + ". In another terminal:");
        out.println();
        out.println("  export KUBECONFIG=" + simulated.kubeconfig());
        out.println("  kubectl get all -A");
        out.println();
        out.println("Ctrl-C ends it.");
    }

    private SandboxOptions chosen(SandboxOptions options) {
        SandboxOptions chosen = options.withRbac(rbac).withVersion(version).withNodes(nodes);
        return dataDir == null ? chosen : chosen.withDataDir(dataDir);
    }
}
