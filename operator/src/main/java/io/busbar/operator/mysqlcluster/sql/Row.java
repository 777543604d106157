package io.busbar.operator.mysqlcluster.sql;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One row of a result, as text; columns are found in any case.
 *
 * <p>Immutable.
 */
final class Row {

    private final Map<String, Optional<String>> columns;

    /**
     * @param columns empty where the value is NULL
     */
    Row(Map<String, Optional<String>> columns) {
        Map<String, Optional<String>> named = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        named.putAll(columns);
        this.columns = Collections.unmodifiableMap(named);
    }

    Optional<String> value(String column) {
        Optional<String> value = columns.get(column);
        if (value == null) {
            throw new IllegalArgumentException("no column " + column + " among " + columns.keySet());
        }
        return value;
    }

    boolean has(String column) {
        return columns.containsKey(column);
    }

    /** Of the first column, whatever its name. */
    Optional<String> only() {
        return columns.values().iterator().next();
    }

    /** Empty where NULL. */
    String text(String column) {
        return value(column).orElse("");
    }

    /** 0 where NULL. */
    long number(String column) {
        return value(column).map(Long::parseLong).orElse(0L);
    }

    /** As the variables of servers say it: {@code 1} or {@code ON}, {@code Yes} in a status. */
    boolean isOn(String column) {
        String value = text(column);
        return value.equals("1") || value.equalsIgnoreCase("ON") || value.equalsIgnoreCase("YES");
    }
}
