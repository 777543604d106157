package io.busbar.operator.mysqlcluster.sql;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A copy of another server's data files that a server is being given, until it is accepted. The server keeps by itself
 * that it is not accepted yet, through crashes and through the exchange of its data.
 *
 * <p>Immutable.
 *
 * @param message for people: how far it has come, or why it was broken off
 * @param position of one that is whole: the last transaction that it holds, which its server has to be told; empty
 *     where the server knows it by itself
 */
public record PhysicalCopy(Stage stage, String message, Optional<String> position) {

    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*");

    private static final String MARIADB = "MariaDB";

    /** The first patch of 8.0 that copies from other patches of its series. */
    private static final int ANY_PATCH = 37;

    /** How far it has come. */
    public enum Stage {
        /** It begins when the server's Pod is made anew. */
        WAITING,
        UNDER_WAY,
        /** What the server has may be anything between all that it had and nothing. */
        BROKEN_OFF,
        /** The server has all that the other one had, its position included. */
        WHOLE
    }

    public PhysicalCopy(Stage stage, String message) {
        this(stage, message, Optional.empty());
    }

    /** Whether a server of this version takes a copy only while its Pod is made anew. */
    public static boolean needsNewPod(String version) {
        return version.contains(MARIADB);
    }

    /**
     * Whether servers of these versions, as they tell them, make such copies of one another. What follows the numbers
     * says how a server was built, and of MariaDB's whether it writes logs.
     */
    public static boolean isPossible(String from, String to) {
        Matcher one = RELEASE.matcher(from);
        Matcher other = RELEASE.matcher(to);
        boolean isMariaDb = needsNewPod(from);
        return one.matches()
                && other.matches()
                && isMariaDb == needsNewPod(to)
                && one.group(1).equals(other.group(1))
                && one.group(2).equals(other.group(2))
                && (one.group(3).equals(other.group(3)) || (!isMariaDb && takesAnyPatch(one) && takesAnyPatch(other)));
    }

    private static boolean takesAnyPatch(Matcher release) {
        boolean isFirstSeries = release.group(1).equals("8") && release.group(2).equals("0");
        return !isFirstSeries || Integer.parseInt(release.group(3)) >= ANY_PATCH;
    }
}
