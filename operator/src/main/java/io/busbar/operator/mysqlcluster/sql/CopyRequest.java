package io.busbar.operator.mysqlcluster.sql;

import io.busbar.operator.mysqlcluster.sql.PhysicalCopy.Stage;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a server of MariaDB is asked to take another's data files, which it cannot do by itself: {@code data-files.sh}
 * does, before the server is started. The request, and what becomes of it, is the comment of the database that marks a
 * server as incomplete: the server keeps that in a file, where the script reads and writes it.
 *
 * <p>A request is one to the server that runs. One that was started since has none of it: so nobody who waits for a
 * script that does not come waits for good.
 *
 * <p>Blocks as its statements do.
 */
final class CopyRequest {

    /** What there is to read only of a server that is incomplete. */
    static final String TOLD =
            "SELECT SCHEMA_COMMENT AS told, UNIX_TIMESTAMP() - CAST(VARIABLE_VALUE AS INTEGER) AS started"
                    + " FROM information_schema.SCHEMATA JOIN information_schema.GLOBAL_STATUS ON VARIABLE_NAME = 'UPTIME'"
                    + " WHERE SCHEMA_NAME = '" + DatabaseServer.MARK_OF_INCOMPLETE + "'";

    private static final Pattern WANTED = Pattern.compile("wanted from (\\S+) at (\\d+)");
    private static final String WHOLE = "whole ";
    private static final String BROKEN_OFF = "broken off: ";

    /** By how many seconds two looks at one clock may be apart that a server tells in whole seconds. */
    private static final int ROUNDED = 1;

    private CopyRequest() {}

    /** Of one that can be written to by this session, which does not write to the binary log. */
    static void make(Statements statements, Endpoint donor) throws SqlFailure, InterruptedException {
        Schemas.begin(statements);
        String now = statements.row("SELECT UNIX_TIMESTAMP() AS now").text("now");
        statements.query("ALTER DATABASE " + DatabaseServer.MARK_OF_INCOMPLETE + " COMMENT = "
                + Quoted.literal("wanted from " + donor.host() + " at " + now));
    }

    /** Of one that is incomplete: nothing is to come any more into what it is given otherwise. */
    static void withdraw(Statements statements) throws SqlFailure, InterruptedException {
        statements.query("ALTER DATABASE " + DatabaseServer.MARK_OF_INCOMPLETE + " COMMENT = ''");
    }

    /** Of one that is incomplete; empty where nobody has made one. */
    static Optional<PhysicalCopy> copy(Statements statements) throws SqlFailure, InterruptedException {
        List<Row> rows = statements.query(TOLD);
        return rows.isEmpty() || rows.get(0).text("told").isEmpty()
                ? Optional.empty()
                : Optional.of(copy(rows.get(0).text("told"), rows.get(0).number("started")));
    }

    /** @param started when the server was, in seconds of its own clock */
    static PhysicalCopy copy(String told, long started) {
        Matcher wanted = WANTED.matcher(told);
        if (wanted.matches()) {
            return started - ROUNDED <= Long.parseLong(wanted.group(2))
                    ? new PhysicalCopy(Stage.WAITING, "it begins when the Pod is made anew")
                    : new PhysicalCopy(Stage.BROKEN_OFF, "the server was started again without them");
        }
        if (told.startsWith(WHOLE)) {
            return whole(told.substring(WHOLE.length()));
        }
        return new PhysicalCopy(
                Stage.BROKEN_OFF,
                told.startsWith(BROKEN_OFF)
                        ? told.substring(BROKEN_OFF.length())
                        : "the server was started in the middle of it");
    }

    private static PhysicalCopy whole(String position) {
        try {
            return new PhysicalCopy(
                    Stage.WHOLE,
                    "all is there",
                    Optional.of(MariaDbPosition.parse(position).text()));
        } catch (IllegalArgumentException unreadable) {
            return new PhysicalCopy(Stage.BROKEN_OFF, "its position cannot be read: " + position);
        }
    }
}
