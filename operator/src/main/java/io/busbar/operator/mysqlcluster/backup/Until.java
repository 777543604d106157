package io.busbar.operator.mysqlcluster.backup;

import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How far a server is taken beyond a backup, by the binary logs that are archived beside it: to a moment, or to a
 * position, or not at all.
 *
 * <p>Immutable; at most one is not null.
 *
 * @param pointInTime in RFC 3339
 * @param gtid as the servers write it
 */
record Until(@Nullable String pointInTime, @Nullable String gtid) {

    static final Until THE_BACKUP = new Until(null, null);

    boolean isBeyond() {
        return pointInTime != null || gtid != null;
    }

    /** For the command that reaches S3. */
    String[] flags() {
        return Stream.of(
                        pointInTime == null ? "" : "--point-in-time=" + pointInTime,
                        gtid == null ? "" : "--gtid=" + gtid.replaceAll("\\s", ""))
                .filter(flag -> !flag.isEmpty())
                .toArray(String[]::new);
    }

    /** For people. */
    String text() {
        return pointInTime != null ? pointInTime : "'" + Objects.requireNonNullElse(gtid, "") + "'";
    }
}
