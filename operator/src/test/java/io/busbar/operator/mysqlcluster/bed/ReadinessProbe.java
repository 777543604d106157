package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Probe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether a container that runs is ready: a database server when its port takes connections, anything else at once. A
 * server that is ready is asked at the pace of its Pod's probe, one that isn't each time.
 *
 * <p>One thread; blocks for a moment.
 */
final class ReadinessProbe {

    private static final Duration DEFAULT_PERIOD = Duration.ofSeconds(10);
    private static final int PATIENCE_MILLIS = 500;

    private final InetSocketAddress address;
    private final boolean server;
    private final Duration period;
    private boolean ready;
    private Instant asked = Instant.MIN;

    ReadinessProbe(String ip, Container container) {
        this.address = new InetSocketAddress(ip, Addresses.PORT);
        this.server = ServerImage.serves(container);
        this.period = Optional.ofNullable(container.getReadinessProbe())
                .map(Probe::getPeriodSeconds)
                .map(Duration::ofSeconds)
                .orElse(DEFAULT_PERIOD);
    }

    /** Forgets what the container before was like. */
    void restart() {
        ready = false;
        asked = Instant.MIN;
    }

    boolean isReady() {
        Instant now = Instant.now();
        if (!ready || now.isAfter(asked.plus(period))) {
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
