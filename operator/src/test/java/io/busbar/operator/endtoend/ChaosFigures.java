package io.busbar.operator.endtoend;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A run in numbers. Pure, but for what it asks of the cluster; any thread. */
record ChaosFigures(Databases databases, String name) {

    private static final List<String> REASONS = List.of(
            "FailoverStarted",
            "FailoverCompleted",
            "FailoverFailed",
            "SwitchoverCompleted",
            "SwitchoverFailed",
            "MemberDiverged",
            "MemberRecloned",
            "CloneFailed",
            "SplitBrain");

    /**
     * @param lost when the primary's server was ended, for each way to do so
     */
    void tell(Journal journal, Map<String, List<Long>> lost, Collection<RowWriter.Acknowledged> acknowledged) {
        journal.counts().forEach((kind, count) -> journal.note(kind + ": " + count));
        REASONS.forEach(reason -> journal.note(reason + ": " + databases.told(name, reason)));
        journal.note("failovers: " + databases.status(name).failover().count());
        journal.note("rows acknowledged: " + acknowledged.size());
        NavigableMap<Long, Long> endedByBegan = new TreeMap<>();
        acknowledged.forEach(one -> endedByBegan.merge(one.began(), one.ended(), Math::min));
        lost.forEach((way, times) -> journal.note(
                "from primary " + way + " to the next acknowledged row: " + describe(waits(times, endedByBegan))));
    }

    /** In ms, in order; until a row was written that was sent after it. */
    private static List<Long> waits(List<Long> lost, NavigableMap<Long, Long> endedByBegan) {
        return lost.stream()
                .filter(time -> endedByBegan.higherEntry(time) != null)
                .map(time -> TimeUnit.NANOSECONDS.toMillis(
                        endedByBegan.higherEntry(time).getValue() - time))
                .sorted()
                .toList();
    }

    private static String describe(List<Long> waits) {
        return waits.isEmpty()
                ? "never"
                : waits.size() + " times, median " + waits.get(waits.size() / 2) + " ms, longest "
                        + waits.get(waits.size() - 1) + " ms";
    }
}
