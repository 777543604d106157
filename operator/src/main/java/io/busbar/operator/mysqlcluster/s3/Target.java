package io.busbar.operator.mysqlcluster.s3;

import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

/** Up to where the transactions of binary logs are given to a server, beyond a backup. */
sealed interface Target {

    /**
     * All that was committed up to the end of this second, by the clock of the server that committed it.
     *
     * <p>Immutable.
     */
    record Moment(Instant second) implements Target {

        public Moment(Instant second) {
            this.second = second.truncatedTo(ChronoUnit.SECONDS);
        }

        boolean isPassed(Instant committed) {
            return committed.truncatedTo(ChronoUnit.SECONDS).isAfter(second);
        }
    }

    /**
     * These, of which the backup has the first ones.
     *
     * <p>Immutable.
     */
    record Transactions(Position all) implements Target {}

    /**
     * @param moment in RFC 3339
     * @throws S3Failure when it is not such a moment
     */
    static Target moment(String moment) {
        try {
            return new Moment(OffsetDateTime.parse(moment).toInstant());
        } catch (DateTimeParseException invalid) {
            throw new OutOfReach("pointInTime is " + moment + ", and must be a time such as 2026-01-31T23:59:59Z");
        }
    }

    /**
     * @param gtid as servers of the flavor write it
     * @throws S3Failure when it is of the other one, or of none
     */
    static Target transactions(Flavor flavor, String gtid) {
        try {
            return new Transactions(Position.of(flavor, gtid));
        } catch (IllegalArgumentException invalid) {
            throw new OutOfReach("gtid is " + gtid + ", and must be "
                    + (flavor == Flavor.MARIADB ? "a position of MariaDB, such as 0-101-57" : "a GTID set of MySQL")
                    + ": " + invalid.getMessage());
        }
    }
}
