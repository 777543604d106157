package io.busbar.maven.image;

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

/**
 * The classes of the operator as the virtual machine wants them in memory, so that a start need not load and check each.
 *
 * <p>One thread, once. A run of the operator as it is deployed, while a user makes its samples, tells which classes those are, and no others:
 * what lies in the archive takes memory, used or not. From run to run that may be a few more or less, as threads meet in other places. From
 * the same list of classes, the same jar and the same runtime comes the same archive, where {@link #PREDICTABLY} can be had.
 */
final class ClassArchive {

    /** The file with the list of classes. */
    static final String LIST = "classes.txt";

    /** For one answer of a probe. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /**
     * Runs what follows at the same addresses each time, and one thread of it until that waits: where things come to lie, and which thread was
     * first, gets into the archive. The number of a processor follows.
     */
    private static final List<String> PREDICTABLY = List.of("setarch", "-R", "chrt", "--fifo", "1", "taskset", "-c");

    private final JavaRuntime runtime;
    private final Path app;
    private final String jar;

    /** @param jar in a folder of its own, where the archive goes */
    ClassArchive(JavaRuntime runtime, Path jar) {
        this.runtime = runtime;
        this.app = jar.resolveSibling("");
        this.jar = jar.getFileName().toString();
    }

    /**
     * Writes the list of classes, sorted as they would else differ from build to build.
     *
     * @param flags of the operator, beside those that it needs to run on a simulated cluster
     */
    Path list(List<String> flags) throws IOException, InterruptedException {
        Path classes = app.resolve(LIST);
        try (Rehearsal rehearsal = new Rehearsal(
                arguments -> command(List.of(), List.of("-jar", jar), List.of(arguments)),
                app.resolveSibling("rehearsal"))) {
            run(rehearsal, classes, flags);
        }
        return Files.write(classes, new TreeSet<>(Files.readAllLines(classes)));
    }

    /** @param classes a list that {@link #list} has written, in this folder */
    Path write(Path classes) throws IOException, InterruptedException {
        Path archive = app.resolve(jar.replaceFirst("\\.jar$", "") + ".jsa");
        Files.deleteIfExists(archive);
        Process dump = command(
                        predictably(),
                        List.of(
                                "-Xshare:dump",
                                "-Xint", // a compiler's threads would take part
                                "-XX:+UseSerialGC",
                                "-Xlog:disable",
                                "-XX:SharedClassListFile=" + classes.getFileName(),
                                "-XX:SharedArchiveFile=" + archive.getFileName(),
                                "-cp",
                                jar),
                        List.of())
                .redirectErrorStream(true)
                .start();
        String output = new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (dump.waitFor() != 0 || !Files.exists(archive)) {
            throw new IllegalStateException("no archive of classes: " + output);
        }
        return archive;
    }

    /** With the options of the Deployment that choose the code which runs; registered by URL, as nothing routes to a Service there. */
    private void run(Rehearsal rehearsal, Path classes, List<String> flags) throws IOException, InterruptedException {
        URI probes = URI.create("http://127.0.0.1:" + freePort() + "/readyz");
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--kubeconfig=" + rehearsal.kubeconfig(),
                "--leader-elect",
                "--leader-election-namespace=" + rehearsal.namespace(),
                "--log-format=json",
                "--webhook-certs=self-signed",
                "--webhook-url=https://127.0.0.1:0",
                "--webhook-bind-address=127.0.0.1",
                "--webhook-port=0",
                "--metrics-bind-address=127.0.0.1:0",
                "--health-probe-bind-address=" + probes.getAuthority()));
        arguments.addAll(flags);
        List<String> java = List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:DumpLoadedClassList=" + classes.getFileName(),
                "-jar",
                jar);
        HttpClient kubelet = HttpClient.newHttpClient();
        HttpRequest probe = HttpRequest.newBuilder(probes).timeout(LIMIT).build();
        try (JarProcess operator =
                new JarProcess(command(List.of(), java, arguments), app.resolveSibling("operator.log"))) {
            operator.await("get ready", () -> succeeds(kubelet, probe));
            rehearsal.play();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
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

    private ProcessBuilder command(List<String> before, List<String> options, List<String> arguments) {
        List<String> command = new ArrayList<>(before);
        command.add(runtime.java().toString());
        command.addAll(options);
        command.addAll(arguments);
        return new ProcessBuilder(command).directory(app.toFile());
    }
}
