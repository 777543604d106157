package io.busbar.operator.mysqlcluster.sql;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A copy of another server's data files that a server is being given, until it is accepted. The server keeps by itself
 * that it is not accepted yet, through crashes and through the exchange of its data.
 *
 * <p>Immutable.
 *
 * @param message for people: how far it has come, or why it was broken off
 */
public record PhysicalCopy(Stage stage, String message) {

    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*");

    /** The first patch of 8.0 that copies from other patches of its series. */
    private static final int ANY_PATCH = 37;

    /** How far it has come. */
    public enum Stage {
        UNDER_WAY,
        /** What the server has may be anything between all that it had and nothing. */
        BROKEN_OFF,
        /** The server has all that the other one had, its position included. */
        WHOLE
    }

    /** Whether servers of these versions, as they tell them, make such copies of one another. */
    public static boolean isPossible(String from, String to) {
        Matcher one = RELEASE.matcher(from);
        Matcher other = RELEASE.matcher(to);
        if (from.contains("MariaDB") || !one.matches() || !other.matches()) {
            return false;
        }
        return from.equals(to)
                || (one.group(1).equals(other.group(1))
                        && one.group(2).equals(other.group(2))
                        && (one.group(3).equals(other.group(3)) || (takesAnyPatch(one) && takesAnyPatch(other))));
    }

    private static boolean takesAnyPatch(Matcher release) {
        boolean isFirstSeries = release.group(1).equals("8") && release.group(2).equals("0");
        return !isFirstSeries || Integer.parseInt(release.group(3)) >= ANY_PATCH;
    }
}
