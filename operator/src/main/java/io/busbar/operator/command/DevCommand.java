package io.busbar.operator.command;

import io.busbar.operator.demo.Story;
import io.busbar.operator.runtime.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
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

    @Mixin
    private SandboxFlags simulated;

    @Mixin
    private LogFlags log;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        log.apply(demo ? LogFlags.Level.WARN : LogFlags.Level.INFO);
        Foreground.run(this::start);
        return 0;
    }

    /** The operator and the user that is played connect through the kubeconfig that the user gets. */
    private void start(Consumer<AutoCloseable> atStop) throws Exception {
        Sandbox sandbox = simulated.start(options -> options, atStop);
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(simulated.kubeconfig().toFile()))
                .build();
        atStop.accept(client);
        OperatorOptions options = DevOptions.options();
        Installation.install(client, options.namespace());
        BundledOperator operator = new BundledOperator(client.getConfiguration(), options);
        atStop.accept(operator::stop);
        operator.start();
        welcome(sandbox, operator);
        if (demo) {
            new Story(client, out()).tell();
            out().println();
        }
        out().println("Ctrl-C ends it.");
    }

    private void welcome(Sandbox sandbox, BundledOperator operator) {
        out().println("A simulated Kubernetes and the operator run at " + sandbox.url() + ". In another terminal:");
        out().println();
        out().println("  export KUBECONFIG=" + simulated.kubeconfig());
        out().println("  kubectl get sidecarsets,pods");
        out().println("  curl localhost:" + operator.managementPorts().get(0) + "/metrics");
        out().println();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
