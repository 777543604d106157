package io.busbar.admission.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which element of a list became which of another. What is kept stays in order; all else is removed or added.
 *
 * <p>Immutable.
 */
final class ListAlignment {

    private static final int ADDED = -1;

    private final int[] origins;
    private final boolean[] kept;

    private ListAlignment(int[] origins, int sizeBefore) {
        this.origins = origins;
        this.kept = new boolean[sizeBefore];
        for (int origin : origins) {
            if (origin >= 0) {
                kept[origin] = true;
            }
        }
    }

    /**
     * Whether the lists are as long as each other, and name the same in the same places: then there is nothing to
     * align.
     */
    static boolean corresponds(ArrayNode before, ArrayNode after) {
        if (before.size() != after.size()) {
            return false;
        }
        for (int i = 0; i < before.size(); i++) {
            JsonNode old = before.get(i);
            JsonNode now = after.get(i);
            boolean sameName = old.path("name").isTextual() && old.get("name").equals(now.get("name"));
            if (!sameName && !JsonEquality.identical(old, now)) {
                return false;
            }
        }
        return true;
    }

    static ListAlignment of(ArrayNode before, ArrayNode after) {
        Map<String, Integer> named = positionsByName(before);
        if (named != null && positionsByName(after) != null) {
            return new ListAlignment(byName(named, after), before.size());
        }
        return new ListAlignment(byPlace(before, after), before.size());
    }

    /** The index that an element of the later list had in the earlier; negative for a new one. */
    int origin(int index) {
        return origins[index];
    }

    /** Whether an element of the earlier list is in the later. */
    boolean keeps(int index) {
        return kept[index];
    }

    /** Nothing is kept, and more than one operation would be needed to say so. */
    boolean rewritesAll() {
        for (boolean one : kept) {
            if (one) {
                return false;
            }
        }
        return kept.length + origins.length > 1;
    }

    /** Null unless each element is an object with a name that no other has. */
    private static @Nullable Map<String, Integer> positionsByName(ArrayNode list) {
        Map<String, Integer> positions = new HashMap<>(list.size() * 2);
        for (int i = 0; i < list.size(); i++) {
            JsonNode name = list.get(i).get("name");
            if (name == null || !name.isTextual() || positions.put(name.textValue(), i) != null) {
                return null;
            }
        }
        return positions;
    }

    private static int[] byName(Map<String, Integer> before, ArrayNode after) {
        int[] origins = new int[after.size()];
        for (int i = 0; i < origins.length; i++) {
            origins[i] = before.getOrDefault(after.get(i).get("name").textValue(), ADDED);
        }
        return withoutMoves(origins);
    }

    private static int[] byPlace(ArrayNode before, ArrayNode after) {
        int shorter = Math.min(before.size(), after.size());
        int head = 0;
        while (head < shorter && JsonEquality.same(before.get(head), after.get(head))) {
            head++;
        }
        int shift = after.size() - before.size();
        int tail = 0;
        while (tail < shorter - head
                && JsonEquality.same(before.get(before.size() - 1 - tail), after.get(after.size() - 1 - tail))) {
            tail++;
        }
        int[] origins = new int[after.size()];
        for (int i = 0; i < origins.length; i++) {
            if (i < head) {
                origins[i] = i;
            } else if (i >= origins.length - tail) {
                origins[i] = i - shift;
            } else {
                boolean paired = i < before.size() - tail && alike(before.get(i), after.get(i), head + tail > 0);
                origins[i] = paired ? i : ADDED;
            }
        }
        return origins;
    }

    /** Whether one may have become the other: both have parts of the same kind, or are values among equals. */
    private static boolean alike(JsonNode before, JsonNode after, boolean amongEquals) {
        return before.isContainerNode()
                ? before.getNodeType() == after.getNodeType()
                : amongEquals && after.isValueNode();
    }

    /** Keeps a longest run of origins that ascends, and has what was moved added anew. */
    private static int[] withoutMoves(int[] origins) {
        int[] ends = new int[origins.length];
        int[] previous = new int[origins.length];
        int length = 0;
        for (int i = 0; i < origins.length; i++) {
            if (origins[i] < 0) {
                continue;
            }
            int at = placeAmong(ends, length, origins, origins[i]);
            previous[i] = at == 0 ? ADDED : ends[at - 1];
            ends[at] = i;
            length = Math.max(length, at + 1);
        }
        int[] result = new int[origins.length];
        Arrays.fill(result, ADDED);
        for (int i = length == 0 ? ADDED : ends[length - 1]; i >= 0; i = previous[i]) {
            result[i] = origins[i];
        }
        return result;
    }

    /** The first of the runs whose end does not lie below an origin. */
    private static int placeAmong(int[] ends, int length, int[] origins, int origin) {
        int low = 0;
        int high = length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (origins[ends[middle]] < origin) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
