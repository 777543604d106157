package io.busbar.operator.shard.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One {@link BusyOperator}, in a process with a share of the CPU. */
final class Replica implements AutoCloseable {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final CpuShare share;
    private final Process process;
    private final int metrics;

    private Replica(CpuShare share, Process process, int metrics) {
        this.share = share;
        this.process = process;
        this.metrics = metrics;
    }

    /** @param above the size of the sets that it does nothing for */
    static Replica start(String name, double cpu, int above, String busyFor) throws IOException {
        CpuShare share = CpuShare.of(name, cpu);
        int metrics = freePort();
        ProcessBuilder process = new ProcessBuilder(share.command(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BusyOperator.class.getName(),
                        "run",
                        "--shard",
                        "--leader-election-id=shard-bench",
                        "--leader-election-namespace=default",
                        "--max-concurrent-reconciles=1",
                        "--webhook-certs=none",
                        "--metrics-bind-address=127.0.0.1:" + metrics,
                        "--metrics-secure=false",
                        "--health-probe-bind-address=0")))
                .redirectErrorStream(true)
                .redirectOutput(
                        Files.createTempFile("shard-bench-" + name, ".log").toFile());
        process.environment().put("HOSTNAME", name);
        process.environment().put("WORK_ABOVE", String.valueOf(above));
        process.environment().put("WORK_FOR", busyFor);
        return new Replica(share, process.start(), metrics);
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0)) {
            return any.getLocalPort();
        }
    }

    long reconciles() throws InterruptedException {
        return metric("controller_runtime_reconcile_total");
    }

    long buckets() throws InterruptedException {
        return metric("busbar_shard_buckets");
    }

    /** The sum of its series; 0 as long as nobody answers. */
    private long metric(String name) throws InterruptedException {
        try {
            return HTTP.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metrics + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofLines())
                    .body()
                    .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        } catch (IOException notListeningYet) {
            if (!process.isAlive()) {
                throw new IllegalStateException("a replica has ended: exit " + process.exitValue());
            }
            return 0;
        }
    }

    @Override
    public void close() throws Exception {
        process.destroy();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        share.close();
    }
}
