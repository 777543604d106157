package io.busbar.operator.mysqlcluster.sql;

import io.busbar.operator.mysqlcluster.sql.PhysicalCopy.Stage;
import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import java.util.List;
import java.util.Optional;

/**
 * MySQL's plugin that copies data files from server to server. The statement goes on in the server when whoever said it
 * goes away, drops all that the server has, history first, and ends with the server, which its container starts again.
 *
 * <p>What is marked by a schema would lose its mark by that. So the mark is an entry among the donors that the server
 * persists beside its data: no copy takes it along or away. With it goes when the copy before began, if there was one:
 * what the server tells of that one must not be taken for this one.
 *
 * <p>Blocks as its statements do.
 */
final class ClonePlugin {

    private static final String MARK = DatabaseServer.MARK_OF_INCOMPLETE + ".after.";
    private static final String DONORS = " FROM performance_schema.persisted_variables"
            + " WHERE VARIABLE_NAME = 'clone_valid_donor_list' AND LOCATE('" + MARK + "', VARIABLE_VALUE) > 0";

    /** A condition. */
    static final String IS_MARKED = "EXISTS (SELECT 1" + DONORS + ")";

    static final String MARKED_DONORS = "SELECT VARIABLE_VALUE AS donors" + DONORS;

    /** One of which the process is gone does not go on. */
    static final String STATUS = "SELECT STATE AS state, PID <> 0 AS runs, ERROR_MESSAGE AS message,"
            + " REPLACE(UNIX_TIMESTAMP(BEGIN_TIME), '.', '') AS began, (SELECT FLOOR(SUM(DATA) * 100 / SUM(ESTIMATE))"
            + " FROM performance_schema.clone_progress WHERE STAGE = 'FILE COPY') AS percent"
            + " FROM performance_schema.clone_status";

    private static final String IS_THERE =
            "SELECT 1 FROM information_schema.PLUGINS WHERE PLUGIN_NAME = 'clone' AND PLUGIN_STATUS = 'ACTIVE'";
    private static final String INSTALL = "INSTALL PLUGIN clone SONAME 'mysql_clone.so'";

    /** They arrive empty. */
    private static final String NOT_COPIED = "SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME, ' is of ', ENGINE) AS what"
            + " FROM information_schema.TABLES WHERE TABLE_TYPE = 'BASE TABLE' AND ENGINE <> 'InnoDB' AND TABLE_SCHEMA"
            + " NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') LIMIT 1";

    private static final String TELLS = "SELECT @@GLOBAL.performance_schema AS tells";

    private ClonePlugin() {}

    /**
     * Of one that can be written to by this session: makes it a donor.
     *
     * @return why it cannot be one; empty if it can
     */
    static Optional<String> offer(Statements statements, Account account) throws SqlFailure, InterruptedException {
        Optional<String> left = notCopied(statements);
        if (left.isEmpty()) {
            install(statements);
            statements.query(AccountStatements.COPIES + Quoted.account(account.user()));
        }
        return left;
    }

    private static Optional<String> notCopied(Statements statements) throws SqlFailure, InterruptedException {
        return statements.query(NOT_COPIED).stream()
                .map(row -> row.text("what") + ", and only InnoDB's data are copied so")
                .findFirst();
    }

    /** It stays installed; not written to the binary log. */
    private static void install(Statements statements) throws SqlFailure, InterruptedException {
        if (statements.query(IS_THERE).isEmpty()) {
            statements.query(INSTALL);
        }
    }

    /**
     * Of one that can be written to by this session. What becomes of it, {@link #copy} tells: before that is known the
     * session is left, and the server may be gone.
     *
     * @throws SqlFailure also where the server has not begun, with its reason, which it tells nowhere else
     */
    static void begin(Statements statements, Endpoint donor, Account account) throws SqlFailure, InterruptedException {
        if (!statements.row(TELLS).isOn("tells")) {
            throw new SqlFailure(Kind.REFUSED, "with performance_schema = OFF it cannot tell of a copy", null);
        }
        install(statements);
        String before = began(statements);
        SourceEncryption encryption = SourceEncryption.of(statements, "CLONE", donor);
        statements.query("SET GLOBAL clone_ssl_ca = " + Quoted.literal(encryption.authorities()));
        statements.query("SET PERSIST clone_valid_donor_list = " + Quoted.literal(donor + "," + MARK + before + ":1"));
        try {
            statements.secret(
                    "CLONE INSTANCE",
                    "CLONE INSTANCE FROM " + Quoted.literal(account.user()) + "@" + Quoted.literal(donor.host()) + ":"
                            + donor.port() + " IDENTIFIED BY " + Quoted.literal(account.password())
                            + (donor.encrypted() ? " REQUIRE SSL" : ""));
        } catch (SqlFailure failed) {
            if (hasNotBegun(statements, failed, before)) {
                throw failed;
            }
        }
    }

    /** One that has begun goes on, or the server tells why not, or has ended with all of it. */
    private static boolean hasNotBegun(Statements statements, SqlFailure failed, String before)
            throws InterruptedException {
        try {
            return failed.kind() != Kind.UNREACHABLE && began(statements).equals(before);
        } catch (SqlFailure ended) {
            return false;
        }
    }

    /** When the last copy did, 0 if there was none. */
    private static String began(Statements statements) throws SqlFailure, InterruptedException {
        return statements.query(STATUS).stream()
                .map(row -> row.text("began"))
                .findFirst()
                .orElse("0");
    }

    /** That is not accepted yet. */
    static Optional<PhysicalCopy> copy(Statements statements) throws SqlFailure, InterruptedException {
        List<Row> marks = statements.query(MARKED_DONORS);
        if (marks.isEmpty()) {
            return Optional.empty();
        }
        String donors = marks.get(0).text("donors");
        String before = donors.substring(donors.lastIndexOf(MARK) + MARK.length(), donors.lastIndexOf(':'));
        return Optional.of(status(statements)
                .filter(row -> !row.text("began").equals(before))
                .map(ClonePlugin::copy)
                .orElse(new PhysicalCopy(Stage.BROKEN_OFF, "the server did not begin with it")));
    }

    private static PhysicalCopy copy(Row status) {
        return switch (status.text("state")) {
            case "Completed" -> new PhysicalCopy(Stage.WHOLE, "all is there");
            case "In Progress" ->
                status.isOn("runs")
                        ? new PhysicalCopy(Stage.UNDER_WAY, status.number("percent") + " % of the files are there")
                        : new PhysicalCopy(Stage.BROKEN_OFF, "the server ended in the middle of it");
            default -> new PhysicalCopy(Stage.BROKEN_OFF, status.text("message"));
        };
    }

    /** Without the plugin there is nothing to be read. */
    private static Optional<Row> status(Statements statements) throws SqlFailure, InterruptedException {
        return statements.query(IS_THERE).isEmpty()
                ? Optional.empty()
                : statements.query(STATUS).stream().findFirst();
    }

    /** Of one that has nothing to tell of it but that all is there. */
    static void requireWhole(Statements statements) throws SqlFailure, InterruptedException {
        Optional<PhysicalCopy> copy = copy(statements);
        if (copy.filter(its -> its.stage() == Stage.WHOLE).isEmpty()) {
            throw new SqlFailure(Kind.REFUSED, "it has no copy that is whole", null);
        }
        Optional<String> left = notCopied(statements);
        if (left.isPresent()) {
            throw new SqlFailure(Kind.REFUSED, left.get(), null);
        }
    }

    /** The last of what is done. */
    static void unmark(Statements statements) throws SqlFailure, InterruptedException {
        if (!statements.query(MARKED_DONORS).isEmpty()) {
            statements.query("RESET PERSIST clone_valid_donor_list");
        }
    }
}
