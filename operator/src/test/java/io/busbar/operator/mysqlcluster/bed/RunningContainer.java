package io.busbar.operator.mysqlcluster.bed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes of a container, with a file system, a host name and process numbers of their own.
 *
 * <p>They end with their first one, with the thread that started them, and so with the JVM, however that ends. Any
 * thread, once started.
 */
final class RunningContainer implements AutoCloseable {

    private static final List<String> DIES_WITH_ITS_PARENT = List.of("setpriv", "--pdeathsig", "KILL");

    /** The shell, itself outside, waits for the first process of the namespace and passes on how that ended. */
    private static final List<String> LAUNCH = Stream.of(
                    DIES_WITH_ITS_PARENT,
                    List.of("unshare", "--mount", "--pid", "--uts"),
                    List.of(
                            "bash",
                            "-c",
                            String.join(" ", DIES_WITH_ITS_PARENT) + " bash \"$@\"; exit $?",
                            "container"))
            .flatMap(List::stream)
            .toList();

    private static final int MESSAGE_BYTES = 4096;
    private static final int LOG_MESSAGE_BYTES = 2048;

    private final Process process;
    private final ContainerPlan plan;

    private RunningContainer(Process process, ContainerPlan plan) {
        this.process = process;
        this.plan = plan;
    }

    /** @param enter the script of that name */
    static RunningContainer start(ContainerPlan plan, Path enter) throws IOException {
        Files.createDirectories(plan.folder().resolve("box"));
        Files.write(plan.terminationLog(), new byte[0]);
        Files.write(
                plan.folder().resolve("mounts"),
                plan.mounts().stream().map(Mount::line).toList());
        List<String> command = new ArrayList<>(LAUNCH);
        command.addAll(List.of(enter.toString(), plan.hostname(), plan.folder().toString()));
        command.addAll(plan.command());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(plan.log().toFile()));
        builder.environment().clear();
        builder.environment().putAll(plan.environment());
        return new RunningContainer(builder.start(), plan);
    }

    /** Whether it has ended within that time. */
    boolean ends(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** 128 and the signal's number for one that a signal ended. */
    int exitCode() {
        return process.exitValue();
    }

    /** What it has left in its termination log. */
    String message() throws IOException {
        byte[] all = Files.readAllBytes(plan.terminationLog());
        return new String(Arrays.copyOf(all, Math.min(all.length, MESSAGE_BYTES)), UTF_8);
    }

    /** The end of what it has said. */
    String lastWords() throws IOException {
        byte[] all = Files.readAllBytes(plan.log());
        return new String(Arrays.copyOfRange(all, Math.max(0, all.length - LOG_MESSAGE_BYTES), all.length), UTF_8);
    }

    /** All that it and the ones before it in its Pod have said so far. */
    String log() throws IOException {
        return new String(Files.readAllBytes(plan.log()), UTF_8);
    }

    /** The same of a container beside it. */
    String log(String name) throws IOException {
        Path log = plan.folder().resolve(name).resolve("log");
        return Files.exists(log) ? Files.readString(log) : "";
    }

    /** Asks it to end. As the first of its processes, what doesn't listen for the signal isn't hurt by it. */
    void terminate() {
        first().ifPresent(ProcessHandle::destroy);
    }

    void kill() {
        first().ifPresentOrElse(ProcessHandle::destroyForcibly, process::destroyForcibly);
    }

    /** Its first process, and what that has started, do not run until {@link #thaw}. */
    void freeze() {
        signal("STOP");
    }

    void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        first().ifPresent(first -> {
            signal(name, first);
            first.descendants().forEach(process -> signal(name, process));
        });
    }

    private static void signal(String name, ProcessHandle process) {
        try {
            Command.run(List.of("kill", "-" + name, Long.toString(process.pid())), "");
        } catch (IllegalStateException failure) {
            if (process.isAlive()) {
                throw failure;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts another process in it. */
    Process exec(List<String> command) throws IOException {
        List<String> enter = new ArrayList<>(DIES_WITH_ITS_PARENT);
        String first = Long.toString(first().orElseThrow().pid());
        enter.addAll(List.of("nsenter", "--target", first, "--mount", "--root", "--wd"));
        enter.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(enter).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(plan.environment());
        return builder.start();
    }

    /** A path of its own as the machine sees it, while it runs. */
    Path path(String path) {
        return Path.of("/proc/" + first().orElseThrow().pid() + "/root" + path);
    }

    private Optional<ProcessHandle> first() {
        return process.children().findFirst();
    }

    /** Ends it at once, and waits until none of its processes is left. */
    @Override
    public void close() {
        kill();
        process.onExit().join();
    }
}
