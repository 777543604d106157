package io.busbar.admission.server;

import io.vertx.core.VertxOptions;
import java.time.Duration;

/**
 * How the webhook server listens, and what it puts up with.
 *
 * <p>Immutable; each method returns a changed copy.
 *
 * @param host the address to listen on
 * @param port 0 for any free one
 * @param instances how many event loops answer
 * @param maxReviewBytes of a body; larger ones are answered 413
 * @param timeout for the body to arrive, where the request names none; the API server's own default
 * @param idleTimeout after which a connection without a request is closed
 * @param drainTimeout how long requests in flight may take at the end
 * @param http2 whether clients may choose HTTP/2
 */
public record AdmissionServerOptions(
        String host,
        int port,
        int instances,
        int maxReviewBytes,
        Duration timeout,
        Duration idleTimeout,
        Duration drainTimeout,
        boolean http2) {

    /** All addresses, port 9443, one instance for each event loop, 7 MiB, 10 s, 2 min idle, 10 s to drain, no HTTP/2. */
    public static AdmissionServerOptions defaults() {
        return new AdmissionServerOptions(
                "0.0.0.0",
                9443,
                VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE,
                7 * 1024 * 1024,
                Duration.ofSeconds(10),
                Duration.ofMinutes(2),
                Duration.ofSeconds(10),
                false);
    }

    public AdmissionServerOptions {
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("port: " + port);
        }
        if (instances < 1) {
            throw new IllegalArgumentException("instances: " + instances);
        }
        if (maxReviewBytes < 1) {
            throw new IllegalArgumentException("maxReviewBytes: " + maxReviewBytes);
        }
    }

    public AdmissionServerOptions on(String newHost, int newPort) {
        return new AdmissionServerOptions(
                newHost, newPort, instances, maxReviewBytes, timeout, idleTimeout, drainTimeout, http2);
    }

    public AdmissionServerOptions withInstances(int number) {
        return new AdmissionServerOptions(
                host, port, number, maxReviewBytes, timeout, idleTimeout, drainTimeout, http2);
    }

    public AdmissionServerOptions withTimeouts(Duration newTimeout, Duration newIdleTimeout, Duration newDrainTimeout) {
        return new AdmissionServerOptions(
                host, port, instances, maxReviewBytes, newTimeout, newIdleTimeout, newDrainTimeout, http2);
    }

    public AdmissionServerOptions withHttp2(boolean allowed) {
        return new AdmissionServerOptions(
                host, port, instances, maxReviewBytes, timeout, idleTimeout, drainTimeout, allowed);
    }
}
