package io.busbar.operator.mysqlcluster.bed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real server of MariaDB as a child of the test, on data of its own, which outlive it. It is small, and as durable as a server that is
 * configured with care; option files may change all but where it listens and where its data are. Ends with the JVM, at the latest.
 *
 * <p>For one thread.
 */
public final class MariaDbServer implements AutoCloseable {

    private static final Duration ORDERLY_STOP = Duration.ofSeconds(30);
    private static final List<String> SMALL = List.of(
            "[mysqld]",
            "skip-name-resolve",
            "innodb-buffer-pool-size=16M",
            "innodb-log-file-size=8M",
            "innodb-buffer-pool-dump-at-shutdown=OFF",
            "innodb-flush-log-at-trx-commit=1",
            "key-buffer-size=1M",
            "aria-pagecache-buffer-size=1M",
            "performance-schema=OFF");

    private final InetSocketAddress address;
    private final Process process;
    private final Path log;
    private final Thread endsWithTheJvm;

    private MariaDbServer(InetSocketAddress address, Process process, Path log) {
        this.address = address;
        this.process = process;
        this.log = log;
        this.endsWithTheJvm = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(endsWithTheJvm);
    }

    /** Whether there is one on this machine: what asks for it is skipped where not. */
    public static boolean installed() {
        return MariaDbProgram.SERVER.installed() && MariaDbProgram.INITIALIZER.installed();
    }

    /** Fills the folder, which is not there yet, with what a server needs: {@code root}, from everywhere, and nobody else. */
    public static void initialize(Path dataDir, String rootPassword) {
        MariaDbData.copyTo(dataDir, rootPassword);
    }

    /**
     * Starts, and does not wait.
     *
     * @param address of the loopback net, such as {@code 127.0.1.1}
     * @param port 0 for any that is free
     * @param optionFiles in the form of {@code my.cnf}; of one option that several of them have, the last counts
     */
    public static MariaDbServer start(Path dataDir, String address, int port, Path... optionFiles) {
        try {
            InetSocketAddress at = new InetSocketAddress(address, port == 0 ? freePort(address) : port);
            Path run = TemporaryFolder.make("mariadb");
            Path log = run.resolve("log");
            Process process = new ProcessBuilder(command(dataDir, at, run, options(run, optionFiles)))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return new MariaDbServer(at, process, log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort(String address) throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            return any.getLocalPort();
        }
    }

    private static Path options(Path run, Path... optionFiles) throws IOException {
        List<String> lines = new ArrayList<>(SMALL);
        for (Path file : optionFiles) {
            lines.add("!include " + file.toAbsolutePath());
        }
        return Files.write(run.resolve("my.cnf"), lines);
    }

    private static List<String> command(Path dataDir, InetSocketAddress at, Path run, Path options) {
        return List.of(
                MariaDbProgram.SERVER.path(),
                "--defaults-file=" + options,
                "--user=" + System.getProperty("user.name"),
                "--datadir=" + dataDir.toAbsolutePath(),
                "--tmpdir=" + run,
                "--bind-address=" + at.getAddress().getHostAddress(),
                "--port=" + at.getPort(),
                "--socket=" + run.resolve("socket"),
                "--pid-file=" + run.resolve("pid"));
    }

    public String address() {
        return address.getAddress().getHostAddress();
    }

    public int port() {
        return address.getPort();
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** All that it has said so far. */
    public String log() {
        try {
            return new String(Files.readAllBytes(log), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until it greets whoever connects. */
    public void awaitAccepting(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!greets()) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("no greeting from " + address + "; its log: " + log());
            }
            Thread.sleep(20);
        }
    }

    private boolean greets() {
        try (Socket socket = new Socket()) {
            socket.connect(address, 1000);
            socket.setSoTimeout(1000);
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends it at once, as a lost machine would. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        ended();
    }

    /** Lets it end in order. */
    public void stop() throws InterruptedException {
        if (process.isAlive()) {
            thaw();
            process.destroy();
            if (!process.waitFor(ORDERLY_STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(address + " does not stop; its log: " + log());
            }
        }
        ended();
    }

    private void ended() {
        try {
            Runtime.getRuntime().removeShutdownHook(endsWithTheJvm);
        } catch (IllegalStateException e) {
            // The JVM is ending too.
        }
    }

    /** Its process gets no time any more: connections stay, and are accepted, without an answer. */
    public void freeze() throws InterruptedException {
        signal("STOP");
        while (!isFrozen()) {
            Thread.sleep(5);
        }
    }

    /** A signal takes effect some time after it is sent; where the system does not tell, that time is taken to be short. */
    private boolean isFrozen() {
        try {
            Path status = Path.of("/proc", Long.toString(process.pid()), "status");
            return Files.notExists(status) || Files.readString(status).contains("State:\tT");
        } catch (IOException ended) {
            return true;
        }
    }

    /** It goes on after {@link #freeze}. */
    public void thaw() throws InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws InterruptedException {
        MariaDbProgram.run(List.of("kill", "-" + name, Long.toString(process.pid())), "");
    }

    @Override
    public void close() {
        process.destroyForcibly();
        ended();
    }
}
