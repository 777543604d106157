package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * One answer to a list.
 *
 * <p>Immutable; the objects are shared.
 *
 * @param revision as of which all pages are
 * @param continuation for the next page; empty on the last
 * @param remaining how many follow; 0 when nobody counted
 */
public record Page(List<ObjectNode> items, long revision, String continuation, long remaining) {

    /** The same page with its items in another form. */
    Page of(List<ObjectNode> converted) {
        return new Page(converted, revision, continuation, remaining);
    }
}
