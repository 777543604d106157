package io.busbar.operator.endtoend;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The jar itself, in a process that can be killed. */
final class OperatorProcess {

    private OperatorProcess() {}

    /**
     * Starts it with the flags that a user outside the cluster would give. One that follows a killed one does not wait
     * for the end of its lease.
     *
     * @param log where it writes what it has to say
     */
    static Process start(RunningCluster cluster, Path log) throws IOException {
        List<String> flags = new ArrayList<>(cluster.operatorFlags());
        flags.addAll(List.of(
                "--webhook-certs=self-signed", "--webhook-url=https://127.0.0.1:0", "--no-lease", "--log-level=warn"));
        return start("busbar", cluster.kubeconfig(), log, flags.toArray(String[]::new));
    }

    /**
     * Starts it with flags beside those that keep it to this machine and to free ports.
     *
     * @param name of the replica
     */
    static Process start(String name, Path kubeconfig, Path log, String... flags) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // For a short run: starts are what these tests wait for.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                System.getProperty("busbar.jar"),
                "run",
                "--kubeconfig=" + kubeconfig,
                "--webhook-bind-address=127.0.0.1",
                "--webhook-port=0",
                "--metrics-bind-address=127.0.0.1:0",
                "--metrics-secure=false",
                "--health-probe-bind-address=127.0.0.1:0",
                "--graceful-shutdown-timeout=5s"));
        command.addAll(List.of(flags));
        ProcessBuilder process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        process.environment().put("HOSTNAME", name);
        return process.start();
    }
}
