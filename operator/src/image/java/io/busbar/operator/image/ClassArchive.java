package io.busbar.operator.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The classes of the operator as the virtual machine wants them in memory, so that a start need not load and check each.
 *
 * <p>One thread, once. A run of the demo tells which classes those are. From run to run that may be a few more or less, as threads
 * meet in other places. From the same list of classes, the same jar and the same runtime comes the same archive, where {@link #PREDICTABLY} can be had.
 */
final class ClassArchive {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private static final String END_OF_STORY = "Ctrl-C ends it.";

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
        demo(classes);
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

    /** The demo waits for its user in the end; one that never gets there is ended by a time limit. */
    private void demo(Path classes) throws IOException, InterruptedException {
        Process demo = java(
                        "-XX:DumpLoadedClassList=" + classes.getFileName(),
                        "-jar",
                        "busbar.jar",
                        "dev",
                        "--demo",
                        "--kubeconfig=../kubeconfig")
                .start();
        CompletableFuture<Void> limit = CompletableFuture.runAsync(
                demo.toHandle()::destroy, CompletableFuture.delayedExecutor(LIMIT.toSeconds(), TimeUnit.SECONDS));
        StringBuilder told = new StringBuilder();
        try (var lines = demo.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                told.append(line).append('\n');
                if (line.contains(END_OF_STORY)) {
                    demo.toHandle().destroy();
                }
            }
        }
        demo.waitFor();
        limit.cancel(false);
        if (!told.toString().contains(END_OF_STORY)) {
            throw new IllegalStateException("the demo did not come to its end: " + told);
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
        System.out.println("no " + String.join(" ", prefix) + " here: the archive will be another in each build");
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

    private ProcessBuilder java(String... arguments) {
        return command(List.of(), arguments);
    }

    private ProcessBuilder command(List<String> before, String... arguments) {
        List<String> command = new ArrayList<>(before);
        command.add(runtime.java().toString());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).directory(app.toFile()).redirectErrorStream(true);
    }
}
