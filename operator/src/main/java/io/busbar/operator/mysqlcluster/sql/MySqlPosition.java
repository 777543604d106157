package io.busbar.operator.mysqlcluster.sql;

import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A set of transactions by who wrote them, as {@code gtid_executed} has it: {@code uuid:1-5:7}, or with a tag, of MySQL
 * 8.4, {@code uuid:tag:1-5}.
 *
 * <p>Immutable.
 */
record MySqlPosition(SortedMap<Source, Intervals> sets) implements Position {

    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern TAG = Pattern.compile("[a-z_][a-z0-9_]{0,31}");

    MySqlPosition(SortedMap<Source, Intervals> sets) {
        this.sets = Collections.unmodifiableSortedMap(new TreeMap<>(sets));
    }

    static MySqlPosition parse(String text) {
        SortedMap<Source, Intervals> sets = new TreeMap<>();
        for (String set : text.toLowerCase(Locale.ROOT).replaceAll("\\s", "").split(",", -1)) {
            if (!set.isEmpty()) {
                parse(set, sets);
            }
        }
        return new MySqlPosition(sets);
    }

    private static void parse(String text, SortedMap<Source, Intervals> sets) {
        String[] parts = text.split(":", -1);
        if (parts.length < 2 || !UUID.matcher(parts[0]).matches()) {
            throw new IllegalArgumentException("not a set of GTIDs of MySQL: " + text);
        }
        Source source = new Source(parts[0], "");
        for (int i = 1; i < parts.length; i++) {
            if (TAG.matcher(parts[i]).matches()) {
                source = new Source(parts[0], parts[i]);
            } else {
                sets.merge(source, Intervals.parse(parts[i]), Intervals::and);
            }
        }
    }

    @Override
    public boolean isEmpty() {
        return sets.isEmpty();
    }

    @Override
    public boolean contains(Position other) {
        return of(other).sets.entrySet().stream()
                .allMatch(set -> sets.getOrDefault(set.getKey(), Intervals.NONE).contains(set.getValue()));
    }

    @Override
    public boolean reaches(Position other) {
        return contains(other);
    }

    @Override
    public MySqlPosition minus(Position other) {
        SortedMap<Source, Intervals> left = new TreeMap<>();
        sets.forEach((source, intervals) -> {
            Intervals more = intervals.minus(of(other).sets.getOrDefault(source, Intervals.NONE));
            if (!more.ranges().isEmpty()) {
                left.put(source, more);
            }
        });
        return new MySqlPosition(left);
    }

    @Override
    public MySqlPosition notBy(String writer) {
        SortedMap<Source, Intervals> others = new TreeMap<>(sets);
        others.keySet().removeIf(source -> source.uuid().equals(writer.toLowerCase(Locale.ROOT)));
        return new MySqlPosition(others);
    }

    /** The dump's, which is whole in itself. */
    @Override
    public MySqlPosition upTo(Position dumped) {
        return of(dumped);
    }

    /** What that server wrote. */
    MySqlPosition by(String uuid) {
        SortedMap<Source, Intervals> its = new TreeMap<>(sets);
        its.keySet().removeIf(source -> !source.uuid().equals(uuid.toLowerCase(Locale.ROOT)));
        return new MySqlPosition(its);
    }

    @Override
    public MySqlPosition and(Position other) {
        SortedMap<Source, Intervals> both = new TreeMap<>(sets);
        of(other).sets.forEach((source, intervals) -> both.merge(source, intervals, Intervals::and));
        return new MySqlPosition(both);
    }

    @Override
    public long transactions() {
        return sets.values().stream().mapToLong(Intervals::count).sum();
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        String uuid = "";
        for (var set : sets.entrySet()) {
            Source source = set.getKey();
            if (!source.uuid().equals(uuid)) {
                uuid = source.uuid();
                text.append(text.isEmpty() ? "" : ",").append(uuid);
            }
            text.append(source.tag().isEmpty() ? "" : ":" + source.tag())
                    .append(':')
                    .append(set.getValue().text());
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return text();
    }

    private static MySqlPosition of(Position position) {
        if (position instanceof MySqlPosition ours) {
            return ours;
        }
        throw new IllegalArgumentException("not a position of MySQL: " + position.text());
    }

    /**
     * Whose numbers they are. Immutable.
     *
     * @param tag empty for none, which comes first
     */
    record Source(String uuid, String tag) implements Comparable<Source> {

        @Override
        public int compareTo(Source other) {
            int byUuid = uuid.compareTo(other.uuid);
            return byUuid == 0 ? tag.compareTo(other.tag) : byUuid;
        }
    }
}
