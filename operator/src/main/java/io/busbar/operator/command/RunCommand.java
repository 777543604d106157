package io.busbar.operator.command;

import io.busbar.operator.runtime.OperatorOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code busbar run}. */
@Command(
        name = "run",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = "Runs the operator against a cluster, until SIGINT or SIGTERM.")
final class RunCommand implements Callable<Integer> {

    @Mixin
    private KubernetesFlags kubernetes;

    @Mixin
    private OperatorFlags operator;

    @Mixin
    private LogFlags log;

    @Override
    public Integer call() throws Exception {
        log.apply(LogFlags.Level.INFO);
        OperatorOptions options = operator.options(KubernetesFlags.inClusterNamespace());
        BundledOperator running = kubernetes.connect(config -> new BundledOperator(config, options));
        Foreground.run(atStop -> {
            atStop.accept(running::stop);
            running.start();
            running.awaitLoss();
        });
        return 0;
    }
}
