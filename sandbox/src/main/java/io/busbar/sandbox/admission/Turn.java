package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who of one sort is asked about a request, in the first round and in the second: there only those that were asked in
 * the first and want to know of changes that others made after them. One context; of one request.
 */
public final class Turn {

    private final Set<String> asked = new HashSet<>();
    private final Set<String> due = new HashSet<>();
    private @Nullable ObjectNode left;
    private boolean second;
    private boolean begun;
    private boolean changed;

    void begin(@Nullable ObjectNode object) {
        second = begun;
        begun = true;
        if (second && !Objects.equals(left, object)) {
            recall();
        }
    }

    void end(@Nullable ObjectNode object) {
        left = object;
    }

    /** Whether somebody is not asked in this round. */
    public boolean passes(String who) {
        return second && !due.contains(who);
    }

    /** Somebody was asked who wants to know what others change after that. */
    public void asked(String who) {
        asked.add(who);
    }

    /** The one asked last has changed the object. */
    public void change() {
        changed = true;
        recall();
    }

    boolean changed() {
        return changed;
    }

    private void recall() {
        due.addAll(asked);
        asked.clear();
    }
}
