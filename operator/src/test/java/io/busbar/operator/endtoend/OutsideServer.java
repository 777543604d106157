package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.bed.LocalServer;
import io.busbar.operator.mysqlcluster.bed.Product;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server that no operator looks after, with an account for who is to follow it, and a program that writes there. For
 * one thread; the program has its own.
 */
final class OutsideServer implements AutoCloseable {

    static final int PORT = 3306;
    static final String TABLE = "shop.orders";

    private static final String ROOT_PASSWORD = "outside";
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int PAUSE_MILLIS = 8;
    private static final AtomicInteger LAST = new AtomicInteger();

    private final Databases databases;
    private final String address;
    private final Path data;
    private final Path[] options;
    private final AtomicLong numbers = new AtomicLong();
    private final Set<Long> acknowledged = new ConcurrentSkipListSet<>();
    private final Thread program = new Thread(this::write, "program-outside");
    private LocalServer process;
    private volatile boolean ends;

    private OutsideServer(Databases databases, String address, Path data, Path... options) throws InterruptedException {
        this.databases = databases;
        this.address = address;
        this.data = data;
        this.options = options;
        this.process = started();
    }

    /**
     * With the database {@code shop} and an account {@code mover}.
     *
     * @param more lines of its option file
     */
    static OutsideServer start(Databases databases, Path folder, String... more) throws Exception {
        Product product = databases.product();
        List<String> lines = new ArrayList<>(List.of("[mysqld]", "server_id=7", "log_bin=binlog"));
        lines.addAll(
                product == Product.MARIADB
                        ? List.of("gtid_strict_mode=ON")
                        : List.of("gtid_mode=ON", "enforce_gtid_consistency=ON"));
        lines.addAll(List.of(more));
        int number = LAST.incrementAndGet();
        Path options = Files.write(folder.resolve("outside-" + number + ".cnf"), lines);
        Path data = folder.resolve("outside-" + number);
        LocalServer.initialize(product, data, ROOT_PASSWORD);
        String network = product == Product.MARIADB ? "127.0.5." : "127.0.6.";
        OutsideServer server = new OutsideServer(databases, network + number, data, options);
        databases.eventually(() -> server.query("SELECT 1"));
        server.query("CREATE DATABASE shop");
        server.query("CREATE TABLE " + TABLE + " (number BIGINT PRIMARY KEY, note TEXT)");
        server.query("CREATE USER mover@'%' IDENTIFIED BY 'moving'");
        server.query(
                "GRANT SELECT, SHOW VIEW, TRIGGER, EVENT, RELOAD, PROCESS, REPLICATION CLIENT, REPLICATION SLAVE ON"
                        + " *.* TO mover@'%'");
        return server;
    }

    private LocalServer started() throws InterruptedException {
        LocalServer server = LocalServer.start(databases.product(), data, address, PORT, options);
        server.awaitAccepting(PATIENCE);
        return server;
    }

    String address() {
        return address;
    }

    /** As root. */
    List<String> query(String sql) {
        try (SqlClient client = SqlClient.connect(databases.vertx(), address, "root", ROOT_PASSWORD)) {
            return client.query(sql);
        }
    }

    /** It begins to insert rows with rising numbers, and goes on until it is told to end. */
    void beginToWrite() {
        program.start();
    }

    /** Numbers of the rows that were acknowledged to it. */
    Set<Long> acknowledged() {
        return acknowledged;
    }

    void endToWrite() throws InterruptedException {
        ends = true;
        program.join();
    }

    private void write() {
        while (!ends) {
            try (SqlClient client =
                    SqlClient.connect(databases.vertx(), address, "root", ROOT_PASSWORD, false, SqlClient.BRIEF)) {
                while (!ends) {
                    long number = numbers.incrementAndGet();
                    client.query("INSERT INTO " + TABLE + " VALUES (" + number + ", 'note')");
                    acknowledged.add(number);
                    Thread.sleep(PAUSE_MILLIS);
                }
            } catch (IllegalStateException away) {
                // As programs do: again.
            } catch (InterruptedException e) {
                ends = true;
            }
        }
    }

    void kill() throws InterruptedException {
        process.kill();
    }

    /** After {@link #kill}. */
    void restart() throws InterruptedException {
        process = started();
    }

    @Override
    public void close() {
        ends = true;
        program.interrupt();
        process.close();
    }
}
