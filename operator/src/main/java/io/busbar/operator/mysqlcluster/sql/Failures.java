package io.busbar.operator.mysqlcluster.sql;

import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.DatabaseException;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Sorts what goes wrong by what helps. */
final class Failures {

    /** Of both products: no such account, or not with this password, from here, or with these rights. */
    private static final Set<Integer> DENIED =
            Set.of(1044, 1045, 1130, 1142, 1143, 1227, 1370, 1698, 1820, 1862, 3118, 3955, 4151);

    private static final Set<Integer> DISK_FULL = Set.of(1021, 1114);

    /** Shutdown, killed, blocked, offline. */
    private static final Set<Integer> UNREACHABLE =
            Set.of(Replication.TOO_MANY_CONNECTIONS, 1053, 1129, 1152, 1203, 1317, 1927, 3032);

    /** Of both products. */
    private static final int PASSWORD_RULES = 1819;

    /** The operating system's number within the server's message. */
    private static final Pattern NO_SPACE_LEFT = Pattern.compile("(?i)(errno|errcode|error):? 28\\b");

    private Failures() {}

    static SqlFailure of(Endpoint server, String statement, Throwable cause) {
        String prefix = server + ": " + statement + ": ";
        if (cause instanceof DatabaseException answer) {
            return new SqlFailure(kind(answer), prefix + answer.getMessage(), answer);
        }
        if (cause instanceof UnsupportedOperationException unknown) {
            return new SqlFailure(Kind.REFUSED, prefix + unknown.getMessage(), unknown);
        }
        return new SqlFailure(Kind.UNREACHABLE, prefix + said(cause), cause);
    }

    /**
     * Of what goes wrong before there is a session. MySQL asks whoever has no account for the proof of an account that
     * it makes up, by a plugin that it chooses at random: an account with a plugin that is not spoken here is as good
     * as none.
     */
    static SqlFailure ofLogin(Endpoint server, Account account, Throwable cause) {
        String login = "connect as " + account;
        if (cause instanceof UnsupportedOperationException plugin) {
            return new SqlFailure(Kind.DENIED, server + ": " + login + ": " + plugin.getMessage(), plugin);
        }
        if (cause instanceof ClosedConnectionException) {
            return new SqlFailure(
                    Kind.UNREACHABLE,
                    server + ": " + login
                            + ": the server closes connections, as it does where programs hold all of them, or where it"
                            + " lets in nobody from here",
                    cause);
        }
        return of(server, login, cause);
    }

    /**
     * Of what goes wrong before there is a session: whether the server is there, and has perhaps no connection left.
     * The client does not read what a server says in place of a greeting.
     */
    static boolean isTurnedAway(SqlFailure failure) {
        return failure.getCause() instanceof ClosedConnectionException;
    }

    static SqlFailure ofSecret(Endpoint server, String statement, Throwable cause) {
        if (cause instanceof DatabaseException answer) {
            String message = server + ": " + statement + ": error " + answer.getErrorCode()
                    + (answer.getErrorCode() == PASSWORD_RULES ? ", the server's rules for passwords refuse it" : "");
            return new SqlFailure(kind(answer), message, null);
        }
        return of(server, statement, cause);
    }

    private static String said(Throwable cause) {
        if (cause instanceof TimeoutException) {
            return "no answer in time";
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private static Kind kind(DatabaseException answer) {
        int code = answer.getErrorCode();
        if (DENIED.contains(code)) {
            return Kind.DENIED;
        }
        if (DISK_FULL.contains(code)
                || NO_SPACE_LEFT.matcher(String.valueOf(answer.getMessage())).find()) {
            return Kind.DISK_FULL;
        }
        return UNREACHABLE.contains(code) ? Kind.UNREACHABLE : Kind.REFUSED;
    }
}
