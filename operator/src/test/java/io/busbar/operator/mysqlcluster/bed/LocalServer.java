package io.busbar.operator.mysqlcluster.bed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.busbar.operator.mysqlcluster.sql.SqlFailure;
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
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * A real server of either product as a child of the test, on data of its own, which outlive it. It is small, and as
 * durable as a server that is configured with care; option files may change all but where it listens and where its data
 * are. Ends with the JVM, at the latest.
 *
 * <p>For one thread.
 */
public final class LocalServer implements AutoCloseable {

    private static final Duration ORDERLY_STOP = Duration.ofSeconds(30);
    private final InetSocketAddress address;
    private final Process process;
    private final Path log;
    private final Optional<Path> firstStart;
    private final Thread endsWithTheJvm;

    private LocalServer(InetSocketAddress address, Process process, Path log, Optional<Path> firstStart) {
        this.address = address;
        this.process = process;
        this.log = log;
        this.firstStart = firstStart;
        this.endsWithTheJvm = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(endsWithTheJvm);
    }

    /**
     * Fills the folder, which is not there yet, with what a server needs: {@code root}, from everywhere, and nobody
     * else.
     */
    public static void initialize(Product product, Path dataDir, String rootPassword) {
        NewData.copyTo(product, dataDir, rootPassword);
    }

    /**
     * Starts, and does not wait.
     *
     * @param product that the data are of
     * @param address of the loopback net, such as {@code 127.0.1.1}
     * @param port 0 for any that is free
     * @param optionFiles in the form of {@code my.cnf}; of one option that several of them have, the last counts
     */
    public static LocalServer start(Product product, Path dataDir, String address, int port, Path... optionFiles) {
        try {
            InetSocketAddress at = new InetSocketAddress(address, port == 0 ? freePort(address) : port);
            Path run = TemporaryFolder.make("database");
            Path log = run.resolve("log");
            Process process = new ProcessBuilder(command(product, dataDir, at, run, options(product, run, optionFiles)))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return new LocalServer(at, process, log, NewData.firstStart(dataDir));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort(String address) throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            return any.getLocalPort();
        }
    }

    private static Path options(Product product, Path run, Path... optionFiles) throws IOException {
        List<String> lines = new ArrayList<>(product.small());
        for (Path file : optionFiles) {
            lines.add("!include " + file.toAbsolutePath());
        }
        return Files.write(run.resolve("my.cnf"), lines);
    }

    private static List<String> command(Product product, Path dataDir, InetSocketAddress at, Path run, Path options) {
        List<String> command = new ArrayList<>(List.of(
                product.server(),
                "--defaults-file=" + options,
                "--user=" + System.getProperty("user.name"),
                "--datadir=" + dataDir.toAbsolutePath(),
                "--tmpdir=" + run,
                "--bind-address=" + at.getAddress().getHostAddress(),
                "--port=" + at.getPort(),
                "--socket=" + run.resolve("socket"),
                "--pid-file=" + run.resolve("pid")));
        NewData.firstStart(dataDir).ifPresent(file -> command.add("--init-file=" + file));
        return command;
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

    /**
     * What a server answers that has just begun to listen, which may take it long on a busy machine.
     *
     * @param question may be asked more than once
     */
    public static <T> T firstAnswer(Duration patience, Callable<T> question) throws Exception {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                return question.call();
            } catch (SqlFailure failure) {
                if (failure.kind() != SqlFailure.Kind.UNREACHABLE || System.nanoTime() - deadline > 0) {
                    throw failure;
                }
                Thread.sleep(100);
            }
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
        if (firstStart.isPresent()) {
            try {
                Files.deleteIfExists(firstStart.get());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
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

    /**
     * A signal takes effect some time after it is sent; where the system does not tell, that time is taken to be short.
     */
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
        Command.run(List.of("kill", "-" + name, Long.toString(process.pid())), "");
    }

    @Override
    public void close() {
        process.destroyForcibly();
        ended();
    }
}
