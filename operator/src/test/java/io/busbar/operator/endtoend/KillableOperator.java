package io.busbar.operator.endtoend;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The operator as a process of its own that reaches servers by the addresses of their Pods. For one thread. */
final class KillableOperator {

    private final RunningCluster cluster;
    private final Path log;
    private Process process;

    KillableOperator(RunningCluster cluster, Path log) throws IOException {
        this.cluster = cluster;
        this.log = log;
        this.process = start();
    }

    /** As a lost machine would end it, unless that was done; another takes over at once. */
    void killAndStart() throws IOException, InterruptedException {
        end();
        process = start();
    }

    private Process start() throws IOException {
        return OperatorProcess.start(
                "busbar",
                cluster.kubeconfig(),
                log,
                "--webhook-certs=self-signed",
                "--webhook-url=https://127.0.0.1:0",
                "--pod-addressing=PodIP",
                "--log-level=info");
    }

    /** As a lost machine would end it. */
    void end() throws InterruptedException {
        process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
}
