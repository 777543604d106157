package io.busbar.operator.endtoend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The jar itself, in a process that can be killed. */
final class OperatorProcess {

    private static final List<String> LOCAL = List.of(
            "--webhook-bind-address=127.0.0.1",
            "--webhook-port=0",
            "--metrics-bind-address=127.0.0.1:0",
            "--metrics-secure=false",
            "--health-probe-bind-address=127.0.0.1:0",
            "--graceful-shutdown-timeout=5s");

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
        return start(name, kubeconfig, log, Duration.ZERO, flags);
    }

    /** With a clock that is ahead of the others'; {@link #fakeClock} tells whether that can be. */
    static Process start(String name, Path kubeconfig, Path log, Duration ahead, String... flags) throws IOException {
        List<String> all = new ArrayList<>(LOCAL);
        all.addAll(List.of(flags));
        Path jar = Path.of(System.getProperty("busbar.jar"));
        return startJar(jar, List.of("run"), name, kubeconfig, log, ahead, all);
    }

    /**
     * Debian's package faketime, by which a process has a clock that is apart from others'; empty if it is not here.
     */
    static Optional<Path> fakeClock() {
        try (Stream<Path> architectures = Files.list(Path.of("/usr/lib"))) {
            return architectures
                    .map(folder -> folder.resolve("faketime/libfaketimeMT.so.1"))
                    .filter(Files::isReadable)
                    .findFirst();
        } catch (IOException notDebian) {
            return Optional.empty();
        }
    }

    /** Starts any jar of the operator, with these flags alone. */
    static Process startJar(Path jar, String name, Path kubeconfig, Path log, List<String> flags) throws IOException {
        return startJar(jar, List.of("run"), name, kubeconfig, log, Duration.ZERO, flags);
    }

    /** Starts another operator of the jar, kept to this machine as by the others. */
    static Process startProgram(String program, Path kubeconfig, Path log, String... flags) throws IOException {
        List<String> all = new ArrayList<>(LOCAL);
        all.addAll(List.of(flags));
        Path jar = Path.of(System.getProperty("busbar.jar"));
        return startJar(jar, List.of(program, "run"), program, kubeconfig, log, Duration.ZERO, all);
    }

    private static Process startJar(
            Path jar, List<String> words, String name, Path kubeconfig, Path log, Duration ahead, List<String> flags)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // For a short run: starts are what these tests wait for.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                jar.toString()));
        command.addAll(words);
        command.add("--kubeconfig=" + kubeconfig);
        command.addAll(flags);
        ProcessBuilder process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        process.environment().put("HOSTNAME", name);
        if (!ahead.isZero()) {
            process.environment().put("LD_PRELOAD", fakeClock().orElseThrow().toString());
            process.environment().put("FAKETIME", "+" + ahead.toSeconds() + "s");
            // Of a machine, too, the clock that counts from its start goes on when the time is set; and without the
            // second, waits of a JVM end at once.
            process.environment().put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
            process.environment().put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
        }
        return process.start();
    }
}
