package io.busbar.testkit.memory;

import io.busbar.sandbox.http.DirectServer.Answered;
import java.io.IOException;

/**
 * What a request passes on its way to the API server: for what {@link io.busbar.sandbox.faults.Fault} has no words for,
 * such as what others do in between, or a process that ends at a certain request.
 *
 * <p>Called on the thread of the request, one at a time.
 */
@FunctionalInterface
public interface Passage {

    /**
     * A request.
     *
     * <p>Immutable.
     *
     * @param uri path and query
     * @param body empty for none
     */
    record Request(String method, String uri, String body) {}

    /** Carries a request out. */
    @FunctionalInterface
    interface Server {

        /**
         * @throws IOException when a fault has taken the answer
         */
        Answered answer() throws IOException;
    }

    /**
     * @param server to be asked once, or not at all for a request that gets lost
     * @return the server's answer
     * @throws IOException when there is to be no answer
     */
    Answered pass(Request request, Server server) throws IOException;
}
