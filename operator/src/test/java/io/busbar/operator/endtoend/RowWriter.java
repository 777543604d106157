package io.busbar.operator.endtoend;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
    private final String user;
    private final String password;
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

    private RowWriter(Databases databases, String name, int connections, String user, String password) {
        this.databases = databases;
        this.name = name;
        this.user = user;
        this.password = password;
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
        return start(new RowWriter(
                databases,
                name,
                connections,
                databases.password(name, "application-username"),
                databases.password(name, "application-password")));
    }

    /** As root, which no program should be: MariaDB lets it write to servers that are read-only. */
    static RowWriter startAsRoot(Databases databases, String name, int connections) {
        return start(new RowWriter(databases, name, connections, "root", databases.password(name, "root-password")));
    }

    private static RowWriter start(RowWriter writer) {
        Databases databases = writer.databases;
        databases.eventually(() -> {
            String primary = String.valueOf(databases.status(writer.name).currentPrimary());
            try (SqlClient client =
                    SqlClient.connect(databases.vertx(), databases.address(primary), writer.user, writer.password)) {
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
                Optional<String> address = databases.serviceAddress(name, "primary");
                if (address.isPresent()) {
                    writeTo(address.get());
                }
            } catch (IllegalStateException | KubernetesClientException away) {
                // As programs do: again.
            }
            pause(RETRY_MILLIS);
        }
    }

    private void writeTo(String address) {
        try (SqlClient client = SqlClient.connect(databases.vertx(), address, user, password)) {
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
