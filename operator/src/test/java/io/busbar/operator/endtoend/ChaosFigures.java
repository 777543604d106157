package io.busbar.operator.endtoend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A run in numbers. Pure; any thread. */
final class ChaosFigures {

    /** Writers may be held up for that long after the status says that a switchover is done. */
    private static final long AFTER_SWITCHOVER = Duration.ofSeconds(2).toNanos();

    private final FaultRecord record;
    private final List<RowWriter.Acknowledged> byEnd;

    /** For rows that were sent at a time or later, when the first of them was acknowledged. */
    private final NavigableMap<Long, Long> firstEndByBegan = new TreeMap<>();

    ChaosFigures(FaultRecord record, Collection<RowWriter.Acknowledged> acknowledged) {
        this.record = record;
        this.byEnd = acknowledged.stream()
                .sorted(Comparator.comparingLong(RowWriter.Acknowledged::ended))
                .toList();
        List<RowWriter.Acknowledged> byBegan = new ArrayList<>(byEnd);
        byBegan.sort(Comparator.comparingLong(RowWriter.Acknowledged::began).reversed());
        long first = Long.MAX_VALUE;
        for (RowWriter.Acknowledged one : byBegan) {
            first = Math.min(first, one.ended());
            firstEndByBegan.put(one.began(), first);
        }
    }

    /** A table, in ms. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(line("time to the next acknowledged row after", "times", "median", "p99", "worst"));
        byKind(true).forEach((kind, times) -> lines.add(line(kind, times)));
        lines.add(line("any, of a whole cluster", all(true)));
        byKind(false).forEach((kind, times) -> lines.add(line(kind + ", amid others", times)));
        lines.add(line("any, amid others", all(false)));
        List<Long> gaps = record.switchovers().stream().map(this::gap).toList();
        lines.add(line("switchover done: its longest gap of writes", gaps));
        lines.add("gap of each switchover: " + gaps);
        return lines;
    }

    private Map<String, List<Long>> byKind(boolean alone) {
        return record.faults().stream()
                .filter(fault -> fault.alone() == alone)
                .collect(Collectors.groupingBy(
                        FaultRecord.Fault::kind,
                        TreeMap::new,
                        Collectors.mapping(fault -> waitAfter(fault.at()), Collectors.toList())));
    }

    private List<Long> all(boolean alone) {
        return byKind(alone).values().stream().flatMap(List::stream).toList();
    }

    /** Until a row was acknowledged that was sent after that time. */
    private long waitAfter(long time) {
        Map.Entry<Long, Long> next = firstEndByBegan.higherEntry(time);
        return next == null ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.toMillis(next.getValue() - time);
    }

    /** The longest time without an answer between those before and after. */
    private long gap(FaultRecord.Switchover switchover) {
        long before = switchover.asked();
        long longest = 0;
        for (RowWriter.Acknowledged one : byEnd) {
            if (one.ended() > switchover.asked()) {
                longest = Math.max(longest, one.ended() - before);
                before = one.ended();
                if (before > switchover.seen() + AFTER_SWITCHOVER) {
                    break;
                }
            }
        }
        return TimeUnit.NANOSECONDS.toMillis(longest);
    }

    private static String line(String kind, List<Long> times) {
        if (times.isEmpty()) {
            return line(kind, "0", "", "", "");
        }
        List<Long> sorted = times.stream().sorted().toList();
        return line(
                kind,
                Integer.toString(sorted.size()),
                text(sorted.get(sorted.size() / 2)),
                text(sorted.get((int) Math.ceil(sorted.size() * 0.99) - 1)),
                text(sorted.get(sorted.size() - 1)));
    }

    private static String text(long millis) {
        return millis == Long.MAX_VALUE ? "never" : Long.toString(millis);
    }

    private static String line(String kind, String times, String median, String p99, String worst) {
        return "%-44s %6s %8s %8s %8s".formatted(kind, times, median, p99, worst);
    }
}
