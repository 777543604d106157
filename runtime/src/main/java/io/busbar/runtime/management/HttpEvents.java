package io.busbar.runtime.management;

import io.busbar.common.ObjectKey;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

/**
 * The event sources of an operator's controllers to which changes may be posted: each is known by the address that its
 * messages go to, and open once this replica reconciles.
 *
 * <p>Any thread.
 */
public final class HttpEvents {

    private final Map<String, State> states = new ConcurrentHashMap<>();
    /** Of an address and an object: whether this replica is the one to hear of that. */
    private volatile BiPredicate<String, ObjectKey> own = (address, key) -> true;

    /** How it is with an address. */
    enum State {
        /** No controller has declared it. */
        UNKNOWN,
        /** Its controllers do not run here, or not yet. */
        CLOSED,
        OPEN
    }

    HttpEvents() {}

    /** Controllers are there that will take them, once they run. */
    public void declare(Collection<String> addresses) {
        addresses.forEach(address -> states.putIfAbsent(address, State.CLOSED));
    }

    /** The controllers run. */
    public void open(Collection<String> addresses) {
        addresses.forEach(address -> states.put(address, State.OPEN));
    }

    /** Only this replica's own objects are its to hear of. */
    public void only(BiPredicate<String, ObjectKey> some) {
        own = some;
    }

    State state(String address, ObjectKey key) {
        State state = states.getOrDefault(address, State.UNKNOWN);
        return state == State.OPEN && !own.test(address, key) ? State.CLOSED : state;
    }
}
