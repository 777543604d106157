package io.busbar.common.watch;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What others have written that a watch is to show before somebody goes on from there.
 *
 * <p>Immutable.
 *
 * @param until the moment by {@link System#nanoTime()} until which they may have written
 * @param versions the newest resourceVersions that they have written, by type, such as {@code statefulsets.apps}, since
 *     the watch was last found to show all; a type is missing of which they have written nothing. Null where that is
 *     not known
 */
public record OthersWrites(long until, @Nullable Map<String, String> versions) {

    public OthersWrites {
        versions = versions == null ? null : Map.copyOf(versions);
    }

    /** Nothing more is known of them. */
    public static OthersWrites until(long moment) {
        return new OthersWrites(moment, null);
    }

    /** All of them are known. */
    public static OthersWrites known(long moment, Map<String, String> versions) {
        return new OthersWrites(moment, versions);
    }
}
