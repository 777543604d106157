package io.busbar.reconciler.leader;

import java.time.Duration;

/** Where an attempt has left a replica. Immutable. */
sealed interface Standing extends Step {

    /** It leads: its renewal has succeeded, or may still do so in time. */
    record Leads() implements Standing {}

    /**
     * It does not lead.
     *
     * @param patience until the lease expires, as far as this replica knows; longer than any retry when it does not
     */
    record Follows(Duration patience) implements Standing {}

    /** It may hold no lease, and writes without one. */
    record Unguarded(String reason) implements Standing {}

    /** It led, and will not any more. */
    record Lost(String reason) implements Standing {}
}
