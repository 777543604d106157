package io.busbar.operator.endtoend;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The operator as a process of its own, which can be killed and frozen. For one thread. */
final class KillableOperator {

    private final String name;
    private final Path kubeconfig;
    private final Path log;
    private final String[] flags;
    private Process process;

    /** With what runs on the cluster; it reaches servers by the addresses of their Pods. */
    KillableOperator(RunningCluster cluster, Path log) throws IOException {
        this(
                "busbar",
                cluster.kubeconfig(),
                log,
                Stream.concat(
                                cluster.operatorFlags().stream(),
                                Stream.of(
                                        "--webhook-certs=self-signed",
                                        "--webhook-url=https://127.0.0.1:0",
                                        "--pod-addressing=PodIP",
                                        "--log-level=info"))
                        .toArray(String[]::new));
    }

    /**
     * @param name of the replica
     * @param log where it writes what it has to say
     */
    KillableOperator(String name, Path kubeconfig, Path log, String... flags) throws IOException {
        this.name = name;
        this.kubeconfig = kubeconfig;
        this.log = log;
        this.flags = flags;
        this.process = start();
    }

    /** As a lost machine would end it, unless that was done; another takes over at once. */
    void killAndStart() throws IOException, InterruptedException {
        end();
        process = start();
    }

    /** As a kubelet would, where it has ended. */
    boolean startIfEnded() throws IOException {
        if (process.isAlive()) {
            return false;
        }
        process = start();
        return true;
    }

    private Process start() throws IOException {
        return OperatorProcess.start(name, kubeconfig, log, flags);
    }

    /** Lets it do nothing until {@link #thaw}. */
    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /** As a lost machine would end it. */
    void end() throws InterruptedException {
        process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
    }
}
