package io.busbar.operator.mysqlcluster.bed;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;

/**
 * Whether a container that runs is ready: a database server when its port takes connections, anything else at once. A server that is
 * ready is asked once a second, one that isn't each time.
 *
 * <p>One thread; blocks for a moment.
 */
final class ReadinessProbe {

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int PATIENCE_MILLIS = 500;

    private final InetSocketAddress address;
    private final boolean server;
    private boolean ready;
    private Instant asked = Instant.MIN;

    ReadinessProbe(String ip, boolean server) {
        this.address = new InetSocketAddress(ip, Addresses.PORT);
        this.server = server;
    }

    /** Forgets what the container before was like. */
    void restart() {
        ready = false;
        asked = Instant.MIN;
    }

    boolean isReady() {
        Instant now = Instant.now();
        if (!ready || now.isAfter(asked.plus(PERIOD))) {
            asked = now;
            ready = !server || connects();
        }
        return ready;
    }

    private boolean connects() {
        try (Socket socket = new Socket()) {
            socket.connect(address, PATIENCE_MILLIS);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }
}
