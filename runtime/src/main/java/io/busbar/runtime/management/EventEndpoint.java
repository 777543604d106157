package io.busbar.runtime.management;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.ExternalChange;
import io.vertx.core.Handler;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Takes in that something outside the cluster has changed: puts it on the bus for the controllers whose event source
 * has that address, and answers 202. Another replica may be the one that reconciles: then 503, to be tried again, as
 * what only this one knew would be lost.
 *
 * <p>One context.
 */
final class EventEndpoint implements Handler<RoutingContext> {

    static final String PREFIX = "/events/";
    static final String CLUSTER_SCOPED = PREFIX + ":address/:name";
    static final String NAMESPACED = PREFIX + ":address/:namespace/:name";

    private static final Pattern TRACEPARENT = Pattern.compile("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

    private final HttpEvents events;
    private final EventBus bus;

    EventEndpoint(HttpEvents events, EventBus bus) {
        this.events = events;
        this.bus = bus;
    }

    /** What a caller must be allowed to post to: that of all objects of a source. */
    static String permission(RoutingContext request) {
        return PREFIX + request.pathParam("address");
    }

    @Override
    public void handle(RoutingContext request) {
        String address = request.pathParam("address");
        ObjectKey key = ObjectKey.of(request.pathParam("namespace"), request.pathParam("name"));
        switch (events.state(address, key)) {
            case UNKNOWN -> answer(request, 404, "no controller has an event source " + address + " for HTTP");
            case CLOSED -> {
                request.response().putHeader(HttpHeaders.RETRY_AFTER, "1");
                answer(request, 503, "this replica does not reconcile, or not yet: try again");
            }
            case OPEN -> {
                String parent = Objects.requireNonNullElse(request.request().getHeader("traceparent"), "");
                bus.publish(
                        address,
                        new ExternalChange(key, TRACEPARENT.matcher(parent).matches() ? parent : ""));
                answer(request, 202, "accepted: " + key);
            }
        }
    }

    private static void answer(RoutingContext request, int code, String text) {
        request.response()
                .setStatusCode(code)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end(text + "\n");
    }
}
