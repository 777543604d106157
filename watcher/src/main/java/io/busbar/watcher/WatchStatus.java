package io.busbar.watcher;

import io.busbar.common.ResourceType;
import io.busbar.watcher.reflect.StreamStatus;
import java.time.Duration;
import java.util.List;

/**
 * How a watch is doing.
 *
 * <p>Immutable.
 *
 * @param name as in metrics
 * @param synced whether the first list has been stored, of all namespaces
 * @param objects how many are stored
 * @param bytes of their JSON
 * @param staleness since the API server last gave a sign of life, on the stream where that is longest ago; with
 *     bookmarks, about a minute at most while all is well
 * @param failure why one of its streams cannot be had at present, in the API server's words; empty while all is well
 * @param streams one, or one for each namespace
 */
public record WatchStatus(
        String name,
        ResourceType resource,
        boolean synced,
        int objects,
        long bytes,
        Duration staleness,
        String failure,
        List<StreamStatus> streams) {

    public WatchStatus {
        streams = List.copyOf(streams);
    }
}
