package io.busbar.watcher.reflect;

import java.time.Duration;
import java.util.Optional;

/**
 * How a stream is doing.
 *
 * <p>Immutable.
 *
 * @param namespace empty for all
 * @param phase what it is doing
 * @param silence since the server last gave a sign of life
 * @param bookmark since the last bookmark; empty where none has come yet
 * @param resourceVersion where it would go on; empty before the first list
 * @param relists how many lists had to be repeated, since the watch was lost
 * @param relistReason why the last of them, in the API server's words where they are; empty where there was none
 * @param failure why it cannot be had at present, in the API server's words; empty while all is well
 */
public record StreamStatus(
        String namespace,
        Phase phase,
        Duration silence,
        Optional<Duration> bookmark,
        String resourceVersion,
        int relists,
        String relistReason,
        String failure) {

    public enum Phase {
        /** All objects there are come in. */
        LISTING,
        /** Changes come in. */
        WATCHING,
        /** It is not time for the next request. */
        WAITING
    }
}
