package io.busbar.watcher.reflect;

import java.time.Duration;

/**
 * What a stream is doing. One request at most is under way, none while it waits. Immutable.
 *
 * <pre>
 *            Waiting ◀── failed ── Paging ◀─┐ next page
 *              │  ▲                  │  └───┘
 *              ▼  │                  ▼ last page
 *   StreamingList ┴──────────────▶ Watching ──ended──▶ Watching
 *              end of initial events  │
 *                                     └─ failed, version lost ─▶ Waiting
 * </pre>
 */
sealed interface State {

    /** A page of a list is asked for; the first one where there is no continuation. */
    record Paging(String continuation) implements State {
        static final Paging FIRST = new Paging("");
    }

    /** A list is asked for as the beginning of a watch. */
    record StreamingList() implements State {}

    /** Changes are told, from the version on that was seen last. */
    record Watching() implements State {}

    /**
     * Nothing is asked for, until it is time for the next request.
     *
     * @param next what follows
     * @param time how long this lasts, from its beginning
     */
    record Waiting(State next, Duration time) implements State {}

    /** Whether this asks for all objects there are. */
    default boolean beginsList() {
        return this instanceof StreamingList || equals(Paging.FIRST);
    }
}
