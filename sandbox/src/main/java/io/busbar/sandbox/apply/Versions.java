package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * The versions of a kind: owners speak of fields in the version that they wrote.
 *
 * <p>One thread.
 */
public interface Versions {

    /** The object in another version, or as it is in its own; null where that is served no more. */
    @Nullable
    ObjectNode convert(ObjectNode object, String apiVersion);

    /** The shape of objects in a version that {@link #convert} knows. */
    ListTopology lists(String apiVersion);

    /** What a write to the subresource in question counts for, in a version that {@link #convert} knows. */
    FieldFilter filter(String apiVersion);

    /**
     * Whether what a manager gave up in another version than it had it in is looked for in that version. The real
     * server does for custom resources; of an autoscaler, its only built-in kind with two versions, it lets all of it
     * stay.
     */
    boolean looksBack();

    /** Of a kind that has the same form in each version. */
    static Versions same(ListTopology lists, FieldFilter filter) {
        return new Versions() {
            @Override
            public ObjectNode convert(ObjectNode object, String apiVersion) {
                return object;
            }

            @Override
            public ListTopology lists(String apiVersion) {
                return lists;
            }

            @Override
            public FieldFilter filter(String apiVersion) {
                return filter;
            }

            @Override
            public boolean looksBack() {
                return true;
            }
        };
    }
}
