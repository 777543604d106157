package io.busbar.reconciler.shard;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a member asks the API server in a round. Immutable. */
sealed interface ShardRequest {

    /** How long its answer may take; more than 0. */
    Duration timeout();

    /** Writes the member's own Lease, so that it changes. */
    record Renew(Duration timeout) implements ShardRequest {}

    /** Reads the map and all members' Leases, as they are at one moment. */
    record Look(Duration timeout) implements ShardRequest {}

    /**
     * Writes the map, if it is still the one that it is made from.
     *
     * @param base the version of that; null where there is none
     */
    record Write(ShardMap map, @Nullable String base, Duration timeout) implements ShardRequest {}

    /**
     * What a look has shown.
     *
     * @param map null where there is none yet
     * @param version of the object that the map is in; null where there is no such object
     * @param leader who holds that object as a leader; empty for nobody
     * @param patience how long a leader may have it, since it was last seen to change
     * @param leases the version of each member's Lease, by its name
     */
    record Seen(
            @Nullable ShardMap map,
            @Nullable String version,
            String leader,
            Duration patience,
            Map<String, String> leases) {}
}
