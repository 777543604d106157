package io.busbar.runtime.assembly;

import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.BusCodec;
import io.busbar.runtime.options.BindAddress;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.Shareable;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What an operator has for itself in its Vert.x, in which others may run: addresses, ports, a registry of
 * metrics. Two servers of one Vert.x that listen on one port would not be refused, but take turns with what comes; and
 * of two gauges of one name, the second would count for nothing.
 *
 * <p>Any thread; to be released once, when the operator has stopped.
 */
final class VertxScope {

    private static final String MAP = "busbar.operators";

    private final Vertx vertx;
    private final String scope;
    private final Queue<Object> taken = new ConcurrentLinkedQueue<>();

    private record Metrics(MeterRegistry meters) implements Shareable {}

    private VertxScope(Vertx vertx, String scope) {
        this.vertx = vertx;
        this.scope = scope;
    }

    /** The first operator of a Vert.x has the standard addresses, and others numbered ones. */
    static VertxScope take(Vertx vertx) {
        BusCodec.registerAll(vertx.eventBus());
        int number = 1;
        VertxScope free = new VertxScope(vertx, "");
        while (!free.put("scope " + free.scope)) {
            number++;
            free = new VertxScope(vertx, String.valueOf(number));
        }
        return free;
    }

    Addresses addresses() {
        return Addresses.of(scope);
    }

    /**
     * Keeps others from listening there; a free port needs no such thing.
     *
     * @throws IOException when another operator in this Vert.x listens there
     */
    void take(BindAddress address) throws IOException {
        String where = address.host() + ":" + address.port();
        if (address.enabled() && address.port() > 0 && !taken.contains(where) && !put(where)) {
            throw new IOException("cannot listen on " + where + ": another operator in this Vert.x does");
        }
    }

    /**
     * Keeps others from counting there.
     *
     * @throws IllegalArgumentException when another operator in this Vert.x does
     */
    void take(MeterRegistry meters) {
        if (!put(new Metrics(meters))) {
            throw new IllegalArgumentException("another operator in this Vert.x has the same registry of metrics;"
                    + " allowed: one of its own for each, such as Telemetry.registry()");
        }
    }

    void release() {
        for (Object one = taken.poll(); one != null; one = taken.poll()) {
            vertx.sharedData().getLocalMap(MAP).remove(one);
        }
    }

    private boolean put(Object what) {
        boolean free = vertx.sharedData().<Object, Boolean>getLocalMap(MAP).putIfAbsent(what, true) == null;
        if (free) {
            taken.add(what);
        }
        return free;
    }
}
