package io.busbar.admission.server;

import java.util.Map;
import java.util.Set;

/**
 * What is answered where, at one time.
 *
 * <p>Immutable.
 *
 * @param webhooks by path
 * @param waiting paths where webhooks are going to be, to whom the API server may come back
 */
record Routes(Map<String, Webhook> webhooks, Set<String> waiting) {

    Routes {
        webhooks = Map.copyOf(webhooks);
        waiting = Set.copyOf(waiting);
    }
}
