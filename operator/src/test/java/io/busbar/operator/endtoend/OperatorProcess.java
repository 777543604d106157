package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
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

    static final Path JAR = Path.of(System.getProperty("busbar.jar"));

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
        return startJar(JAR, List.of("run"), name, kubeconfig, log, ahead, all);
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

    /** Starts a jar with an operator of its own, kept to this machine as the others are; the flags may say otherwise. */
    static Process startPacked(Path jar, String name, Path kubeconfig, Path log, String... flags) throws IOException {
        List<String> all = new ArrayList<>(List.of(flags));
        LOCAL.stream()
                .filter(local ->
                        all.stream().noneMatch(flag -> flag.startsWith(local.substring(0, local.indexOf('=') + 1))))
                .forEach(all::add);
        return startJar(jar, name, kubeconfig, log, all);
    }

    /** Starts another operator of the jar, kept to this machine as by the others. */
    static Process startProgram(String program, Path kubeconfig, Path log, String... flags) throws IOException {
        List<String> all = new ArrayList<>(LOCAL);
        all.addAll(List.of(flags));
        return startJar(JAR, List.of(program, "run"), program, kubeconfig, log, Duration.ZERO, all);
    }

    /**
     * A port that nobody has. Systems give outgoing connections ports from 32768 on, so that none of those gets it
     * before the process that it is for does.
     */
    static int freePort() throws IOException {
        for (int tries = 1; ; tries++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (BindException taken) {
                if (tries == 100) {
                    throw taken;
                }
            }
        }
    }

    /** What a command of a jar prints, which succeeds. */
    static String output(Path jar, String... words) throws Exception {
        Process ended = new ProcessBuilder(command(jar, List.of(words)))
                .redirectErrorStream(true)
                .start();
        String text = new String(ended.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(ended.waitFor()).as(text).isZero();
        return text;
    }

    private static List<String> command(Path jar, List<String> words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // For a short run: starts are what these tests wait for.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                jar.toString()));
        command.addAll(words);
        return command;
    }

    private static Process startJar(
            Path jar, List<String> words, String name, Path kubeconfig, Path log, Duration ahead, List<String> flags)
            throws IOException {
        List<String> command = command(jar, words);
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
