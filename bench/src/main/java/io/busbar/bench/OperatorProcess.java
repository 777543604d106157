package io.busbar.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A contender that runs. */
final class OperatorProcess implements AutoCloseable {

    /** The JVM that all run on. */
    static final String JAVA = ProcessHandle.current().info().command().orElse("java");

    private static final long PATIENCE_SECONDS = 30;

    private final Process process;
    private final Path log;

    private OperatorProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static OperatorProcess start(Contender contender, int workers, Path kubeconfig) throws IOException {
        Path log = Files.createTempFile("busbar-bench-" + contender.name() + "-", ".log");
        ProcessBuilder builder = new ProcessBuilder(contender.command(workers))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        return new OperatorProcess(builder.start(), log);
    }

    /** @throws IllegalStateException when it has ended */
    void requireAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("the operator has ended with " + process.exitValue() + ": see " + log);
        }
    }

    /** Has it do nothing, as it is, until it may {@link #goOn}. */
    void hold() throws IOException, InterruptedException {
        signal("STOP");
    }

    void goOn() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exitCode = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exitCode != 0) {
            throw new IllegalStateException("the operator cannot be sent the signal " + name);
        }
    }

    /** Used since it was started. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** Resident now. */
    long mebibytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }

    /** Ends it, and waits for that. */
    @Override
    public void close() {
        process.destroy();
        try {
            process.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            process.destroyForcibly();
        }
    }
}
