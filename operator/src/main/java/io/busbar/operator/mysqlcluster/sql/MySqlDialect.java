package io.busbar.operator.mysqlcluster.sql;

import io.busbar.operator.mysqlcluster.sql.Replication.Io;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * MySQL, since 8.0.23: in the words that 8.4 and 9.7 still know. Tried on real servers of 9.7; what differs before is
 * tried on exchanges as the manual shows them.
 *
 * <p>{@code super_read_only} stops the operator too. So it is off while the operator changes accounts, and from
 * {@link #erase} to {@link #seed}, when data are loaded; {@code read_only} stays on. A server keeps in its data folder
 * that it is to start with it. No option file says so: the entrypoint of MySQL's image starts a new server with them
 * and makes its root in it, which would be refused.
 *
 * @param resetHistory what empties the binary log: the old words are gone in 8.4, the new ones came with 8.2
 */
record MySqlDialect(String resetHistory) implements Dialect {

    static final String SEMI_SYNC = "SHOW GLOBAL VARIABLES LIKE 'rpl_semi_sync_source_enabled'";
    static final String STATE = "SELECT VERSION() AS version, @@GLOBAL.server_id AS server_id, @@GLOBAL.server_uuid AS"
            + " server_uuid, @@GLOBAL.read_only AS read_only, @@GLOBAL.gtid_executed AS history, "
            + Schemas.isIncomplete(ClonePlugin.IS_MARKED)
            // Without the plugin there are no such variables.
            + ", (SELECT replicas.VARIABLE_VALUE FROM performance_schema.global_variables enabled"
            + " JOIN performance_schema.global_variables replicas"
            + " ON replicas.VARIABLE_NAME = 'rpl_semi_sync_source_wait_for_replica_count'"
            + " WHERE enabled.VARIABLE_NAME = 'rpl_semi_sync_source_enabled' AND enabled.VARIABLE_VALUE = 'ON')"
            + " AS acknowledgements";
    /** Where it is only {@code read_only}, programs with the rights of an administrator write all the same. */
    static final String SOURCE =
            "SELECT VERSION() AS version, @@GLOBAL.super_read_only AS read_only, @@GLOBAL.log_bin AS"
                    + " logs, @@GLOBAL.gtid_mode AS identifies, @@GLOBAL.gtid_executed AS history";

    /**
     * What it has last written to its error log for want of room: that it waits for some to write to the binary log,
     * which it repeats every 10 minutes and does not take back, so a commit must still be waiting; that a table is
     * full; or that one could not be made.
     */
    static final String NO_ROOM = "SELECT LOGGED FROM performance_schema.error_log"
            + " WHERE (ERROR_CODE = 'MY-000035' AND LOGGED > NOW(6) - INTERVAL 11 MINUTE"
            + " AND EXISTS (SELECT 1 FROM performance_schema.processlist"
            + " WHERE STATE = 'waiting for handler commit' AND TIME > 0))"
            + " OR (ERROR_CODE IN ('MY-013132', 'MY-013133') AND LOGGED > NOW(6) - INTERVAL 1 MINUTE) LIMIT 1";

    static final String COUNTERS = "performance_schema.global_status";

    static final String REPLICATION = "SHOW REPLICA STATUS";
    static final String OTHER_HEARTBEAT = "SELECT 1 FROM performance_schema.replication_connection_configuration"
            + " WHERE CHANNEL_NAME = '' AND HEARTBEAT_INTERVAL <> " + Replication.HEARTBEAT_SECONDS;
    static final String READ_ONLY =
            "SELECT @@GLOBAL.read_only AS read_only, @@GLOBAL.super_read_only AS super_read_only";

    static final String BEFORE_CHANGE = READ_ONLY + ", " + Schemas.isIncomplete(ClonePlugin.IS_MARKED);

    /** From its next start on. */
    static final String START_CLOSED = "SET PERSIST_ONLY super_read_only = ON";

    static MySqlDialect of(int major, int minor, int patch) {
        if (release(major, minor, patch) < release(8, 0, 23)) {
            throw new IllegalArgumentException("MySQL " + major + "." + minor + "." + patch
                    + " is too old: 8.0.23 is the first that can be followed by these words");
        }
        return new MySqlDialect(
                release(major, minor, patch) < release(8, 2, 0) ? "RESET MASTER" : "RESET BINARY LOGS AND GTIDS");
    }

    private static int release(int major, int minor, int patch) {
        return (major * 1000 + minor) * 1000 + patch;
    }

    @Override
    public ServerState observe(Statements statements) throws SqlFailure, InterruptedException {
        Row state = statements.row(STATE);
        MySqlPosition history = MySqlPosition.parse(state.text("history"));
        return new ServerState(
                Flavor.MYSQL,
                state.text("version"),
                state.number("server_id"),
                state.text("server_uuid"),
                state.isOn("read_only"),
                history,
                history,
                history.by(state.text("server_uuid")),
                following(statements).map(row -> replication(row, history)),
                state.isOn("incomplete"),
                false,
                state.value("acknowledgements").map(Integer::parseInt).orElse(0),
                state.isOn("incomplete") ? ClonePlugin.copy(statements) : Optional.empty());
    }

    private static Replication replication(Row row, MySqlPosition history) {
        return new Replication(
                new Endpoint(row.text("Source_Host"), (int) row.number("Source_Port"), row.isOn("Source_SSL_Allowed")),
                io(row.text("Replica_IO_Running")),
                row.isOn("Replica_SQL_Running"),
                (int) row.number("Last_IO_Errno"),
                row.text("Last_IO_Error"),
                (int) row.number("Last_SQL_Errno"),
                row.text("Last_SQL_Error"),
                row.value("Seconds_Behind_Source").map(Long::parseLong).map(Duration::ofSeconds),
                MySqlPosition.parse(row.text("Retrieved_Gtid_Set")).and(history));
    }

    private static Io io(String running) {
        return switch (running) {
            case "Yes" -> Io.YES;
            case "No" -> Io.NO;
            default -> Io.CONNECTING;
        };
    }

    @Override
    public String counters() {
        return COUNTERS;
    }

    @Override
    public Optional<Disk> disk(Statements statements) throws SqlFailure, InterruptedException {
        return statements.query(NO_ROOM).isEmpty() ? Optional.empty() : Optional.of(Disk.WITHOUT_ROOM);
    }

    @Override
    public void makeReadOnly(Statements statements) throws SqlFailure, InterruptedException {
        statements.query("SET GLOBAL super_read_only = ON");
    }

    @Override
    public void makeWritable(Statements statements) throws SqlFailure, InterruptedException {
        statements.query("SET GLOBAL read_only = OFF");
    }

    /** Its {@code super_read_only} stops the operator, too. */
    @Override
    public void holdOpen(Statements statements) throws SqlFailure, InterruptedException {
        if (statements.row(READ_ONLY).isOn("super_read_only")) {
            throw new SqlFailure(SqlFailure.Kind.UNREACHABLE, "the server takes no writes any more", null);
        }
    }

    @Override
    public Flavor flavor() {
        return Flavor.MYSQL;
    }

    /** By the plugin that the account has, or that the server gives to new ones; the binary log has the hash. */
    @Override
    public String identified(String password) {
        return "IDENTIFIED BY " + Quoted.literal(password);
    }

    @Override
    public String byPassword() {
        return "IDENTIFIED WITH caching_sha2_password BY";
    }

    /** Said again, {@code RETAIN} alone would keep the second password in place of the first. */
    @Override
    public List<String> passwords(String by, Account account) {
        String first = by + " " + Quoted.literal(account.password());
        return account.other() == null
                ? List.of(first, "DISCARD OLD PASSWORD")
                : List.of(first, by + " " + Quoted.literal(account.other()) + " RETAIN CURRENT PASSWORD");
    }

    @Override
    public String withoutPasswordRules() {
        return "PASSWORD EXPIRE NEVER PASSWORD HISTORY 0 PASSWORD REUSE INTERVAL 0 DAY";
    }

    @Override
    public String rightsOfExporter() {
        return "PROCESS, REPLICATION CLIENT";
    }

    @Override
    public String rootsWithPassword() {
        return "SELECT Host FROM mysql.user WHERE User = 'root' AND authentication_string <> ''"
                + " AND plugin IN ('caching_sha2_password', 'mysql_native_password', 'sha256_password')";
    }

    @Override
    public String retainsOld() {
        return "IFNULL(JSON_CONTAINS_PATH(User_attributes, 'one', '$.additional_password'), 0)";
    }

    @Override
    public boolean readsPatterns(Statements statements) throws SqlFailure, InterruptedException {
        return !statements
                .row("SELECT @@GLOBAL.partial_revokes AS literal_names")
                .isOn("literal_names");
    }

    @Override
    public void acknowledgeByReplicas(Statements statements, int replicas) throws SqlFailure, InterruptedException {
        if (replicas > 0) {
            // Before it waits at all: no write is ever acknowledged by fewer.
            statements.query("SET GLOBAL rpl_semi_sync_source_wait_for_replica_count = " + replicas);
            statements.query("SET GLOBAL rpl_semi_sync_source_enabled = ON");
        } else if (!statements.query(SEMI_SYNC).isEmpty()) {
            statements.query("SET GLOBAL rpl_semi_sync_source_enabled = OFF");
        }
    }

    /** A replica needs the right for nothing else, so none has it until then. */
    @Override
    public void admitReplicas(Statements statements, Account replication) throws SqlFailure, InterruptedException {
        whileOpen(statements, () -> statements.query(AccountStatements.ADMITTED + Quoted.account(replication.user())));
    }

    /** What it has is known by its set of transactions, its own ones included. */
    @Override
    public void follow(Statements statements, Endpoint source, Account replication, boolean own)
            throws SqlFailure, InterruptedException {
        Optional<Row> current = following(statements);
        SourceEncryption encryption = SourceEncryption.of(statements, "SOURCE", source);
        if (current.isPresent()
                && leadsTo(current.get(), source, replication)
                && encryption.isThatOf(current.get(), "Source")) {
            if (runs(current.get())) {
                return;
            }
            if (statements.query(OTHER_HEARTBEAT).isEmpty()) {
                statements.query("START REPLICA");
                return;
            }
        }
        stopFollowing(statements);
        statements.query(START_CLOSED);
        statements.secret("CHANGE REPLICATION SOURCE", changeSource(source, replication) + encryption.words());
        statements.query("START REPLICA");
    }

    private static String changeSource(Endpoint source, Account replication) {
        return "CHANGE REPLICATION SOURCE TO SOURCE_HOST = " + Quoted.literal(source.host()) + ", SOURCE_PORT = "
                + source.port()
                + ", SOURCE_USER = " + Quoted.literal(replication.user())
                + ", SOURCE_PASSWORD = " + Quoted.literal(replication.password())
                + ", SOURCE_CONNECT_RETRY = 2, SOURCE_RETRY_COUNT = 86400, SOURCE_HEARTBEAT_PERIOD = "
                + Replication.HEARTBEAT_SECONDS + ", SOURCE_AUTO_POSITION = 1,"
                + " GET_SOURCE_PUBLIC_KEY = 1";
    }

    /** What is ignored is not kept by a server that restarts. */
    @Override
    public void follow(Statements statements, Upstream upstream) throws SqlFailure, InterruptedException {
        Optional<Row> current = following(statements);
        SourceEncryption encryption = upstream.encryption("SOURCE");
        if (current.filter(row -> runs(row)
                        && leadsTo(row, upstream.endpoint(), upstream.account())
                        && encryption.isThatOf(row, "Source")
                        && Upstream.isFiltered(row))
                .isPresent()) {
            return;
        }
        stopFollowing(statements);
        statements.query(START_CLOSED);
        statements.query(
                "CHANGE REPLICATION FILTER REPLICATE_WILD_IGNORE_TABLE = (" + Quoted.literal(Upstream.IGNORED) + ")");
        statements.secret(
                "CHANGE REPLICATION SOURCE",
                changeSource(upstream.endpoint(), upstream.account()) + encryption.words());
        statements.query("START REPLICA");
    }

    @Override
    public SourceState asSource(Statements statements) throws SqlFailure, InterruptedException {
        Row state = statements.row(SOURCE);
        MySqlPosition history = MySqlPosition.parse(state.text("history"));
        return new SourceState(
                Flavor.MYSQL,
                state.text("version"),
                state.isOn("read_only"),
                state.isOn("logs"),
                state.isOn("identifies"),
                history,
                history,
                Set.of());
    }

    @Override
    public void reconnect(Statements statements, Endpoint source, Account replication)
            throws SqlFailure, InterruptedException {
        statements.query("STOP REPLICA IO_THREAD FOR CHANNEL ''");
        statements.secret(
                "CHANGE REPLICATION SOURCE",
                "CHANGE REPLICATION SOURCE TO SOURCE_USER = " + Quoted.literal(replication.user())
                        + ", SOURCE_PASSWORD = " + Quoted.literal(replication.password()) + " FOR CHANNEL ''");
        statements.query("START REPLICA");
    }

    private static boolean leadsTo(Row current, Endpoint source, Account replication) {
        return current.text("Source_Host").equals(source.host())
                && current.number("Source_Port") == source.port()
                && current.text("Source_User").equals(replication.user())
                && current.isOn("Auto_Position")
                && current.number("Last_IO_Errno") != Replication.WRONG_PASSWORD;
    }

    private static boolean runs(Row current) {
        return io(current.text("Replica_IO_Running")) != Io.NO && current.isOn("Replica_SQL_Running");
    }

    @Override
    public void stopReceiving(Statements statements) throws SqlFailure, InterruptedException {
        for (Row channel : statements.query(REPLICATION)) {
            statements.query("STOP REPLICA IO_THREAD FOR CHANNEL " + Quoted.literal(channel.text("Channel_Name")));
        }
    }

    @Override
    public void stopFollowing(Statements statements) throws SqlFailure, InterruptedException {
        for (Row channel : statements.query(REPLICATION)) {
            String name = Quoted.literal(channel.text("Channel_Name"));
            statements.query("STOP REPLICA FOR CHANNEL " + name);
            if (Upstream.isFiltered(channel)) {
                statements.query("CHANGE REPLICATION FILTER REPLICATE_WILD_IGNORE_TABLE = ()");
            }
            statements.query("RESET REPLICA ALL FOR CHANNEL " + name);
        }
    }

    /** Of the channel without a name, which is the operator's. */
    private static Optional<Row> following(Statements statements) throws SqlFailure, InterruptedException {
        List<Row> channels = statements.query(REPLICATION);
        return channels.stream()
                .filter(row -> row.text("Channel_Name").isEmpty())
                .filter(row -> !row.text("Source_Host").isEmpty())
                .findFirst();
    }

    @Override
    public boolean awaitApplied(Statements statements, Position position, Duration patience)
            throws SqlFailure, InterruptedException {
        long seconds = Math.max(1, patience.toSeconds()); // 0 would wait for ever
        List<Row> rows = statements.query(
                "SELECT WAIT_FOR_EXECUTED_GTID_SET(" + Quoted.literal(position.text()) + ", " + seconds + ") AS waited",
                patience.plus(Statements.PATIENCE));
        return rows.get(0).value("waited").equals(Optional.of("0"));
    }

    @Override
    public void forgetBirth(Statements statements) throws SqlFailure, InterruptedException {
        ServerState born = observe(statements);
        boolean itsOwn = born.own().contains(born.history());
        if (!born.isBlank() && itsOwn && born.replication().isEmpty() && !Schemas.ofUsers(statements)) {
            statements.query(resetHistory, Statements.LONG_PATIENCE);
        }
    }

    @Override
    public void createAccounts(Statements statements, Accounts accounts) throws SqlFailure, InterruptedException {
        whileOpen(statements, () -> {
            new AccountStatements(statements, this).make(accounts);
            return statements.query(START_CLOSED);
        });
    }

    private interface Change<T> {
        T make() throws SqlFailure, InterruptedException;
    }

    /**
     * One that takes no writes is closed afterwards, also where it was left open by a change that was broken off; not
     * one that is being given a copy.
     */
    private static <T> T whileOpen(Statements statements, Change<T> change) throws SqlFailure, InterruptedException {
        Row before = statements.row(BEFORE_CHANGE);
        boolean closes = before.isOn("super_read_only") || (before.isOn("read_only") && !before.isOn("incomplete"));
        try {
            open(statements, before);
            return change.make();
        } finally {
            if (closes && statements.isOpen()) {
                statements.query("SET GLOBAL super_read_only = ON");
            }
        }
    }

    /** For the operator alone, and without a trace in the binary log. */
    private static void open(Statements statements, Row before) throws SqlFailure, InterruptedException {
        if (before.isOn("super_read_only")) {
            statements.query("SET GLOBAL super_read_only = OFF");
        }
        statements.query("SET SESSION sql_log_bin = OFF");
    }

    @Override
    public void reloadCertificate(Statements statements) throws SqlFailure, InterruptedException {
        statements.query("ALTER INSTANCE RELOAD TLS");
    }

    @Override
    public void requireEncryption(Statements statements, Accounts accounts, boolean required)
            throws SqlFailure, InterruptedException {
        whileOpen(statements, () -> {
            new AccountStatements(statements, this).requireEncryption(accounts, required);
            return required;
        });
    }

    @Override
    public void erase(Statements statements) throws SqlFailure, InterruptedException {
        stopFollowing(statements);
        statements.query("SET GLOBAL super_read_only = OFF");
        statements.query("SET SESSION sql_log_bin = OFF");
        Schemas.begin(statements);
        Schemas.drop(statements);
        statements.query(resetHistory, Statements.LONG_PATIENCE);
    }

    /**
     * Between the reset and the new position a replica is let in whatever it lacks, and would never be told of what was
     * copied: it has to come again before this counts as complete.
     */
    @Override
    public void seed(Statements statements, String position) throws SqlFailure, InterruptedException {
        String purged = MySqlPosition.parse(position).text();
        stopFollowing(statements);
        boolean readOnly = statements.row(READ_ONLY).isOn("read_only");
        statements.query("SET GLOBAL super_read_only = OFF");
        statements.query("SET SESSION sql_log_bin = OFF");
        statements.query(resetHistory, Statements.LONG_PATIENCE);
        statements.query("SET GLOBAL gtid_purged = " + Quoted.literal(purged));
        Clients.closeReplicas(statements);
        ClonePlugin.unmark(statements);
        Schemas.end(statements);
        if (readOnly) {
            statements.query("SET GLOBAL super_read_only = ON");
        }
    }

    @Override
    public Optional<String> offerCopy(Statements statements, Account replication)
            throws SqlFailure, InterruptedException {
        return whileOpen(statements, () -> ClonePlugin.offer(statements, replication));
    }

    /** It stays open to the operator until it is accepted, or data are loaded: the copy itself would be refused. */
    @Override
    public void beginCopy(Statements statements, Endpoint donor, Account replication)
            throws SqlFailure, InterruptedException {
        statements.query(START_CLOSED);
        open(statements, statements.row(READ_ONLY));
        ClonePlugin.begin(statements, donor, replication);
    }

    @Override
    public void acceptCopy(Statements statements) throws SqlFailure, InterruptedException {
        ClonePlugin.requireWhole(statements);
        // What the donor followed came along.
        stopFollowing(statements);
        open(statements, statements.row(READ_ONLY));
        Events.stop(statements, resetHistory.equals("RESET MASTER") ? "SLAVE" : "REPLICA");
        ClonePlugin.unmark(statements);
        statements.query("SET GLOBAL super_read_only = ON");
    }
}
