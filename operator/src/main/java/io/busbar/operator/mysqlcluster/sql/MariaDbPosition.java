package io.busbar.operator.mysqlcluster.sql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The last transaction of each server in each domain, as {@code gtid_binlog_state} has it; or of each domain, as
 * {@code gtid_slave_pos} has it.
 *
 * <p>Within a domain numbers only rise, whoever writes ({@code gtid_strict_mode}); so the same number by different
 * servers is a fork.
 *
 * <p>Immutable.
 */
record MariaDbPosition(List<Gtid> last) implements Position {

    private static final Comparator<Gtid> ORDER = Comparator.comparingLong(Gtid::domain)
            .thenComparingLong(Gtid::sequence)
            .thenComparingLong(Gtid::server);

    /** One for each domain and server, in the order of servers: the latest of a domain comes last. */
    MariaDbPosition(List<Gtid> last) {
        this.last = highest(last, gtid -> List.of(gtid.domain(), gtid.server())).stream()
                .sorted(ORDER)
                .toList();
    }

    static MariaDbPosition parse(String text) {
        List<Gtid> gtids = new ArrayList<>();
        for (String gtid : text.split(",", -1)) {
            if (!gtid.isBlank()) {
                gtids.add(Gtid.parse(gtid.strip()));
            }
        }
        return new MariaDbPosition(gtids);
    }

    private static Collection<Gtid> highest(List<Gtid> gtids, Function<Gtid, Object> group) {
        Map<Object, Gtid> highest = new LinkedHashMap<>();
        for (Gtid gtid : gtids) {
            highest.merge(group.apply(gtid), gtid, (a, b) -> a.sequence() >= b.sequence() ? a : b);
        }
        return highest.values();
    }

    @Override
    public boolean isEmpty() {
        return last.isEmpty();
    }

    @Override
    public boolean contains(Position other) {
        return of(other).last.stream().allMatch(this::contains);
    }

    private boolean contains(Gtid gtid) {
        return last.stream()
                .anyMatch(mine -> mine.domain() == gtid.domain()
                        && mine.server() == gtid.server()
                        && mine.sequence() >= gtid.sequence());
    }

    @Override
    public boolean reaches(Position other) {
        return of(other).last.stream().allMatch(gtid -> sequence(gtid.domain()) >= gtid.sequence());
    }

    /** Of each domain and server the last one, where that is not there. */
    @Override
    public MariaDbPosition minus(Position other) {
        MariaDbPosition theirs = of(other);
        return only(gtid -> !theirs.contains(gtid));
    }

    @Override
    public MariaDbPosition notBy(String writer) {
        return only(gtid -> !Long.toString(gtid.server()).equals(writer));
    }

    @Override
    public MariaDbPosition upTo(Position dumped) {
        MariaDbPosition limit = of(dumped).latest();
        List<Gtid> before = new ArrayList<>(limit.last);
        before.addAll(only(gtid -> gtid.sequence() <= limit.sequence(gtid.domain())).last);
        return new MariaDbPosition(before);
    }

    /** The latest of each domain: what {@code gtid_slave_pos} and waiting take. */
    MariaDbPosition latest() {
        return new MariaDbPosition(List.copyOf(highest(last, Gtid::domain)));
    }

    /** The server's own ones that are not before what came to it. */
    MariaDbPosition own(long server, MariaDbPosition applied) {
        return only(gtid -> gtid.server() == server && gtid.sequence() > applied.sequence(gtid.domain()));
    }

    @Override
    public MariaDbPosition and(Position other) {
        List<Gtid> both = new ArrayList<>(last);
        both.addAll(of(other).last);
        return new MariaDbPosition(both);
    }

    private MariaDbPosition only(Predicate<Gtid> which) {
        return new MariaDbPosition(last.stream().filter(which).toList());
    }

    private long sequence(long domain) {
        Optional<Gtid> latest =
                last.stream().filter(gtid -> gtid.domain() == domain).max(Comparator.comparingLong(Gtid::sequence));
        return latest.map(Gtid::sequence).orElse(0L);
    }

    @Override
    public long transactions() {
        return latest().last.stream().mapToLong(Gtid::sequence).sum();
    }

    @Override
    public String text() {
        return last.stream().map(Gtid::text).collect(Collectors.joining(","));
    }

    @Override
    public String toString() {
        return text();
    }

    private static MariaDbPosition of(Position position) {
        if (position instanceof MariaDbPosition ours) {
            return ours;
        }
        throw new IllegalArgumentException("not a position of MariaDB: " + position.text());
    }

    /** One transaction. Immutable. */
    record Gtid(long domain, long server, long sequence) {

        static Gtid parse(String text) {
            String[] parts = text.split("-", -1);
            try {
                if (parts.length == 3) {
                    return new Gtid(number(parts[0]), number(parts[1]), number(parts[2]));
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("not a GTID of MariaDB: " + text, e);
            }
            throw new IllegalArgumentException("not a GTID of MariaDB: " + text);
        }

        private static long number(String digits) {
            return Long.parseLong(digits);
        }

        String text() {
            return domain + "-" + server + "-" + sequence;
        }
    }
}
