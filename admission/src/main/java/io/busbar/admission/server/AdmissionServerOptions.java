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
 * @param drainTimeout how long requests in flight may take at the end
 * @param http2 whether clients may choose HTTP/2
 */
public record AdmissionServerOptions(
        String host,
        int port,
        int instances,
        BodyLimits bodies,
        ConnectionLimits connections,
        Duration drainTimeout,
        boolean http2) {

    /** All addresses, port 9443, one instance for each event loop, the limits' defaults, 10 s to drain, no HTTP/2. */
    public static AdmissionServerOptions defaults() {
        return new AdmissionServerOptions(
                "0.0.0.0",
                9443,
                VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE,
                BodyLimits.defaults(),
                ConnectionLimits.webhooks(),
                Duration.ofSeconds(10),
                false);
    }

    public AdmissionServerOptions {
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("port: " + port + ", allowed: 0 to 65535");
        }
        if (instances < 1) {
            throw new IllegalArgumentException("instances: " + instances + ", allowed: 1 or more");
        }
    }

    public AdmissionServerOptions on(String newHost, int newPort) {
        return new AdmissionServerOptions(newHost, newPort, instances, bodies, connections, drainTimeout, http2);
    }

    public AdmissionServerOptions withInstances(int number) {
        return new AdmissionServerOptions(host, port, number, bodies, connections, drainTimeout, http2);
    }

    public AdmissionServerOptions with(BodyLimits limits) {
        return new AdmissionServerOptions(host, port, instances, limits, connections, drainTimeout, http2);
    }

    public AdmissionServerOptions with(ConnectionLimits limits) {
        return new AdmissionServerOptions(host, port, instances, bodies, limits, drainTimeout, http2);
    }

    public AdmissionServerOptions withDrainTimeout(Duration timeout) {
        return new AdmissionServerOptions(host, port, instances, bodies, connections, timeout, http2);
    }

    public AdmissionServerOptions withHttp2(boolean allowed) {
        return new AdmissionServerOptions(host, port, instances, bodies, connections, drainTimeout, allowed);
    }
}
