package io.busbar.watcher;

import io.busbar.common.ResourceType;
import java.time.Duration;

/**
 * How a watch is doing.
 *
 * <p>Immutable.
 *
 * @param name as in metrics
 * @param synced whether the first list has been stored, of all namespaces
 * @param objects how many are stored
 * @param staleness since the API server last gave a sign of life, on the stream where that is longest ago; with bookmarks,
 *     about a minute at most while all is well
 * @param failure why one of its streams cannot be had at present, in the API server's words; empty while all is well
 */
public record WatchStatus(
        String name, ResourceType resource, boolean synced, int objects, Duration staleness, String failure) {}
