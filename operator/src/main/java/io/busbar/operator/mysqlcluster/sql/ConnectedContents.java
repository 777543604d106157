package io.busbar.operator.mysqlcluster.sql;

import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Says it over one connection. For one thread, which may block. */
final class ConnectedContents implements Contents {

    private static final Pattern QUOTED = Pattern.compile("'([^']*)'");
    private static final String PRIVILEGE_COLUMN = "_priv";

    private final Statements statements;
    private final Dialect dialect;

    /** @param statements of a server that the dialect holds open for them */
    ConnectedContents(Statements statements, Dialect dialect) {
        this.statements = statements;
        this.dialect = dialect;
    }

    @Override
    public Flavor flavor() {
        return dialect.flavor();
    }

    @Override
    public Optional<Encoding> database(String name) throws SqlFailure, InterruptedException {
        return statements
                .query("SELECT DEFAULT_CHARACTER_SET_NAME AS characters, DEFAULT_COLLATION_NAME AS collation"
                        + " FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = " + Quoted.literal(name))
                .stream()
                .findFirst()
                .map(row -> new Encoding(row.text("characters"), row.text("collation")));
    }

    @Override
    public void createDatabase(String name, Encoding encoding) throws SqlFailure, InterruptedException {
        statements.query("CREATE DATABASE IF NOT EXISTS " + Quoted.name(name) + words(encoding));
    }

    @Override
    public void alterDatabase(String name, Encoding encoding) throws SqlFailure, InterruptedException {
        statements.query("ALTER DATABASE " + Quoted.name(name) + words(encoding));
    }

    private static String words(Encoding encoding) {
        String words = "";
        if (encoding.characterSet() != null) {
            words += " CHARACTER SET " + Quoted.literal(encoding.characterSet());
        }
        if (encoding.collation() != null) {
            words += " COLLATE " + Quoted.literal(encoding.collation());
        }
        return words;
    }

    @Override
    public void dropDatabase(String name) throws SqlFailure, InterruptedException {
        statements.query("DROP DATABASE IF EXISTS " + Quoted.name(name), Statements.LONG_PATIENCE);
    }

    @Override
    public boolean hasTable(String database, String table) throws SqlFailure, InterruptedException {
        return !statements
                .query("SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = " + Quoted.literal(database)
                        + " AND TABLE_NAME = " + Quoted.literal(table))
                .isEmpty();
    }

    @Override
    public Optional<User> user(AccountName name) throws SqlFailure, InterruptedException {
        return statements
                .query("SELECT SHA2(CONCAT_WS(':', plugin, authentication_string), 256) AS digest, "
                        + dialect.retainsOld()
                        + " AS retains, max_user_connections AS most, ssl_type AS encryption FROM mysql.user WHERE "
                        + is(name))
                .stream()
                .findFirst()
                .map(row -> new User(
                        row.text("digest"), row.isOn("retains"), (int) row.number("most"), row.text("encryption")));
    }

    @Override
    public void createUser(AccountName name, String password, int maxConnections)
            throws SqlFailure, InterruptedException {
        statements.secret(
                "CREATE USER " + name,
                "CREATE USER IF NOT EXISTS " + Quoted.account(name) + " " + dialect.identified(password)
                        + " WITH MAX_USER_CONNECTIONS " + maxConnections);
    }

    @Override
    public void changePassword(AccountName name, String password, boolean retainOld)
            throws SqlFailure, InterruptedException {
        statements.secret(
                "ALTER USER " + name,
                "ALTER USER " + Quoted.account(name) + " " + dialect.identified(password)
                        + (retainOld ? " RETAIN CURRENT PASSWORD" : ""));
    }

    @Override
    public void discardOldPassword(AccountName name) throws SqlFailure, InterruptedException {
        statements.query("ALTER USER " + Quoted.account(name) + " DISCARD OLD PASSWORD");
    }

    @Override
    public void requireEncryption(AccountName name, boolean encrypted) throws SqlFailure, InterruptedException {
        statements.query("ALTER USER " + Quoted.account(name) + " REQUIRE " + (encrypted ? "SSL" : "NONE"));
    }

    @Override
    public void limitConnections(AccountName name, int most) throws SqlFailure, InterruptedException {
        statements.query("ALTER USER " + Quoted.account(name) + " WITH MAX_USER_CONNECTIONS " + most);
    }

    @Override
    public void dropUser(AccountName name) throws SqlFailure, InterruptedException {
        statements.query("DROP USER IF EXISTS " + Quoted.account(name));
    }

    @Override
    public SortedSet<String> allPrivileges(Scope scope) throws SqlFailure, InterruptedException {
        SortedSet<String> all = new TreeSet<>();
        if (scope.isWholeDatabase()) {
            columns().forEach(column -> all.add(privilege(column)));
        } else {
            String set = statements
                    .row("SHOW COLUMNS FROM mysql.tables_priv LIKE 'Table_priv'")
                    .text("Type");
            all.addAll(privileges(
                    QUOTED.matcher(set).results().map(found -> found.group(1)).toList()));
        }
        return all;
    }

    /** By the columns of the server's own table, which has one for each. */
    private List<String> columns() throws SqlFailure, InterruptedException {
        return statements.query("SHOW COLUMNS FROM mysql.db").stream()
                .map(row -> row.text("Field"))
                .filter(column -> column.endsWith(PRIVILEGE_COLUMN) && !column.equals("Grant_priv"))
                .toList();
    }

    private static String privilege(String column) {
        String words = column.substring(0, column.length() - PRIVILEGE_COLUMN.length())
                .replace('_', ' ')
                .toUpperCase(Locale.ROOT);
        return words.equals("CREATE TMP TABLE") ? "CREATE TEMPORARY TABLES" : words;
    }

    private static List<String> privileges(List<String> words) {
        return words.stream()
                .map(word -> word.toUpperCase(Locale.ROOT))
                .filter(word -> !word.isEmpty() && !word.equals("GRANT"))
                .map(word -> word.equals("DELETE VERSIONING ROWS") ? "DELETE HISTORY" : word)
                .toList();
    }

    /** {@code SHOW GRANTS} would have to be taken apart, quoted names included. */
    @Override
    public Rights rights(Scope scope) throws SqlFailure, InterruptedException {
        if (!scope.isWholeDatabase()) {
            List<Row> rows = statements.query("SELECT Table_priv FROM mysql.tables_priv WHERE " + is(scope.account())
                    + " AND Db = " + Quoted.literal(scope.database()) + " AND Table_name = "
                    + Quoted.literal(scope.table()));
            List<String> words = rows.isEmpty()
                    ? List.of()
                    : List.of(rows.get(0).text("Table_priv").split(",", -1));
            return new Rights(privileges(words), words.contains("Grant"));
        }
        List<Row> rows = statements.query("SELECT * FROM mysql.db WHERE " + is(scope.account()) + " AND Db = "
                + Quoted.literal(stored(scope.database())));
        if (rows.isEmpty()) {
            return Rights.NONE;
        }
        List<String> held = new ArrayList<>();
        for (String column : columns()) {
            if (rows.get(0).text(column).equals("Y")) {
                held.add(privilege(column));
            }
        }
        return new Rights(held, rows.get(0).text("Grant_priv").equals("Y"));
    }

    @Override
    public void grant(Scope scope, Rights rights) throws SqlFailure, InterruptedException {
        String what = rights.privileges().isEmpty() ? "USAGE" : String.join(", ", rights.privileges());
        statements.query("GRANT " + what + " ON " + target(scope) + " TO " + Quoted.account(scope.account())
                + (rights.grantOption() ? " WITH GRANT OPTION" : ""));
    }

    @Override
    public void revoke(Scope scope, Rights rights) throws SqlFailure, InterruptedException {
        List<String> what = new ArrayList<>(rights.privileges());
        if (rights.grantOption()) {
            what.add("GRANT OPTION");
        }
        statements.query("REVOKE " + String.join(", ", what) + " ON " + target(scope) + " FROM "
                + Quoted.account(scope.account()));
    }

    /** Beside a table the database's name is no pattern. */
    private String target(Scope scope) throws SqlFailure, InterruptedException {
        return scope.isWholeDatabase()
                ? Quoted.name(stored(scope.database())) + ".*"
                : Quoted.name(scope.database()) + "." + Quoted.name(scope.table());
    }

    private String stored(String database) throws SqlFailure, InterruptedException {
        return dialect.readsPatterns(statements) ? Quoted.pattern(database) : database;
    }

    private static String is(AccountName name) {
        return "User = " + Quoted.literal(name.user()) + " AND Host = " + Quoted.literal(name.host());
    }

    @Override
    public void close() {
        statements.close();
    }
}
