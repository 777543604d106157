package io.busbar.admission.server;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The bodies that are arriving on one event loop, the oldest first.
 *
 * <p>One context. Those that have taken longest make way where the budget has no room: an API server sends a review at once, so that they are not
 * from one, or it is not in a hurry.
 */
final class ArrivingBodies {

    private final Set<Exchange> arriving = new LinkedHashSet<>();

    void begin(Exchange exchange) {
        arriving.add(exchange);
    }

    void ended(Exchange exchange) {
        arriving.remove(exchange);
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
