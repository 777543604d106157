package io.busbar.admission.server;

import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;

/**
 * The bodies that are arriving on one event loop, the oldest first.
 *
 * <p>One context. Those that have taken longest make way where the budget has no room: an API server sends a review at
 * once, so that they are not from one, or it is not in a hurry. Of several large bodies only so much is read at a time,
 * in turns: to decrypt them keeps the loop from reviews that are small, as most are.
 */
final class ArrivingBodies {

    /** What is read at once of a body, and of one that is alone. */
    private static final int FREE_BYTES = 64 * 1024;

    private static final int TICK_MILLIS = 10;

    /**
     * Some 3 MB in a second: a virtual machine that does not optimise much decrypts 15 MB in a second of a processor's
     * time.
     */
    private static final int BYTES_PER_TICK = 32 * 1024;

    private static final int TURNS_PER_TICK = 4;

    private final Vertx vertx;
    private final Pieces pieces = new Pieces();
    private final Set<Exchange> arriving = new LinkedHashSet<>();
    private final Set<Exchange> large = new HashSet<>();
    private final Queue<Exchange> waiting = new ArrayDeque<>();
    private int left = BYTES_PER_TICK;
    private boolean ticking;

    ArrivingBodies(Vertx vertx) {
        this.vertx = vertx;
    }

    /** What they are kept in. */
    Pieces pieces() {
        return pieces;
    }

    void begin(Exchange exchange) {
        arriving.add(exchange);
    }

    void ended(Exchange exchange) {
        arriving.remove(exchange);
        large.remove(exchange);
    }

    /** Makes the share of a body hold so many bytes, at the cost of others if need be; false where there are none. */
    boolean makeRoom(Exchange body, BodyBudget.Share share, long bytes) {
        while (!share.growTo(bytes)) {
            if (!dropOldest(body, bytes > BodyBudget.SMALL_BYTES)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Some of a body has come; it may have to wait for its turn to be read on.
     *
     * @param before how much of it came earlier
     */
    void came(Exchange exchange, long before, int bytes) {
        if (before + bytes <= FREE_BYTES) {
            return;
        }
        large.add(exchange);
        if (large.size() == 1) {
            return;
        }
        left -= bytes;
        if (!ticking) {
            ticking = true;
            vertx.setTimer(TICK_MILLIS, timer -> tick());
        }
        if (left <= 0) {
            exchange.pauseReading();
            waiting.add(exchange);
        }
    }

    private void tick() {
        boolean quiet = waiting.isEmpty() && left == BYTES_PER_TICK;
        left = BYTES_PER_TICK;
        for (int turn = 0; turn < TURNS_PER_TICK && !waiting.isEmpty(); turn++) {
            waiting.remove().resumeReading();
        }
        ticking = !quiet;
        if (ticking) {
            vertx.setTimer(TICK_MILLIS, timer -> tick());
        }
    }

    private boolean dropOldest(Exchange but, boolean large) {
        for (Iterator<Exchange> oldest = arriving.iterator(); oldest.hasNext(); ) {
            Exchange exchange = oldest.next();
            if (exchange != but && exchange.holds(large)) {
                oldest.remove();
                exchange.makeWay();
                return true;
            }
        }
        return false;
    }
}
