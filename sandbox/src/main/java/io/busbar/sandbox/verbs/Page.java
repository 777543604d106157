package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.select.ShardSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One answer to a list.
 *
 * <p>Immutable; the objects are shared.
 *
 * @param revision as of which all pages are
 * @param continuation for the next page; empty on the last
 * @param remaining how many follow; 0 when nobody counted
 * @param shard which ranges it is of; null for all
 */
public record Page(
        List<ObjectNode> items,
        long revision,
        String continuation,
        long remaining,
        @Nullable ShardSelector shard) {

    /** The same page with its items in another form. */
    Page of(List<ObjectNode> converted) {
        return new Page(converted, revision, continuation, remaining, shard);
    }
}
