package io.busbar.watcher.reflect;

import io.busbar.common.api.ApiFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a request has ended.
 *
 * <p>Immutable.
 *
 * @param how in which way
 * @param failure why; null where the response came to its end in good order
 * @param nextPage where a page that was read to its end continues: empty after the last; null for whatever has not come
 *     to such an end
 * @param answered whether the server had said yes
 * @param fruitful whether it had said anything about objects
 * @param lasted since the request was sent
 * @param pause how long the server asks to be left alone; zero where it does not
 */
record Ending(
        How how,
        @Nullable ApiFailure failure,
        @Nullable String nextPage,
        boolean answered,
        boolean fruitful,
        Duration lasted,
        Duration pause) {

    enum How {
        /** The response came to its end in good order. */
        COMPLETE,
        /** The connection was lost that the request was sent on. */
        CUT,
        /** The server refuses, or cannot be reached, or is silent. */
        FAILED,
        /**
         * The server has said on a watch that it cannot go on, or what nobody can read; or what was read could not be
         * dealt with.
         */
        LOST
    }
}
