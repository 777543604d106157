package io.busbar.operator.mysqlcluster.sql;

import io.busbar.operator.mysqlcluster.sql.Replication.Io;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * MariaDB, since 10.5.
 *
 * <p>A replica follows by {@code gtid_slave_pos} alone. A former source's own transactions are put there first, which
 * is what following by {@code current_pos} did before that was deprecated.
 */
final class MariaDbDialect implements Dialect {

    static final String STATE = "SELECT VERSION() AS version, @@GLOBAL.server_id AS server_id, @@GLOBAL.read_only AS"
            + " read_only, @@GLOBAL.gtid_binlog_state AS history, @@GLOBAL.gtid_slave_pos AS applied, "
            + Schemas.INCOMPLETE + ", @@GLOBAL.rpl_semi_sync_master_enabled AS waits,"
            + " @@GLOBAL.rpl_semi_sync_slave_enabled AS takes_own";
    static final String SOURCE = "SELECT VERSION() AS version, @@GLOBAL.server_id AS server_id, @@GLOBAL.read_only AS"
            + " read_only, @@GLOBAL.log_bin AS logs, @@GLOBAL.gtid_binlog_state AS history";
    static final String DISKS_PLUGIN =
            "SELECT 1 FROM information_schema.PLUGINS WHERE PLUGIN_NAME = 'DISKS' AND PLUGIN_STATUS = 'ACTIVE'";
    static final String DISK =
            "SELECT Total * 1024 AS total, Available * 1024 AS available FROM information_schema.DISKS"
                    + " WHERE LOCATE(Path, @@GLOBAL.datadir) = 1 ORDER BY LENGTH(Path) DESC LIMIT 1";
    static final String REPLICATION = "SHOW ALL SLAVES STATUS";

    private static final String READ_ONLY = "SELECT @@GLOBAL.read_only AS read_only";
    private static final String OPEN = "'busbar_open'";
    private static final String HOLD = "SELECT GET_LOCK(" + OPEN + ", 2) AS held";
    private static final String HOLDER = "SELECT IS_USED_LOCK(" + OPEN + ") AS id";

    /** A semi-synchronous replica that stops tells its source so, and gives it 5 seconds to answer. */
    private static final Duration STOPPING = Statements.PATIENCE.plusSeconds(5);

    @Override
    public ServerState observe(Statements statements) throws SqlFailure, InterruptedException {
        Row state = statements.row(STATE);
        MariaDbPosition history = MariaDbPosition.parse(state.text("history"));
        MariaDbPosition applied = MariaDbPosition.parse(state.text("applied"));
        long serverId = state.number("server_id");
        return new ServerState(
                Flavor.MARIADB,
                state.text("version"),
                serverId,
                Long.toString(serverId),
                state.isOn("read_only"),
                history,
                applied,
                history.own(serverId, applied),
                following(statements).map(row -> replication(row, applied)),
                state.isOn("incomplete"),
                !state.isOn("takes_own"),
                state.isOn("waits") ? 1 : 0,
                state.isOn("incomplete") ? CopyRequest.copy(statements) : Optional.empty());
    }

    private static Replication replication(Row row, MariaDbPosition applied) {
        return new Replication(
                new Endpoint(row.text("Master_Host"), (int) row.number("Master_Port"), row.isOn("Master_SSL_Allowed")),
                io(row.text("Slave_IO_Running")),
                row.isOn("Slave_SQL_Running"),
                (int) row.number("Last_IO_Errno"),
                row.text("Last_IO_Error"),
                (int) row.number("Last_SQL_Errno"),
                row.text("Last_SQL_Error"),
                row.value("Seconds_Behind_Master").map(Long::parseLong).map(Duration::ofSeconds),
                MariaDbPosition.parse(row.text("Gtid_IO_Pos")).and(applied).latest());
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
        return "information_schema.GLOBAL_STATUS";
    }

    @Override
    public Optional<Disk> disk(Statements statements) throws SqlFailure, InterruptedException {
        if (statements.query(DISKS_PLUGIN).isEmpty()) {
            return Optional.empty();
        }
        return statements.query(DISK).stream()
                .findFirst()
                .map(row -> new Disk(row.number("total"), row.number("available")));
    }

    @Override
    public void makeReadOnly(Statements statements) throws SqlFailure, InterruptedException {
        if (!statements.row(HOLD).isOn("held")) {
            Clients.kill(statements, statements.row(HOLDER).number("id"));
            statements.query(HOLD);
        }
        statements.query("SET GLOBAL read_only = ON");
        statements.query("SELECT RELEASE_LOCK(" + OPEN + ")");
    }

    /** The operator may write to a server that is read-only. So who closes it takes turns with who writes. */
    @Override
    public void holdOpen(Statements statements) throws SqlFailure, InterruptedException {
        // An operator whose machine vanishes does not close its connection: the lock would stay for hours.
        statements.query("SET SESSION wait_timeout = " + 2 * Statements.LONG_PATIENCE.toSeconds());
        if (!statements.row(HOLD).isOn("held")) {
            throw new SqlFailure(Kind.UNREACHABLE, "another change of what is in the server is under way", null);
        }
        if (statements.row(READ_ONLY).isOn("read_only")) {
            throw new SqlFailure(Kind.UNREACHABLE, "the server takes no writes any more", null);
        }
        // Else a right that is given to nobody makes an account without a password.
        statements.query("SET SESSION sql_mode = 'NO_AUTO_CREATE_USER'");
    }

    @Override
    public Flavor flavor() {
        return Flavor.MARIADB;
    }

    /** By its hash: the statement stands in the binary log as it was sent. */
    @Override
    public String identified(String password) {
        return "IDENTIFIED BY PASSWORD " + Quoted.literal(NativePassword.hash(password));
    }

    @Override
    public String byPassword() {
        return BY;
    }

    /** An account may have several ways to log in; nobody says that they must differ. */
    @Override
    public List<String> passwords(String by, Account account) {
        return account.other() == null
                ? List.of(by + " " + Quoted.literal(account.password()))
                : List.of("IDENTIFIED VIA " + hashed(account.password()) + " OR " + hashed(account.other()));
    }

    private static String hashed(String password) {
        return "mysql_native_password USING " + Quoted.literal(NativePassword.hash(password));
    }

    @Override
    public String withoutPasswordRules() {
        return "PASSWORD EXPIRE NEVER";
    }

    /** What MySQL calls REPLICATION CLIENT is two rights here. */
    @Override
    public String rightsOfExporter() {
        return "PROCESS, BINLOG MONITOR, SLAVE MONITOR";
    }

    @Override
    public String rootsWithPassword() {
        return "SELECT Host FROM mysql.global_priv WHERE User = 'root'"
                + " AND JSON_VALUE(Priv, '$.plugin') = 'mysql_native_password'"
                + " AND JSON_VALUE(Priv, '$.authentication_string') LIKE '*%' AND Priv NOT LIKE '%unix_socket%'";
    }

    /** There is no such thing. */
    @Override
    public String retainsOld() {
        return "0";
    }

    @Override
    public boolean readsPatterns(Statements statements) {
        return true;
    }

    @Override
    public void makeWritable(Statements statements) throws SqlFailure, InterruptedException {
        statements.query("SET GLOBAL read_only = OFF");
    }

    @Override
    public void acknowledgeByReplicas(Statements statements, int replicas) throws SqlFailure, InterruptedException {
        if (replicas > 1) {
            throw new SqlFailure(
                    Kind.REFUSED,
                    "MariaDB waits for 1 replica only, not for " + replicas
                            + ": make spec.replication.acknowledgements 1",
                    null);
        }
        statements.query("SET GLOBAL rpl_semi_sync_master_enabled = " + (replicas > 0 ? "ON" : "OFF"));
    }

    @Override
    public void follow(Statements statements, Endpoint source, Account replication, boolean own)
            throws SqlFailure, InterruptedException {
        Optional<Row> current = following(statements);
        SourceEncryption encryption = SourceEncryption.of(statements, "MASTER", source);
        if (current.isPresent()
                && leadsTo(current.get(), source, replication)
                && encryption.isThatOf(current.get(), "Master")) {
            if (runs(current.get())) {
                return;
            }
            if (new BigDecimal(current.get().text("Slave_heartbeat_period")).intValue()
                    == Replication.HEARTBEAT_SECONDS) {
                statements.query("START SLAVE");
                return;
            }
        }
        stopFollowing(statements);
        if (own) {
            statements.query("SET GLOBAL gtid_slave_pos = @@GLOBAL.gtid_current_pos");
        }
        statements.secret("CHANGE MASTER", changeMaster(source, replication) + encryption.words());
        statements.query("START SLAVE");
    }

    /** What is ignored is kept neither with the connection nor by a server that restarts. */
    @Override
    public void follow(Statements statements, Upstream upstream) throws SqlFailure, InterruptedException {
        Optional<Row> current = following(statements);
        SourceEncryption encryption = upstream.encryption("MASTER");
        if (current.filter(row -> runs(row)
                        && leadsTo(row, upstream.endpoint(), upstream.account())
                        && encryption.isThatOf(row, "Master")
                        && Upstream.isFiltered(row))
                .isPresent()) {
            return;
        }
        stopFollowing(statements);
        statements.query("SET GLOBAL replicate_wild_ignore_table = " + Quoted.literal(Upstream.IGNORED));
        statements.secret("CHANGE MASTER", changeMaster(upstream.endpoint(), upstream.account()) + encryption.words());
        statements.query("START SLAVE");
    }

    @Override
    public SourceState asSource(Statements statements) throws SqlFailure, InterruptedException {
        Row state = statements.row(SOURCE);
        MariaDbPosition history = MariaDbPosition.parse(state.text("history"));
        Set<Long> serverIds = history.last().stream()
                .map(MariaDbPosition.Gtid::server)
                .collect(Collectors.toCollection(TreeSet::new));
        serverIds.add(state.number("server_id"));
        return new SourceState(
                Flavor.MARIADB,
                state.text("version"),
                state.isOn("read_only"),
                state.isOn("logs"),
                true,
                history,
                history.latest(),
                serverIds);
    }

    @Override
    public void reconnect(Statements statements, Endpoint source, Account replication)
            throws SqlFailure, InterruptedException {
        statements.query("STOP SLAVE ''", STOPPING);
        statements.secret("CHANGE MASTER", changeMaster(source, replication));
        statements.query("START SLAVE");
    }

    private static String changeMaster(Endpoint source, Account replication) {
        return "CHANGE MASTER TO MASTER_HOST = " + Quoted.literal(source.host()) + ", MASTER_PORT = " + source.port()
                + ", MASTER_USER = " + Quoted.literal(replication.user())
                + ", MASTER_PASSWORD = " + Quoted.literal(replication.password())
                + ", MASTER_CONNECT_RETRY = 2, MASTER_HEARTBEAT_PERIOD = " + Replication.HEARTBEAT_SECONDS
                + ", MASTER_USE_GTID = slave_pos";
    }

    private static boolean leadsTo(Row current, Endpoint source, Account replication) {
        return current.text("Master_Host").equals(source.host())
                && current.number("Master_Port") == source.port()
                && current.text("Master_User").equals(replication.user())
                && current.text("Using_Gtid").equalsIgnoreCase("Slave_Pos")
                && current.number("Last_IO_Errno") != Replication.WRONG_PASSWORD;
    }

    /** A thread that tries to connect runs, and what it has received stays. */
    private static boolean runs(Row current) {
        return io(current.text("Slave_IO_Running")) != Io.NO && current.isOn("Slave_SQL_Running");
    }

    @Override
    public void stopReceiving(Statements statements) throws SqlFailure, InterruptedException {
        for (Row connection : statements.query(REPLICATION)) {
            statements.query(
                    "STOP SLAVE " + Quoted.literal(connection.text("Connection_name")) + " IO_THREAD", STOPPING);
        }
    }

    @Override
    public void stopFollowing(Statements statements) throws SqlFailure, InterruptedException {
        for (Row connection : statements.query(REPLICATION)) {
            String name = Quoted.literal(connection.text("Connection_name"));
            statements.query("STOP SLAVE " + name, STOPPING);
            if (Upstream.isFiltered(connection)) {
                statements.query("SET GLOBAL replicate_wild_ignore_table = ''");
                // What was ignored came, and was not passed on: nobody else knows of it.
                statements.query("SET GLOBAL gtid_slave_pos = @@GLOBAL.gtid_binlog_pos");
            }
            statements.query("RESET SLAVE " + name + " ALL");
        }
    }

    /** Of the connection without a name, which is the operator's. */
    private static Optional<Row> following(Statements statements) throws SqlFailure, InterruptedException {
        List<Row> connections = statements.query(REPLICATION);
        return connections.stream()
                .filter(row -> row.text("Connection_name").isEmpty())
                .filter(row -> !row.text("Master_Host").isEmpty())
                .findFirst();
    }

    @Override
    public boolean awaitApplied(Statements statements, Position position, Duration patience)
            throws SqlFailure, InterruptedException {
        String latest = MariaDbPosition.parse(position.text()).latest().text();
        String seconds = BigDecimal.valueOf(patience.toMillis(), 3).toPlainString();
        List<Row> rows = statements.query(
                "SELECT MASTER_GTID_WAIT(" + Quoted.literal(latest) + ", " + seconds + ") AS waited",
                patience.plus(Statements.PATIENCE));
        return rows.get(0).value("waited").equals(Optional.of("0"));
    }

    /** What MariaDB's image does at first is not in the binary log. */
    @Override
    public void forgetBirth(Statements statements) {}

    @Override
    public void createAccounts(Statements statements, Accounts accounts) throws SqlFailure, InterruptedException {
        statements.query("SET SESSION sql_log_bin = OFF");
        new AccountStatements(statements, this).make(accounts);
    }

    /** Else replicas would be told of it, and this one would have a transaction of its own. */
    @Override
    public void reloadCertificate(Statements statements) throws SqlFailure, InterruptedException {
        statements.query("FLUSH LOCAL SSL");
    }

    @Override
    public void requireEncryption(Statements statements, Accounts accounts, boolean required)
            throws SqlFailure, InterruptedException {
        statements.query("SET SESSION sql_log_bin = OFF");
        new AccountStatements(statements, this).requireEncryption(accounts, required);
    }

    @Override
    public void erase(Statements statements) throws SqlFailure, InterruptedException {
        stopFollowing(statements);
        statements.query("SET SESSION sql_log_bin = OFF");
        Schemas.begin(statements);
        CopyRequest.withdraw(statements);
        Schemas.drop(statements);
        statements.query("RESET MASTER", Statements.LONG_PATIENCE);
        statements.query("SET GLOBAL gtid_slave_pos = ''");
    }

    @Override
    public void seed(Statements statements, String position) throws SqlFailure, InterruptedException {
        MariaDbPosition history = MariaDbPosition.parse(position);
        stopFollowing(statements);
        statements.query("SET SESSION sql_log_bin = OFF");
        statements.query("RESET MASTER", Statements.LONG_PATIENCE);
        statements.query("SET GLOBAL gtid_binlog_state = " + Quoted.literal(history.text()));
        statements.query(
                "SET GLOBAL gtid_slave_pos = " + Quoted.literal(history.latest().text()));
        Schemas.end(statements);
    }

    /** A table in memory arrives empty, and what is first read of it then writes that to the binary log. */
    @Override
    public Optional<String> offerCopy(Statements statements, Account replication)
            throws SqlFailure, InterruptedException {
        return statements.query(Schemas.IN_MEMORY).stream()
                .findFirst()
                .map(row -> row.text("name") + " is of MEMORY, and its rows are in no file");
    }

    @Override
    public void beginCopy(Statements statements, Endpoint donor, Account replication)
            throws SqlFailure, InterruptedException {
        statements.query("SET SESSION sql_log_bin = OFF");
        CopyRequest.make(statements, donor);
    }

    /** It stands nowhere until it is told where. */
    @Override
    public void acceptCopy(Statements statements) throws SqlFailure {
        throw new SqlFailure(Kind.REFUSED, "a copy does not know its position, and has to be seeded", null);
    }
}
