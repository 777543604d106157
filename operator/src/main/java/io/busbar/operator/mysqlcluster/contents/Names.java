package io.busbar.operator.mysqlcluster.contents;

import io.busbar.admission.FieldProblem;
import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.sql.Schemas;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What names can be that people choose for things on servers. Lengths are those of MariaDB 10.11 and MySQL 9.7, the
 * longer one where they differ: the server has the last word. Pure; any thread.
 */
final class Names {

    /** What stands for all privileges of a scope. */
    static final String ALL = "ALL PRIVILEGES";

    /** Of a whole database; MySQL lacks the last two. */
    static final Set<String> OF_DATABASE = new TreeSet<>(Set.of(
            "ALTER",
            "ALTER ROUTINE",
            "CREATE",
            "CREATE ROUTINE",
            "CREATE TEMPORARY TABLES",
            "CREATE VIEW",
            "DELETE",
            "DROP",
            "EVENT",
            "EXECUTE",
            "INDEX",
            "INSERT",
            "LOCK TABLES",
            "REFERENCES",
            "SELECT",
            "SHOW VIEW",
            "TRIGGER",
            "UPDATE",
            "DELETE HISTORY",
            "SHOW CREATE ROUTINE",
            ALL));

    /** Of a table; MySQL lacks the last one. */
    static final Set<String> OF_TABLE = new TreeSet<>(Set.of(
            "ALTER",
            "CREATE",
            "CREATE VIEW",
            "DELETE",
            "DROP",
            "INDEX",
            "INSERT",
            "REFERENCES",
            "SELECT",
            "SHOW VIEW",
            "TRIGGER",
            "UPDATE",
            "DELETE HISTORY",
            ALL));

    private static final int LONGEST_NAME = 64;
    private static final int LONGEST_USER = 128;
    private static final int LONGEST_HOST = 255;

    /** A name of MariaDB's that stands for a folder as it is, whosever it may be. */
    private static final String RAW = "#mysql50#";

    private static final String HOST = "[a-z0-9.%_:/-]+";
    private static final String CHARACTERS =
            "must not have a NUL, a space at its end, or a character beyond U+FFFF, such"
                    + " as an emoji: servers keep no such names";

    private Names() {}

    static void database(String path, String name, List<FieldProblem> problems) {
        name(path, name, LONGEST_NAME, problems);
        if (Schemas.isOfTheServer(name)) {
            problems.add(FieldProblem.invalid(
                    path,
                    name,
                    "must not be a database of the server's own or of the operator: "
                            + String.join(", ", new TreeSet<>(Schemas.OF_THE_SERVER))));
        }
        if (name.toLowerCase(Locale.ROOT).startsWith(RAW)) {
            problems.add(FieldProblem.invalid(path, name, "must not begin with " + RAW));
        }
    }

    static void table(String path, String name, List<FieldProblem> problems) {
        name(path, name, LONGEST_NAME, problems);
        if (name.toLowerCase(Locale.ROOT).startsWith(RAW)) {
            problems.add(FieldProblem.invalid(path, name, "must not begin with " + RAW));
        }
    }

    static void user(String path, String name, List<FieldProblem> problems) {
        name(path, name, LONGEST_USER, problems);
        if (Passwords.isReserved(name)) {
            problems.add(FieldProblem.invalid(
                    path,
                    name,
                    "must not be an account of the server's own or of the operator: root, mysql, sys,"
                            + " event_scheduler, mysql.*, mariadb.*, " + ClusterNames.OPERATOR + ", "
                            + ClusterNames.REPLICATION));
        }
    }

    static void host(String path, String host, List<FieldProblem> problems) {
        if (!host.matches(HOST) || host.length() > LONGEST_HOST) {
            problems.add(FieldProblem.invalid(
                    path,
                    host,
                    "must be a name, an address, or a pattern of either: 1 to " + LONGEST_HOST
                            + " characters of a-z, 0-9, ., -, :, /, % and _"));
        }
    }

    private static void name(String path, String name, int longest, List<FieldProblem> problems) {
        int length = name.codePointCount(0, name.length());
        if (name.isEmpty() || length > longest) {
            problems.add(
                    FieldProblem.invalid(path, name, "must have 1 to " + longest + " characters; it has " + length));
        }
        if (name.endsWith(" ") || name.chars().anyMatch(one -> one == 0 || Character.isSurrogate((char) one))) {
            problems.add(FieldProblem.invalid(path, name, CHARACTERS));
        }
    }

    /** As {@code GRANT} has it. */
    static String privilege(String word) {
        String plain = word.strip().replaceAll("\\s+", " ").toUpperCase(Locale.ROOT);
        return plain.equals("ALL") ? ALL : plain;
    }

    /** Of a character set or a collation: servers before MariaDB 10.6 and MySQL 8.0.30 say utf8 for utf8mb3. */
    static String encoding(String name) {
        return name.equals("utf8") || name.startsWith("utf8_") ? "utf8mb3" + name.substring("utf8".length()) : name;
    }

    /** Which of the two it means depends on the server and its settings. */
    static void encoding(String path, @Nullable String name, List<FieldProblem> problems) {
        if (name != null && !encoding(name.toLowerCase(Locale.ROOT)).equals(name.toLowerCase(Locale.ROOT))) {
            problems.add(FieldProblem.invalid(
                    path, name, "must say utf8mb4 or utf8mb3: utf8 is one on some servers, and the other on others"));
        }
    }

    static void unchanged(String path, Object before, Object after, List<FieldProblem> problems) {
        if (!Objects.equals(before, after)) {
            problems.add(FieldProblem.forbidden(path, "cannot be changed: make another object"));
        }
    }
}
