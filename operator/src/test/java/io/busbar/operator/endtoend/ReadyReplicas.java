package io.busbar.operator.endtoend;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a Deployment's Pods have from a kubelet and a Service: each is asked again and again whether it is ready, and
 * connections to one address reach those that were ready at the last probe, in turn. One that is asked to end is taken
 * out once the nodes have heard of it; one that ends by itself, by a probe.
 *
 * <p>Any thread. A connection goes on for as long as both sides want it, as one through a Service does.
 */
final class ReadyReplicas implements AutoCloseable {

    /** In a period between two probes. */
    static final int TICKS = 10;

    /** How long it takes until connections go elsewhere: kube-proxy gathers changes for about a second. */
    private static final Duration HEARD = Duration.ofSeconds(2);

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Duration timeout;
    private final ServerSocket front;
    private final List<Replica> replicas = new CopyOnWriteArrayList<>();
    private final AtomicInteger ticks = new AtomicInteger();
    private final AtomicInteger turn = new AtomicInteger();
    private final ScheduledExecutorService kubelet = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService connections = Executors.newCachedThreadPool();

    /** One process of the operator. */
    static final class Replica {

        private final Process process;
        private final int webhookPort;
        private final int healthPort;
        private volatile boolean ready;
        /** By {@link System#nanoTime()}; null as long as it is to go on. */
        private volatile Long terminated;

        /** Serves on ports of this machine. */
        Replica(Process process, int webhookPort, int healthPort) {
            this.process = process;
            this.webhookPort = webhookPort;
            this.healthPort = healthPort;
        }

        boolean isReady() {
            return ready;
        }

        private boolean isInService() {
            Long asked = terminated;
            return ready && (asked == null || System.nanoTime() - asked < HEARD.toNanos());
        }

        boolean isAlive() {
            return process.isAlive();
        }

        /** Asks it to end, as a kubelet does. */
        void terminate() {
            terminated = System.nanoTime();
            process.destroy();
        }

        void kill() {
            process.destroyForcibly();
        }
    }

    /**
     * @param period between two probes
     * @param timeout of a probe
     */
    ReadyReplicas(Duration period, Duration timeout) throws IOException {
        this.timeout = timeout;
        this.front = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        connections.execute(this::accept);
        var unused = kubelet.scheduleWithFixedDelay(
                this::tick, 0, period.dividedBy(TICKS).toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Where the replicas are reached. */
    String url() {
        return "https://127.0.0.1:" + front.getLocalPort();
    }

    /** A clock that goes as slow as the machine: so many {@link #TICKS} pass between two probes. */
    int ticks() {
        return ticks.get();
    }

    void add(Replica replica) {
        replicas.add(replica);
    }

    /** Those that have not ended. */
    List<Replica> alive() {
        return replicas.stream().filter(Replica::isAlive).toList();
    }

    private void tick() {
        if (ticks.getAndIncrement() % TICKS == 0) {
            probe();
        }
    }

    private void probe() {
        for (Replica replica : replicas) {
            replica.ready = replica.isAlive() && answers(replica);
        }
        replicas.removeIf(replica -> !replica.isAlive());
    }

    private boolean answers(Replica replica) {
        try {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + replica.healthPort + "/readyz"))
                    .timeout(timeout)
                    .build();
            return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException notThere) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void accept() {
        while (!front.isClosed()) {
            try {
                Socket client = front.accept();
                connections.execute(() -> connect(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        List<Replica> ready = replicas.stream().filter(Replica::isInService).toList();
        try {
            if (ready.isEmpty()) {
                client.close();
                return;
            }
            Replica next = ready.get(Math.floorMod(turn.getAndIncrement(), ready.size()));
            Socket server = new Socket(InetAddress.getLoopbackAddress(), next.webhookPort);
            connections.execute(() -> copy(server, client));
            copy(client, server);
        } catch (IOException refused) {
            close(client);
        }
    }

    /** Until one of them closes; then both do. */
    private static void copy(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException closed) {
            // The other direction ends with it.
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    @Override
    public void close() throws IOException {
        kubelet.shutdownNow();
        replicas.forEach(Replica::kill);
        front.close();
        connections.shutdown();
    }
}
