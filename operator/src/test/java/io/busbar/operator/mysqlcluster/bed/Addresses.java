package io.busbar.operator.mysqlcluster.bed;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Addresses of the loopback net for a Node and its Pods: 127.A.0.0/16 for an A that no other Node on this machine has.
 *
 * <p>A is reserved by listening on the Node's own address. Any thread.
 */
final class Addresses implements AutoCloseable {

    static final int PORT = 3306;

    /**
     * An address, the same for the same owner for good.
     *
     * @param use held by whoever listens on it
     */
    record Address(String ip, Lock use) {}

    private final int net;
    private final ServerSocket reservation;
    private final BlackHole blackHole;
    private final AtomicInteger last = new AtomicInteger();
    private final Map<String, Address> byOwner = new ConcurrentHashMap<>();

    private Addresses(int net, ServerSocket reservation) {
        this.net = net;
        this.reservation = reservation;
        this.blackHole = new BlackHole(net);
    }

    static Addresses reserve() throws IOException {
        int first = ThreadLocalRandom.current().nextInt(254);
        for (int i = 0; i < 254; i++) {
            int net = 1 + (first + i) % 254;
            try {
                return new Addresses(net, new ServerSocket(PORT, 1, InetAddress.getByName("127." + net + ".0.1")));
            } catch (BindException taken) {
                // By another Node.
            }
        }
        throw new IOException("port " + PORT + " is taken on every address: by a server that listens on 0.0.0.0?");
    }

    String node() {
        return reservation.getInetAddress().getHostAddress();
    }

    /** Another one for each owner. */
    Address of(String owner) {
        return byOwner.computeIfAbsent(owner, key -> {
            int number = last.getAndIncrement();
            return new Address("127." + net + "." + (1 + number / 254) + "." + (1 + number % 254), new ReentrantLock());
        });
    }

    /** What is sent there from now on is lost. */
    void cutOff(String ip) {
        blackHole.swallow(ip);
    }

    /** Ends {@link #cutOff}. */
    void reconnect(String ip) {
        blackHole.release(ip);
    }

    @Override
    public void close() throws IOException {
        blackHole.close();
        reservation.close();
    }
}
