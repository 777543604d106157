package io.busbar.operator.mysqlcluster.sql;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Numbers of transactions, as MySQL writes them: {@code 1-5:7}.
 *
 * <p>Immutable. Ranges are in order, and neither touch nor overlap.
 */
record Intervals(List<Range> ranges) {

    static final Intervals NONE = new Intervals(List.of());

    Intervals(List<Range> ranges) {
        List<Range> merged = new ArrayList<>();
        for (Range range :
                ranges.stream().sorted(Comparator.comparingLong(Range::first)).toList()) {
            int end = merged.size() - 1;
            if (end >= 0 && range.first() <= merged.get(end).last() + 1) {
                Range before = merged.get(end);
                merged.set(end, new Range(before.first(), Math.max(before.last(), range.last())));
            } else {
                merged.add(range);
            }
        }
        this.ranges = List.copyOf(merged);
    }

    /** One range: {@code 7} or {@code 1-5}. */
    static Intervals parse(String text) {
        int dash = text.indexOf('-');
        try {
            long first = Long.parseLong(dash < 0 ? text : text.substring(0, dash));
            long last = dash < 0 ? first : Long.parseLong(text.substring(dash + 1));
            if (first >= 1 && last >= first) {
                return new Intervals(List.of(new Range(first, last)));
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a range of transactions: " + text, e);
        }
        throw new IllegalArgumentException("not a range of transactions: " + text);
    }

    Intervals and(Intervals other) {
        return new Intervals(
                Stream.concat(ranges.stream(), other.ranges.stream()).toList());
    }

    /** These without those. */
    Intervals minus(Intervals other) {
        List<Range> left = new ArrayList<>();
        for (Range range : ranges) {
            long next = range.first();
            for (Range taken : other.ranges) {
                if (taken.last() >= next && taken.first() <= range.last()) {
                    if (taken.first() > next) {
                        left.add(new Range(next, taken.first() - 1));
                    }
                    next = taken.last() + 1;
                }
            }
            if (next <= range.last()) {
                left.add(new Range(next, range.last()));
            }
        }
        return new Intervals(left);
    }

    boolean contains(Intervals other) {
        return other.ranges.stream()
                .allMatch(theirs -> ranges.stream()
                        .anyMatch(mine -> mine.first() <= theirs.first() && mine.last() >= theirs.last()));
    }

    long count() {
        return ranges.stream()
                .mapToLong(range -> range.last() - range.first() + 1)
                .sum();
    }

    String text() {
        return ranges.stream().map(Range::text).collect(Collectors.joining(":"));
    }

    /** All from the first to the last, both included. Immutable. */
    record Range(long first, long last) {

        String text() {
            return first == last ? Long.toString(first) : first + "-" + last;
        }
    }
}
