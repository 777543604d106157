package io.busbar.sandbox.command;

import io.busbar.common.internal.command.LogFlags;
import io.busbar.common.internal.process.Foreground;
import io.busbar.sandbox.FeatureGate;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
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
public final class SandboxCommand implements Callable<Integer> {

    @Mixin
    private SandboxFlags simulated;

    @Option(
            names = "--data-dir",
            paramLabel = "FOLDER",
            description = "Where to keep the state across restarts. Default: nowhere.")
    private @Nullable Path dataDir;

    @Option(
            names = "--bind-address",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            converter = Converters.Bound.class,
            description =
                    "Where to listen: an IP address of this machine, or 0.0.0.0 or :: for all of them. Who reaches it needs the"
                            + " kubeconfig, and is an admin with it. Default: ${DEFAULT-VALUE}.")
    private String bindAddress = "";

    @Option(
            names = "--advertise-address",
            paramLabel = "HOST[:PORT]",
            split = ",",
            converter = Converters.Advertised.class,
            description =
                    "Names and addresses by which clients reach it, with commas between them: the first is in the kubeconfig, the"
                            + " certificate holds for all. Default: where it listens; if that is everywhere, the address by which this machine"
                            + " reaches others.")
    private String[] advertiseAddresses = {};

    @Option(names = "--rbac", description = "Lets callers do only what roles allow them. Default: everything.")
    private boolean rbac;

    @Option(
            names = "--kubernetes-version",
            paramLabel = "VERSION",
            defaultValue = "v1.36.2",
            converter = Converters.KubernetesVersion.class,
            description = "The version to report. Default: ${DEFAULT-VALUE}.")
    private String version = "";

    @Option(
            names = "--nodes",
            paramLabel = "COUNT",
            defaultValue = "3",
            converter = Converters.Nodes.class,
            description = "How many nodes there are at least. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(
            names = "--feature-gates",
            paramLabel = "GATE=BOOLEAN",
            split = ",",
            converter = {Converters.Gate.class, Converters.Open.class},
            description =
                    "As kube-apiserver's. ShardedListAndWatch=true lets lists and watches ask for ranges of objects by"
                            + " shardSelector (KEP-5866), ManagedFieldsOptOut=true leaves metadata.managedFields out for"
                            + " clients that ask for that in Accept (KEP-5958). Both are alpha. Default: false.")
    private Map<FeatureGate, Boolean> featureGates = Map.of();

    @Mixin
    private LogFlags log;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        log.apply(Level.WARN, Set.of());
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

    SandboxOptions chosen(SandboxOptions options) {
        SandboxOptions chosen = options.withBindAddress(bindAddress)
                .withAdvertiseAddresses(advertiseAddresses)
                .withRbac(rbac)
                .withVersion(version)
                .withNodes(nodes);
        for (Map.Entry<FeatureGate, Boolean> gate : featureGates.entrySet()) {
            chosen = chosen.withFeatureGate(gate.getKey(), gate.getValue());
        }
        return dataDir == null ? chosen : chosen.withDataDir(dataDir);
    }
}
