package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.util.Collection;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A position that lies far beyond all that a cluster ever had. A primary whose data was replaced begins there: a member
 * that comes back with older data, even years later, asks for transactions that nobody has, and is given a copy; were
 * their numbers used again, it would follow as if nothing had been. Pure; any thread.
 */
final class Beyond {

    /** More than a member that cannot be asked may have written by itself. */
    private static final long MARGIN = 1_000_000;

    private static final Pattern MARIADB = Pattern.compile("(\\d+)-\\d+-(\\d+)");
    private static final Pattern MYSQL = Pattern.compile(
            "([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?::[a-z]\\w*)?)((?::\\d+(?:-\\d+)?)+)");
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private Beyond() {}

    /**
     * @param serverId of the primary
     * @param positions as servers write them
     * @return empty when all of these are
     */
    static String all(Flavor flavor, long serverId, Collection<String> positions) {
        TreeMap<String, Long> last = new TreeMap<>();
        for (String position : positions) {
            Matcher matcher = (flavor == Flavor.MARIADB ? MARIADB : MYSQL).matcher(position);
            matcher.results().forEach(found -> last.merge(found.group(1), highest(found), Math::max));
        }
        return last.entrySet().stream()
                .map(entry -> flavor == Flavor.MARIADB
                        ? entry.getKey() + "-" + serverId + "-" + (entry.getValue() + MARGIN)
                        : entry.getKey() + ":1-" + (entry.getValue() + MARGIN))
                .collect(Collectors.joining(","));
    }

    private static long highest(MatchResult found) {
        return NUMBER.matcher(found.group(2))
                .results()
                .mapToLong(number -> Long.parseLong(number.group()))
                .max()
                .orElse(0);
    }
}
