package io.busbar.runtime.live;

import io.busbar.admission.server.ReviewLog;
import io.busbar.reconciler.shard.ShardMap;
import io.busbar.reconciler.work.Controllers;
import io.busbar.runtime.process.Program;
import io.busbar.watcher.WatchStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where the live page looks. All are asked on an event loop, and only while somebody looks.
 *
 * <p>Immutable.
 *
 * @param instance which replica this is
 * @param role what this replica may do, in a few words
 * @param shards who works on what; empty where replicas do not share the work
 * @param remarks what readiness has to say, and what keeps parts of the operator from running
 * @param watches in all clusters
 * @param reviews the last ones
 * @param certificate when that of the webhooks expires; empty where none is served
 */
public record LiveSources(
        Program program,
        String instance,
        Supplier<String> role,
        Supplier<Optional<ShardMap>> shards,
        Supplier<List<String>> remarks,
        Supplier<List<WatchStatus>> watches,
        Controllers controllers,
        ReviewLog reviews,
        Supplier<Optional<Instant>> certificate) {}
