package io.busbar.operator.endtoend;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * A user's program: it inserts rows with rising numbers at whoever the Service of the primary leads to, each in a
 * transaction of its own, and remembers those that were acknowledged. A number whose fate is unknown is not used again.
 *
 * <p>Threads of its own; read once it has ended.
 */
final class RowWriter {

    static final String TABLE = "app.entries";

    private static final int PAUSE_MILLIS = 8;
    private static final int RETRY_MILLIS = 50;

    private final Databases databases;
    private final String name;
    private final String userKey;
    private final String passwordKey;
    private final AtomicInteger denials = new AtomicInteger();
    private final AtomicLong numbers = new AtomicLong();
    private final Queue<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads;
    private final AtomicLong lastAcknowledged = new AtomicLong();
    private volatile boolean ends;

    /**
     * An answer that said yes.
     *
     * <p>Immutable.
     *
     * @param began when it was sent, by {@link System#nanoTime}
     * @param ended when the answer came
     */
    record Acknowledged(long number, long began, long ended) {}

    private RowWriter(Databases databases, String name, int connections, String userKey, String passwordKey) {
        this.databases = databases;
        this.name = name;
        this.userKey = userKey;
        this.passwordKey = passwordKey;
        this.threads = IntStream.range(0, connections)
                .mapToObj(i -> new Thread(this::write, "writer-" + i))
                .toList();
    }

    /**
     * Makes a table with the account for programs, and begins.
     *
     * @param name of the cluster, which has a primary
     */
    static RowWriter start(Databases databases, String name, int connections) {
        return start(new RowWriter(databases, name, connections, "application-username", "application-password"));
    }

    /** As root, which no program should be: MariaDB lets it write to servers that are read-only. */
    static RowWriter startAsRoot(Databases databases, String name, int connections) {
        return start(new RowWriter(databases, name, connections, "", "root-password"));
    }

    private static RowWriter start(RowWriter writer) {
        Databases databases = writer.databases;
        databases.eventually(() -> {
            String primary = String.valueOf(databases.status(writer.name).currentPrimary());
            try (SqlClient client = writer.connect(databases.pod(primary))) {
                client.query("CREATE TABLE IF NOT EXISTS " + TABLE + " (number BIGINT PRIMARY KEY)");
            }
        });
        writer.threads.forEach(Thread::start);
        return writer;
    }

    Collection<Acknowledged> acknowledged() {
        return acknowledged;
    }

    /** The highest number; 0 for none. While it writes, too. */
    long lastAcknowledged() {
        return lastAcknowledged.get();
    }

    private void write() {
        while (!ends) {
            try {
                Optional<Pod> primary = databases.servicePod(name, "primary");
                if (primary.isPresent()) {
                    writeTo(primary.get());
                }
            } catch (IllegalStateException | KubernetesClientException away) {
                // As programs do: again.
            }
            pause(RETRY_MILLIS);
        }
    }

    private void writeTo(Pod primary) {
        try (SqlClient client = connect(primary)) {
            while (!ends) {
                long number = numbers.incrementAndGet();
                long began = System.nanoTime();
                client.query("INSERT INTO " + TABLE + " VALUES (" + number + ")");
                acknowledged.add(new Acknowledged(number, began, System.nanoTime()));
                lastAcknowledged.accumulateAndGet(number, Math::max);
                pause(PAUSE_MILLIS);
            }
        }
    }

    /** With what the Secret has at this moment. */
    private SqlClient connect(Pod primary) {
        String user = userKey.isEmpty() ? "root" : databases.password(name, userKey);
        try {
            return databases.connectBriefly(primary, user, databases.password(name, passwordKey));
        } catch (IllegalStateException refused) {
            if (String.valueOf(refused.getMessage()).contains("denied")) {
                denials.incrementAndGet();
            }
            throw refused;
        }
    }

    /** How often it was denied what the Secret had: by a server without data, as long as nobody has introduced it. */
    int denials() {
        return denials.get();
    }

    private void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            ends = true;
        }
    }

    void end() throws InterruptedException {
        ends = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
