package io.busbar.operator.mysqlcluster.sql;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What an account may do in a scope.
 *
 * <p>Immutable.
 *
 * @param privileges in the words of {@code GRANT}, in capitals
 * @param grantOption whether it may give them to others
 */
public record Rights(SortedSet<String> privileges, boolean grantOption) {

    public static final Rights NONE = new Rights(new TreeSet<>(), false);

    public Rights {
        privileges = Collections.unmodifiableSortedSet(new TreeSet<>(privileges));
    }

    public Rights(Collection<String> privileges, boolean grantOption) {
        this(new TreeSet<>(privileges), grantOption);
    }

    public boolean isEmpty() {
        return privileges.isEmpty() && !grantOption;
    }

    public Rights and(Rights others) {
        SortedSet<String> both = new TreeSet<>(privileges);
        both.addAll(others.privileges);
        return new Rights(both, grantOption || others.grantOption);
    }

    public Rights without(Rights others) {
        SortedSet<String> rest = new TreeSet<>(privileges);
        rest.removeAll(others.privileges);
        return new Rights(rest, grantOption && !others.grantOption);
    }

    public Rights among(Rights others) {
        return without(without(others));
    }

    /** For people. */
    @Override
    public String toString() {
        SortedSet<String> all = new TreeSet<>(privileges);
        if (grantOption) {
            all.add("GRANT OPTION");
        }
        return String.join(", ", all);
    }
}
