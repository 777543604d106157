package io.busbar.watcher.reflect;

import io.busbar.common.ResourceType;
import io.busbar.common.api.ApiFailure;
import java.net.URI;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Tells people once that a stream cannot be had, and why, and once that it is back; each try in between is for DEBUG
 * only.
 *
 * <p>One context, but for {@link #reason}.
 */
final class Outage {

    private static final Logger log = LoggerFactory.getLogger(Reflector.class);

    private static final int TOO_MANY_REQUESTS = 429;

    private final URI server;
    private final ResourceType resource;
    private final String namespace;
    private final LongSupplier nanos;
    private @Nullable Class<? extends ApiFailure> reported;
    private long since;
    private volatile String reason = "";

    /**
     * @param namespace empty for all
     */
    Outage(URI server, ResourceType resource, String namespace, LongSupplier nanos) {
        this.server = server;
        this.resource = resource;
        this.namespace = namespace;
        this.nanos = nanos;
    }

    void failed(ApiFailure failure, Duration retryIn) {
        if (reported == null) {
            since = nanos.getAsLong();
        }
        boolean news = !failure.getClass().equals(reported);
        reported = failure.getClass();
        reason = failure.message();
        LoggingEventBuilder line = about(news ? Level.WARN : Level.DEBUG)
                .addKeyValue("code", failure.code())
                .addKeyValue("error", failure.message());
        if (failure instanceof ApiFailure.NotFound) {
            line.log("The API server does not serve this resource (is its CRD installed?), waiting for it");
        } else if (failure instanceof ApiFailure.Rejected) {
            line.log("The API server refuses the watch (are its RBAC rules right?), trying on");
        } else if (failure instanceof ApiFailure.Gone) {
            line.log("The watch is too old or unreadable, listing again");
        } else if (failure.code() == TOO_MANY_REQUESTS) {
            line.addKeyValue("retryMillis", retryIn.toMillis()).log("The API server has too much to do, waiting");
        } else {
            line.addKeyValue("server", server)
                    .addKeyValue("retryMillis", retryIn.toMillis())
                    .log("The API server cannot be reached, trying on");
        }
    }

    /** No outage: what ended goes on at once. */
    void resumed(String why) {
        about(Level.DEBUG).addKeyValue("error", why).log("The watch ended, resuming it");
    }

    void over() {
        if (reported != null) {
            reported = null;
            reason = "";
            about(Level.INFO)
                    .addKeyValue(
                            "seconds",
                            Duration.ofNanos(nanos.getAsLong() - since).toSeconds())
                    .log("The watch is back");
        }
    }

    /** Why the stream cannot be had; empty where it can. Any thread. */
    String reason() {
        return reason;
    }

    private LoggingEventBuilder about(Level level) {
        return log.atLevel(level).addKeyValue("resource", resource).addKeyValue("namespace", namespace);
    }
}
