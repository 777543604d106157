package io.busbar.operator.podset.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The jar with PodSet alone, in a process of its own. */
final class OperatorChild implements AutoCloseable {

    private static final int PROBES = 18081;

    private final Process process;

    private OperatorChild(Process process) {
        this.process = process;
    }

    /** Returns once it is ready. */
    static OperatorChild start(Path jar, int workers, String jvmOptions) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        Arrays.stream(jvmOptions.split(" ")).filter(option -> !option.isEmpty()).forEach(command::add);
        command.addAll(List.of(
                "-jar",
                jar.toString(),
                "run",
                "--operators=podset",
                "--max-concurrent-reconciles=" + workers,
                "--webhook-certs=self-signed",
                "--webhook-url=https://127.0.0.1:0",
                "--webhook-bind-address=127.0.0.1",
                "--webhook-port=0",
                "--metrics-bind-address=0",
                "--health-probe-bind-address=127.0.0.1:" + PROBES));
        Path log = Files.createTempFile("podset-bench", ".log");
        System.out.println("log of the operator: " + log);
        OperatorChild child = new OperatorChild(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start());
        child.awaitReady();
        return child;
    }

    private void awaitReady() throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PROBES + "/readyz"))
                .build();
        while (process.isAlive()) {
            try {
                if (http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
                    return;
                }
            } catch (IOException notListeningYet) {
                // asked again below
            }
            process.waitFor(100, TimeUnit.MILLISECONDS);
        }
        throw new IllegalStateException("the operator has ended: exit " + process.exitValue());
    }

    /** Used since it was started. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** The most memory that it has had so far, in MiB. */
    long peakMebibytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() throws Exception {
        process.destroy();
        process.waitFor();
    }
}
