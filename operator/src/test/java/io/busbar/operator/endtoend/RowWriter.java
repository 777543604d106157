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
 * A user's program: it inserts rows with rising numbers at whoever the Service of the primary leads to, each in a transaction of its own, and
 * remembers those that were acknowledged. A number whose fate is unknown is not used again.
 *
 * <p>Threads of its own; read once it has ended.
 */
final class RowWriter {

    static final String TABLE = "ledger.entries";

    private static final String USER = "program";
    private static final int PAUSE_MILLIS = 8;
    private static final int RETRY_MILLIS = 50;

    private final Databases databases;
    private final String name;
    private final AtomicLong numbers = new AtomicLong();
    private final Queue<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads;
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

    private RowWriter(Databases databases, String name, int connections) {
        this.databases = databases;
        this.name = name;
        this.threads = IntStream.range(0, connections)
                .mapToObj(i -> new Thread(this::write, "writer-" + i))
                .toList();
    }

    /**
     * Makes a table and an account that may write to it, and begins.
     *
     * @param name of the cluster, which has a primary
     */
    static RowWriter start(Databases databases, String name, int connections) {
        String primary = String.valueOf(databases.status(name).currentPrimary());
        databases.query(name, primary, "CREATE DATABASE ledger");
        databases.query(name, primary, "CREATE TABLE " + TABLE + " (number BIGINT PRIMARY KEY)");
        databases.query(name, primary, "CREATE USER " + USER + "@'%' IDENTIFIED BY '" + USER + "'");
        databases.query(name, primary, "GRANT INSERT, SELECT ON ledger.* TO " + USER + "@'%'");
        RowWriter writer = new RowWriter(databases, name, connections);
        writer.threads.forEach(Thread::start);
        return writer;
    }

    Collection<Acknowledged> acknowledged() {
        return acknowledged;
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
        try (SqlClient client = SqlClient.connect(databases.vertx(), address, USER, USER)) {
            while (!ends) {
                long number = numbers.incrementAndGet();
                long began = System.nanoTime();
                client.query("INSERT INTO " + TABLE + " VALUES (" + number + ")");
                acknowledged.add(new Acknowledged(number, began, System.nanoTime()));
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
