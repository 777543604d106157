package io.busbar.sandbox.kinds.job;

import io.busbar.sandbox.syntax.GoText;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Indexes of an Indexed Job, such as {@code 0-2,5}: kept as they are written, since there may be two billion between
 * two ends.
 *
 * <p>Immutable.
 *
 * @param lastByFirst of each interval, in order
 */
record Indexes(NavigableMap<Integer, Integer> lastByFirst) {

    /**
     * Reads what the user or a controller has written.
     *
     * @param completions that the Job wants: no index is as large
     * @throws IllegalArgumentException in the words of the API server
     */
    static Indexes parse(String text, int completions) {
        NavigableMap<Integer, Integer> indexes = new TreeMap<>();
        for (String interval : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            String[] ends = interval.split("-", -1);
            if (ends.length > 2) {
                throw new IllegalArgumentException(
                        "the fragment " + GoText.quote(interval)
                                + " violates the requirement that an index interval can have at most two parts separated by '-'");
            }
            int first = index(ends[0], completions);
            int last = ends.length == 1 ? first : index(ends[1], completions);
            if (ends.length == 2 && first >= last) {
                throw unordered(first, last);
            }
            if (!indexes.isEmpty() && indexes.lastEntry().getValue() >= first) {
                throw unordered(indexes.lastEntry().getValue(), first);
            }
            indexes.put(first, last);
        }
        return new Indexes(indexes);
    }

    /** How many there are. */
    int size() {
        return lastByFirst.entrySet().stream()
                .mapToInt(interval -> interval.getValue() - interval.getKey() + 1)
                .sum();
    }

    /** The least index that others have, too. */
    OptionalInt firstIn(Indexes others) {
        return lastByFirst.entrySet().stream()
                .flatMapToInt(one -> others.lastByFirst.entrySet().stream()
                        .filter(other -> one.getKey() <= other.getValue() && other.getKey() <= one.getValue())
                        .mapToInt(other -> Math.max(one.getKey(), other.getKey())))
                .findFirst();
    }

    private static int index(String text, int completions) {
        if (!text.matches("[+-]?[0-9]{1,18}")) {
            throw new IllegalArgumentException("cannot convert string to integer for index: " + GoText.quote(text));
        }
        long index = Long.parseLong(text);
        if (index >= completions) {
            throw new IllegalArgumentException("too large index: " + GoText.quote(text));
        }
        return (int) index;
    }

    private static IllegalArgumentException unordered(int previous, int current) {
        return new IllegalArgumentException("non-increasing order, previous: " + previous + ", current: " + current);
    }
}
