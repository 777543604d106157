package io.busbar.reconciler.leader;

/**
 * Whether may be sent what a reconcile sends by other means than the client of its context, such as SQL, or a call of
 * a cloud's API. A permit for one object belongs to the thread of its reconcile; other threads that help it are given
 * it by {@link #carried}.
 *
 * <p>Any thread; takes no time.
 */
@FunctionalInterface
public interface Permit {

    /**
     * To be called right before each such request: a replica that was frozen or cut off, and leads no more, must not
     * send it, nor one whose object is another replica's by now.
     *
     * @param request what is to be sent, for people; without secrets
     * @throws FencedException where it must not be sent; not to be caught: the reconcile ends
     */
    void pass(String request);

    /** The same work with the permit of this thread, for another thread. */
    default Runnable carried(Runnable work) {
        return work;
    }

    /** Of one that nobody else can stand in for. */
    static Permit always() {
        return request -> {};
    }
}
