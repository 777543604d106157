package io.busbar.operator.endtoend;

import java.io.IOException;
import java.nio.file.Path;

/** The jar itself, in a process that can be killed. */
final class OperatorProcess {

    private OperatorProcess() {}

    /**
     * Starts it with the flags that a user outside the cluster would give.
     *
     * @param log where it writes what it has to say
     */
    static Process start(RunningCluster cluster, Path log) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new ProcessBuilder(
                        java.toString(),
                        "-jar",
                        System.getProperty("busbar.jar"),
                        "run",
                        "--kubeconfig=" + cluster.kubeconfig(),
                        "--webhook-certs=self-signed",
                        "--webhook-url=https://127.0.0.1:0",
                        "--webhook-bind-address=127.0.0.1",
                        "--webhook-port=0",
                        "--metrics-bind-address=127.0.0.1:0",
                        "--health-probe-bind-address=127.0.0.1:0",
                        "--graceful-shutdown-timeout=5s",
                        "--log-level=warn")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }
}
