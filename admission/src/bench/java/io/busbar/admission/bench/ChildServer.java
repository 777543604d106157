package io.busbar.admission.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A server in a JVM of its own, with this one's class path. Its main class prints {@code listening PORT} when it does.
 */
public final class ChildServer implements AutoCloseable {

    /** What a main class prints, followed by its port. */
    public static final String LISTENING = "listening ";

    private final Process process;
    private final int port;

    private ChildServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    public static ChildServer start(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xms512m",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(LISTENING)) {
                return new ChildServer(process, Integer.parseInt(line.substring(LISTENING.length())));
            }
        }
        throw new IOException(main.getName() + " ended without listening");
    }

    public int port() {
        return port;
    }

    /** Used by the whole process so far. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
