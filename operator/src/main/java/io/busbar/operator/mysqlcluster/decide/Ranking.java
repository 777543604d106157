package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.sql.Position;
import java.util.List;

/**
 * Which of several histories holds all of the others. Compared are whole sets of transactions, never their numbers
 * alone: two servers that have as many may have others. Pure; any thread.
 */
sealed interface Ranking {

    /**
     * Somebody who has transactions.
     *
     * <p>Immutable.
     */
    record Entry(String name, Position history) {}

    /**
     * One that has all that any other one has; the first of several that have the same.
     *
     * <p>Immutable.
     */
    record Most(Entry entry) implements Ranking {}

    /**
     * Two of which each has what the other one lacks, so that choosing either would lose something.
     *
     * <p>Immutable.
     */
    record Incomparable(Entry one, Entry other) implements Ranking {

        /** Who has what, for people. */
        String reason() {
            return "only " + one.name() + " has "
                    + one.history().minus(other.history()).text() + ", and only " + other.name() + " has "
                    + other.history().minus(one.history()).text();
        }
    }

    /** There is nobody. Immutable. */
    record Nobody() implements Ranking {}

    /**
     * @param entries of one product
     */
    static Ranking of(List<Entry> entries) {
        if (entries.isEmpty()) {
            return new Nobody();
        }
        Entry most = entries.get(0);
        for (Entry entry : entries) {
            if (!most.history().contains(entry.history()) && entry.history().contains(most.history())) {
                most = entry;
            }
        }
        for (Entry entry : entries) {
            if (!most.history().contains(entry.history())) {
                return new Incomparable(most, entry);
            }
        }
        return new Most(most);
    }
}
