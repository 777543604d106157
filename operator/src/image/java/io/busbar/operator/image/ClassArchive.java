package io.busbar.operator.image;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;

/**
 * The classes of the operator as the virtual machine wants them in memory, so that a start need not load and check each.
 *
 * <p>One thread, once. A run of the operator as it is deployed, while the demo's user plays, tells which classes those are, and no others:
 * what lies in the archive takes memory, used or not. From run to run that may be a few more or less, as threads meet in other places. From
 * the same list of classes, the same jar and the same runtime comes the same archive, where {@link #PREDICTABLY} can be had.
 */
final class ClassArchive {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    /**
     * Runs what follows at the same addresses each time, and one thread of it until that waits: where things come to lie, and which thread was
     * first, gets into the archive. The number of a processor follows.
     */
    private static final List<String> PREDICTABLY = List.of("setarch", "-R", "chrt", "--fifo", "1", "taskset", "-c");

    private final JavaRuntime runtime;
    private final Path app;

    /** @param app the folder of the jar, where the archive goes */
    ClassArchive(JavaRuntime runtime, Path app) {
        this.runtime = runtime;
        this.app = app;
    }

    /** Writes the list of classes, sorted as they would else differ from build to build. */
    Path list() throws IOException, InterruptedException {
        Path classes = app.resolve("classes.txt");
        try (Rehearsal rehearsal = new Rehearsal(app.getParent())) {
            run(rehearsal, classes);
        }
        return Files.write(classes, new TreeSet<>(Files.readAllLines(classes)));
    }

    /** @param classes a list that {@link #list} has written, in this folder */
    Path write(Path classes) throws IOException, InterruptedException {
        Path archive = app.resolve("busbar.jsa");
        Files.deleteIfExists(archive);
        Process dump = command(
                        predictably(),
                        "-Xshare:dump",
                        "-Xint", // a compiler's threads would take part
                        "-XX:+UseSerialGC",
                        "-Xlog:disable",
                        "-XX:SharedClassListFile=" + classes.getFileName(),
                        "-XX:SharedArchiveFile=" + archive.getFileName(),
                        "-cp",
                        "busbar.jar")
                .start();
        String output = new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (dump.waitFor() != 0 || !Files.exists(archive)) {
            throw new IllegalStateException("no archive of classes: " + output);
        }
        return archive;
    }

    /** With the options of the Deployment that choose the code which runs; registered by URL, as nothing routes to a Service there. */
    private void run(Rehearsal rehearsal, Path classes) throws IOException, InterruptedException {
        Path log = app.resolveSibling("operator.log");
        String probes = "127.0.0.1:" + freePort();
        Process operator = command(
                        List.of(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:DumpLoadedClassList=" + classes.getFileName(),
                        "-jar",
                        "busbar.jar",
                        "run",
                        "--kubeconfig=" + rehearsal.kubeconfig(),
                        "--pod-addressing=PodIP",
                        "--leader-elect",
                        "--leader-election-namespace=" + Rehearsal.NAMESPACE,
                        "--log-format=json",
                        "--webhook-cert-path=" + rehearsal.certificates(),
                        "--webhook-url=https://127.0.0.1:0",
                        "--webhook-bind-address=127.0.0.1",
                        "--webhook-port=0",
                        "--metrics-cert-path=" + rehearsal.certificates(),
                        "--metrics-bind-address=127.0.0.1:0",
                        "--health-probe-bind-address=" + probes)
                .redirectOutput(log.toFile())
                .start();
        try {
            awaitReady(operator, log, URI.create("http://" + probes + "/readyz"));
            rehearsal.play();
        } finally {
            operator.destroy();
            operator.waitFor();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void awaitReady(Process operator, Path log, URI readiness) throws IOException {
        HttpClient kubelet = HttpClient.newHttpClient();
        HttpRequest probe = HttpRequest.newBuilder(readiness).timeout(LIMIT).build();
        try {
            await().atMost(LIMIT).failFast(() -> !operator.isAlive()).until(() -> succeeds(kubelet, probe));
        } catch (ConditionTimeoutException | TerminalFailureException notReady) {
            throw new IllegalStateException("the operator is not ready: " + Files.readString(log), notReady);
        }
    }

    private static boolean succeeds(HttpClient kubelet, HttpRequest probe) throws InterruptedException {
        try {
            return kubelet.send(probe, BodyHandlers.discarding()).statusCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException notListeningYet) {
            return false;
        }
    }

    /** Linux has it; the right to a fixed priority is root's, and some containers forbid all of it. */
    private static List<String> predictably() throws IOException, InterruptedException {
        List<String> prefix = new ArrayList<>(PREDICTABLY);
        prefix.add(firstProcessor());
        List<String> probe = new ArrayList<>(prefix);
        probe.add("true");
        boolean installed =
                Stream.of("setarch", "chrt", "taskset").allMatch(program -> Files.exists(Path.of("/usr/bin", program)));
        if (installed && new ProcessBuilder(probe).start().waitFor() == 0) {
            return prefix;
        }
        System.err.println("no " + String.join(" ", prefix) + " here: the archive will be another in each build");
        return List.of();
    }

    /** Of those that this process may use: the kernel gives them as a list of ranges. */
    private static String firstProcessor() throws IOException {
        String allowed = "Cpus_allowed_list:";
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(allowed))
                .map(line -> line.substring(allowed.length()).strip())
                .map(ranges -> ranges.replaceFirst("[-,].*", ""))
                .findFirst()
                .orElse("0");
    }

    private ProcessBuilder command(List<String> before, String... arguments) {
        List<String> command = new ArrayList<>(before);
        command.add(runtime.java().toString());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).directory(app.toFile()).redirectErrorStream(true);
    }
}
