package io.busbar.sandbox.bench;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * A server in a JVM of its own, over HTTPS; tells its URL and a token, and, for each line that it is sent, its live
 * heap in bytes.
 */
final class ServedAlone implements AutoCloseable {

    private final Process process;
    private final BufferedReader told;
    private final URI url;
    private final String token;

    private ServedAlone(Process process) throws IOException {
        this.process = process;
        this.told = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String[] at = String.valueOf(told.readLine()).split(" ", -1);
        this.url = URI.create(at[0]);
        this.token = at.length > 1 ? at[1] : "";
    }

    static ServedAlone start(String which) throws IOException {
        return new ServedAlone(new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServedAlone.class.getName(),
                        which)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    URI url() {
        return url;
    }

    /** Of an admin; empty where none is asked for. */
    String token() {
        return token;
    }

    ProcessHandle process() {
        return process.toHandle();
    }

    long liveBytes() throws IOException {
        process.outputWriter().append('\n').flush();
        return Long.parseLong(told.readLine());
    }

    @Override
    public void close() {
        process.destroy();
    }

    public static void main(String[] arguments) throws Exception {
        LogManager.getLogManager().reset();
        Logger.getLogger("").setLevel(Level.OFF);
        System.out.println(arguments[0].equals("mock") ? mock() : sandbox());
        BufferedReader asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (asked.readLine() != null) {
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
            System.out.println(
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        System.exit(0);
    }

    private static String sandbox() throws Exception {
        Sandbox sandbox = VertxSandbox.start(Vertx.vertx(), SandboxOptions.defaults())
                .toCompletionStage()
                .toCompletableFuture()
                .get(1, TimeUnit.MINUTES);
        return sandbox.url() + " " + sandbox.token();
    }

    private static String mock() {
        return TestServer.mockServer().url("");
    }
}
